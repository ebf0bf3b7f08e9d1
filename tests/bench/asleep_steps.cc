#include "tests/bench/asleep_steps.h"

#include <cstdio>
#include <optional>

#include "tests/bench/bench_world.h"
#include "tests/bench/step_tally.h"
#include "tests/scenes/gravel.h"

namespace talus::bench {
namespace {

constexpr double kTolerance = 1e-3;
constexpr int kMaxSweeps = 1000;
constexpr int kMostSteps = 400;
constexpr int kUntimedSteps = 5;  // buffers are filled, and the first step is never a repeated one

// Nothing where a heap keeps trembling.
std::optional<World> FallAsleep(std::string_view snapshot, const AsleepStepsOptions& options) {
  const SolverSettings settings = {options.law, SolverKind::kLawDefault, kTolerance, kMaxSweeps,
                                   true};
  World world = RestoreSleepy(snapshot, settings);
  const auto heap = static_cast<int64_t>(world.body_count()) - 1;
  if (options.sliding_stone) {
    BodyDef stone = scenes::MakeStone(Vec3(1000.0, 0.0, scenes::kGravelRadius));
    stone.shapes[0].material = "";
    stone.linear_velocity_world_m_s = Vec3(1.0, 0.0, 0.0);
    if (!world.AddBodies({&stone, 1}).ok()) Fail("a stone is refused");
  }
  WorkerArena workers(1);
  for (int step = 0; step < kMostSteps; ++step) {
    if (StepWorld(world, workers).sleeping_body_count == heap) return world;
  }
  return std::nullopt;
}

StepTally TimeAsleepSteps(World world, int threads, int steps) {
  WorkerArena workers(threads);
  for (int step = 0; step < kUntimedSteps; ++step) StepWorld(world, workers);
  StepTally tally;
  for (int step = 0; step < steps; ++step) tally.TimeStep(world, workers);
  return tally;
}

}  // namespace

std::vector<BenchRow> MeasureAsleepSteps(std::string_view snapshot,
                                         const AsleepStepsOptions& options, const BenchRow& row) {
  BenchRow start = row;
  start.tolerance = kTolerance;
  const std::optional<World> world = FallAsleep(snapshot, options);
  if (!world.has_value()) {
    std::fprintf(stderr, "bench: %s: awake after %d steps\n", row.id.c_str(), kMostSteps);
    return {start};
  }
  start.start_hash = world->state_hash();
  std::vector<BenchRow> rows;
  for (const int threads : {1, 2, 3, 7}) {
    BenchRow& measured = rows.emplace_back(start);
    TimeAsleepSteps(world->Fork(), threads, options.steps).Write(measured);
    measured.threads = threads;
    measured.speedup = rows.front().ms_per_step / measured.ms_per_step;
    if (measured.state_hash != rows.front().state_hash) {
      Fail(row.id + ": another hash on " + std::to_string(threads) + " threads");
    }
  }
  rows.resize(2);
  return rows;
}

}  // namespace talus::bench
