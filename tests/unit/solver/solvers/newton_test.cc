// NEWTON in a scene whose steps sweeps do not solve: spheres that cannot roll, one upon the other,
// until the tower has fallen.
#include "solver/solvers/newton.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "solver/world/world.h"
#include "tests/scenes/rolling_scenes.h"

namespace talus {
namespace {

constexpr int kSteps = 400;

struct Fall {
  int unconverged = 0;
  uint64_t hash = 0;
};

SceneDef Tower(int count, double lean, uint64_t seed, const SolverSettings& solver) {
  SceneDef scene = scenes::LeaningTower(count, lean, seed);
  scenes::SetRollingFriction(1.0, 1.0, scene);
  scene.settings.time_step_s = 1e-3;
  scene.settings.solver = solver;
  return scene;
}

Fall LetFall(int count, double lean, uint64_t seed, SolverKind solver, size_t workers) {
  const SceneDef scene =
      Tower(count, lean, seed, {.solver = solver, .tolerance = 1e-3, .max_sweeps = 1000});
  absl::StatusOr<World> world = World::Create(scene);
  EXPECT_TRUE(world.ok()) << world.status();
  WorkerArena arena(workers);
  Fall fall;
  for (int step = 0; step < kSteps; ++step) {
    const absl::StatusOr<StepReport> report = world->Step(arena);
    EXPECT_TRUE(report.ok()) << report.status();
    if (report->residual > scene.settings.solver.tolerance) ++fall.unconverged;
  }
  fall.hash = world->state_hash();
  return fall;
}

TEST(NewtonInAScene, LeavesNoStepOfAFallingTowerUnsolved) {
  int by_sweeps = 0;
  for (uint64_t seed = 1; seed <= 4; ++seed) {
    SCOPED_TRACE(seed);
    EXPECT_EQ(LetFall(15, 0.3, seed, SolverKind::kNewton, 1).unconverged, 0);
    EXPECT_EQ(LetFall(30, 0.5, seed, SolverKind::kNewton, 1).unconverged, 0);
    by_sweeps += LetFall(15, 0.3, seed, SolverKind::kAlartCurnier, 1).unconverged;
  }
  EXPECT_GT(by_sweeps, 0);  // there was something to solve
}

TEST(NewtonInAScene, HasTheSameBitsOnTwoWorkers) {
  EXPECT_EQ(LetFall(15, 0.3, 4, SolverKind::kNewton, 1).hash,
            LetFall(15, 0.3, 4, SolverKind::kNewton, 2).hash);
}

// Sweeps and Newton's method take turns there, and the last turn may end farther away than one
// before.
TEST(NewtonInAScene, ReturnsTheBestOfAllTurnsWithinTheLimit) {
  int short_of_it = 0;
  for (const int32_t limit : {60, 100, 160, 250}) {
    SCOPED_TRACE(limit);
    absl::StatusOr<World> world = World::Create(Tower(
        15, 0.3, 4, {.solver = SolverKind::kNewton, .tolerance = 1e-13, .max_sweeps = limit}));
    ASSERT_TRUE(world.ok()) << world.status();
    WorkerArena arena(1);
    for (int step = 0; step < kSteps; ++step) {
      const absl::StatusOr<StepReport> report = world->Step(arena, {.residual_history = true});
      ASSERT_TRUE(report.ok()) << report.status();
      if (report->residual_history.empty()) continue;
      // Lanes and matrices round one residual differently.
      ASSERT_LE(report->residual, (1.0 + 1e-9) * std::ranges::min(report->residual_history))
          << step;
      ASSERT_LE(report->sweep_count, limit) << step;
      if (report->outcome == SolveOutcome::kSweepLimit) ++short_of_it;
    }
  }
  EXPECT_GT(short_of_it, 0);
}

}  // namespace
}  // namespace talus
