#include "tests/bench/state_recipe.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <vector>

#include "tests/bench/bench_world.h"
#include "tests/scenes/brick_wall.h"
#include "tests/scenes/drum.h"
#include "tests/scenes/heaps.h"

namespace talus::bench {
namespace {

constexpr double kTimeStep = 0.005;
// Beyond, every step of settling is told: each takes seconds.
constexpr size_t kManyBodies = 100'001;

SceneDef FirstScene(const StateKey& key) {
  const scenes::HeapOptions heap{key.bodies, key.seed};
  switch (key.kind) {
    case StateKind::kPileFlow:
      return scenes::HeapUnderNozzle(heap);
    case StateKind::kPileCollapse:
    case StateKind::kSceneCollapse:
      return scenes::Column(heap);
    case StateKind::kBox:
      return scenes::PackedBox(heap);
    case StateKind::kDrum:
      return scenes::Drum({.stones = key.bodies, .seed = key.seed});
    case StateKind::kWall:
      return scenes::BrickWall({.courses = static_cast<int>(key.bodies / 25)});
    case StateKind::kPileRest:
    case StateKind::kSceneRest:
    case StateKind::kLattice:
      break;
  }
  return scenes::Heap(heap);
}

double FindTopSpeed(const World& world) {
  const BodyStateView bodies = world.bodies();
  double top = 0.0;
  for (size_t row = 0; row < bodies.ids.size(); ++row) {
    if (bodies.kinds[row] != BodyKind::kDynamic) continue;
    top = std::max(top, bodies.linear_velocities[row].norm());
  }
  return top;
}

// Whether nothing moves faster than the bound; of very many bodies one in 20 000 may, because
// somewhere a stone is always turning over.
bool Rests(const World& world) {
  const BodyStateView bodies = world.bodies();
  size_t fast = 0;
  for (const Vec3& velocity : bodies.linear_velocities) {
    if (velocity.norm() > kRestSpeedMS) ++fast;
  }
  return fast <= bodies.ids.size() / 20'000;
}

// Steps until the world has rested for `calm_steps` steps; false when that does not come about
// within `most_steps`.
bool StepToRest(World& world, WorkerArena& workers, int calm_steps, int most_steps) {
  int calm = 0;
  for (int step = 0; step < most_steps && calm < calm_steps; ++step) {
    const StepReport report = StepWorld(world, workers);
    calm = Rests(world) ? calm + 1 : 0;
    if (world.body_count() > kManyBodies) {
      std::fprintf(stderr, "bench: step %d: %d sweeps to %.1e, %.1f s in the solver\n", step + 1,
                   report.sweep_count, report.residual, report.stage_times.solve_contacts_s);
    }
  }
  return calm == calm_steps;
}

// One of the stages of coming to rest: until the world has rested for so many steps.
struct Settling {
  double tolerance;
  int32_t max_sweeps;
  int calm_steps;
  int most_steps;
};

// A heap that was laid down has hardly anywhere to go: some twenty steps. It ends with steps solved
// further: before them the gaps still carry the noise of the tolerance that it settled with, which
// no heap at rest has.
std::vector<Settling> PlanSettling(int64_t bodies) {
  if (bodies > 100'000) return {{1e-2, 300, 2, 40}, {1e-3, 300, 8, 60}, {1e-4, 1000, 8, 20}};
  return {{1e-3, 1000, 20, 400}, {bodies > 10'000 ? 1e-5 : 1e-6, 1000, 8, 200}};
}

// Only the last stage has to end at rest: what the tolerance of the first keeps moving it brings
// down.
World Settle(World world, const StateKey& key, WorkerArena& workers) {
  bool rests = false;
  for (const Settling& stage : PlanSettling(key.bodies)) {
    world = RestoreWith(world.SaveSnapshot(), {key.law, SolverKind::kLawDefault, stage.tolerance,
                                               stage.max_sweeps, true});
    rests = StepToRest(world, workers, stage.calm_steps, stage.most_steps);
  }
  if (!rests) {
    Fail(StateName(key) + " does not rest: its top speed is " +
         std::to_string(FindTopSpeed(world)) + " m/s");
  }
  return world;
}

// On the way a flow is solved loosely, because what it comes to is as good a flow; the last steps
// are solved as those measured are.
World Flow(World world, double seconds, WorkerArena& workers) {
  constexpr int kLastSteps = 10;
  const auto steps = static_cast<int>(std::lround(seconds / world.settings().time_step_s));
  const SolverSettings last = world.settings().solver;
  SolverSettings loose = last;
  loose.tolerance = 1e-2;
  world = RestoreWith(world.SaveSnapshot(), loose);
  for (int step = 0; step < steps - kLastSteps; ++step) StepWorld(world, workers);
  world = RestoreWith(world.SaveSnapshot(), last);
  for (int step = 0; step < kLastSteps; ++step) StepWorld(world, workers);
  return world;
}

double MovingSeconds(const StateKey& key) {
  switch (key.kind) {
    case StateKind::kPileFlow:  // the first stones have rolled down half the slope
      return 0.6 * scenes::FindHeapTimeScale(key.bodies);
    case StateKind::kPileCollapse:  // flowing on all sides
      return 0.5 * scenes::FindHeapTimeScale(key.bodies);
    case StateKind::kLattice:
    case StateKind::kSceneCollapse:  // it has begun, and comes to rest within the steps measured
      return 0.1;
    case StateKind::kDrum:  // half round: 1.5 rad/s
      return 2.1;
    default:
      return 0.0;
  }
}

}  // namespace

World MakeState(const StateKey& key) {
  const bool told = key.seed == 1;  // not of each of many scenes
  if (told) std::fprintf(stderr, "bench: making %s\n", StateName(key).c_str());
  const auto begin = std::chrono::steady_clock::now();
  WorkerArena workers(2);
  SceneDef scene = FirstScene(key);
  scene.settings.solver = {key.law, SolverKind::kLawDefault, 1e-3, 1000, true};
  World world = MakeWorld(scene);
  const double moving_s = MovingSeconds(key);
  world = moving_s > 0.0 ? Flow(std::move(world), moving_s, workers)
                         : Settle(std::move(world), key, workers);
  const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
  const StepReport& report = world.last_report();
  if (told) {
    std::fprintf(stderr,
                 "bench: made %s in %.1f s: %lld bodies, %lld contacts, %d colours, %lld steps, "
                 "top speed %.2g m/s\n",
                 StateName(key).c_str(), spent.count(), static_cast<long long>(report.body_count),
                 static_cast<long long>(report.contact_count), report.color_count,
                 static_cast<long long>(world.step_index()), FindTopSpeed(world));
  }
  return world;
}

}  // namespace talus::bench
