#include "solver/matrix_solvers/smoothed_path.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <string>

#include "solver/matrix_solvers/block_map.h"
#include "solver/matrix_solvers/gauss_seidel.h"
#include "tests/scenes/rolling_problems.h"
#include "tests/scenes/rolling_scenes.h"
#include "tests/scenes/step_problem.h"
#include "tests/support/matrix_problems.h"

namespace talus::matrix {
namespace {

using testing::ScaledRollingProblem;

double ResidualOf(const ScaledProblem& problem, const Eigen::VectorXd& smoothed) {
  const Eigen::VectorXd impulse = MapBlocks(problem, ContactLaw::kNcp, smoothed);
  return ComputeResidual(problem, ContactLaw::kNcp, impulse, VelocityOf(problem, impulse));
}

struct Walk {
  double least = std::numeric_limits<double>::infinity();  // residual
  int turns = 0;  // points at which the rounding grew, and had been falling
};

Walk Follow(const ScaledProblem& problem, double compliance, int factorizations) {
  SmoothedPath path(problem, compliance);
  Walk walk;
  double rounding = std::numeric_limits<double>::infinity();
  bool falling = true;
  while (path.factorization_count() < factorizations && path.Advance()) {
    walk.least = std::min(walk.least, ResidualOf(problem, path.impulse()));
    if (falling && path.rounding() > rounding) ++walk.turns;
    falling = path.rounding() <= rounding;
    rounding = path.rounding();
  }
  return walk;
}

TEST(SmoothedPath, ComesNearInTensOfFactorisations) {
  for (const char* name :
       {"pile_8_resting", "pile_70_resting", "pile_120_resting", "stack_10_mass_1e4"}) {
    SCOPED_TRACE(name);
    EXPECT_LE(Follow(ScaledRollingProblem(name), 0.0, 100).least, 1e-3);
  }
}

// Without compliance and with it, where W alone is singular.
TEST(SmoothedPath, LeadsThroughTowersThatCannotRoll) {
  for (uint64_t seed = 1; seed <= 4; ++seed) {
    SCOPED_TRACE(seed);
    SceneDef scene = scenes::LeaningTower(12, 0.3, seed);
    scenes::SetRollingFriction(1.0, 1.0, scene);
    const ScaledProblem problem = ScaleProblem(scenes::MakeStepProblem(scene));
    EXPECT_LE(std::min(Follow(problem, 0.0, 300).least, Follow(problem, 3e-3, 300).least), 1e-3);
  }
}

TEST(SmoothedPath, GoesRoundTurningPoints) {
  for (const char* name : {"pile_40_kicked", "groove_2"}) {
    SCOPED_TRACE(name);
    const Walk walk = Follow(ScaledRollingProblem(name), 1e-4, 250);
    EXPECT_GT(walk.turns, 0);
    EXPECT_LE(walk.least, 1e-4);
  }
}

// Points beside it would end where it turns.
TEST(SmoothedPath, StaysOnItsCurve) {
  const Walk walk = Follow(ScaledRollingProblem("pile_40_resting"), 1e-4, 400);
  EXPECT_GT(walk.turns, 0);
  EXPECT_LE(walk.least, 1e-5);
}

// A contact of which some rows have become bilateral, and some a spring's.
TEST(SmoothedPath, HoldsBounds) {
  ScaledProblem problem = ScaledRollingProblem("pile_12_falling");
  BlockLaw& law = problem.laws.back();
  law.kind = BlockLawKind::kBounds;
  law.lower = Wrench::Constant(-std::numeric_limits<double>::infinity());
  law.upper = -law.lower;
  law.lower.tail<3>().setConstant(-1e-3);
  law.upper.tail<3>().setConstant(1e-3);
  EXPECT_LE(Follow(problem, 1e-4, 200).least, 1e-4);
}

TEST(SmoothedPath, EndsWhereItIsStopped) {
  const ScaledProblem problem = ScaledRollingProblem("pile_70_resting");
  int asked = 0;
  SmoothedPath path(problem, 0.0, {.stop = [&] { return ++asked > 20; }});
  while (path.Advance()) {
  }
  EXPECT_LE(asked, 24);
  EXPECT_LE(path.factorization_count(), 22);
}

}  // namespace
}  // namespace talus::matrix
