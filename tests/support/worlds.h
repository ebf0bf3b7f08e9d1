// Worlds that must be made and step, for tests that look at what comes out.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <utility>

#include "solver/parallel/worker_arena.h"
#include "solver/world/world.h"

namespace talus::testing {

inline World MakeWorld(const SceneDef& scene) {
  absl::StatusOr<World> world = World::Create(scene);
  EXPECT_TRUE(world.ok()) << world.status();
  return *std::move(world);
}

inline StepReport StepWorld(World& world, int64_t steps = 1, int worker_count = 1) {
  WorkerArena workers(worker_count);
  StepReport report;
  for (int64_t step = 0; step < steps; ++step) {
    absl::StatusOr<StepReport> next = world.Step(workers);
    EXPECT_TRUE(next.ok()) << next.status();
    if (!next.ok()) break;
    report = *std::move(next);
    EXPECT_EQ(report.outcome, SolveOutcome::kConverged) << "step " << report.step_index;
  }
  return report;
}

}  // namespace talus::testing
