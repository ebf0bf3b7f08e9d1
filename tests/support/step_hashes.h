// The state hash after each of so many steps with so many workers: what must not depend on these.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "solver/parallel/worker_arena.h"
#include "solver/world/world.h"

namespace talus::testing {

// Fewer, and a failed test, when a step fails.
inline std::vector<uint64_t> StepHashes(World& world, int worker_count, int steps) {
  WorkerArena workers(worker_count);
  std::vector<uint64_t> hashes;
  for (int step = 0; step < steps; ++step) {
    const absl::StatusOr<StepReport> report = world.Step(workers);
    EXPECT_TRUE(report.ok()) << report.status();
    if (!report.ok()) break;
    hashes.push_back(report->state_hash);
  }
  return hashes;
}

}  // namespace talus::testing
