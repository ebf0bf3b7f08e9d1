#include "solver/parallel/worker_arena.h"

#include <gtest/gtest.h>

#include <atomic>
#include <vector>

#include "solver/parallel/ordered_reduce.h"
#include "tests/support/allocation_counter.h"

namespace talus {
namespace {

TEST(WorkerArenaTest, EveryChunkRunsOnceInEveryPhase) {
  for (const int worker_count : {1, 2, 3, 7}) {
    WorkerArena workers(worker_count);
    workers.Execute([&] {
      for (const size_t chunk_count : {0u, 1u, 2u, 5u, 64u, 1000u}) {
        std::vector<std::atomic<int>> runs(chunk_count);
        workers.RunChunks(chunk_count, [&](size_t chunk) { ++runs[chunk]; });
        for (const std::atomic<int>& count : runs) EXPECT_EQ(count.load(), 1);
      }
    });
  }
}

// Short phases, each of which reads what the one before has written elsewhere: helpers come late,
// leave late and must never work on the wrong one.
TEST(WorkerArenaTest, APhaseSeesAllOfTheOneBefore) {
  constexpr size_t kChunks = 24;
  constexpr int kPhases = 3000;
  for (const int worker_count : {2, 5}) {
    WorkerArena workers(worker_count);
    std::vector<int> from(kChunks, 0);
    std::vector<int> to(kChunks, 0);
    for (int job = 0; job < 5; ++job) {
      workers.Execute([&] {
        for (int phase = 0; phase < kPhases / 5; ++phase) {
          workers.RunChunks(kChunks,
                            [&](size_t chunk) { to[chunk] = from[(chunk + 7) % kChunks] + 1; });
          from.swap(to);
        }
      });
    }
    EXPECT_EQ(from, std::vector<int>(kChunks, kPhases)) << worker_count;
  }
}

TEST(WorkerArenaTest, PhasesNeedNoJobAndJobsMayNest) {
  WorkerArena workers(3);
  std::atomic<int> runs{0};
  workers.RunChunks(10, [&](size_t) { ++runs; });
  workers.Execute(
      [&] { workers.Execute([&] { workers.RunChunks(10, [&](size_t) { ++runs; }); }); });
  workers.RunChunks(10, [&](size_t) { ++runs; });
  EXPECT_EQ(runs.load(), 30);
}

TEST(OrderedReduceTest, AddsInTheSameOrderForAnyWorkersAndAsksForNoMemory) {
  // More chunks than one batch holds; numbers whose sum depends on the order.
  constexpr size_t kCount = 5000;
  constexpr size_t kChunk = 16;
  const auto value = [](size_t index) { return index % 3 == 0 ? 1e16 : 1.0 / (1.0 + index); };
  const auto add = [](double a, double b) { return a + b; };
  double expected = 0.0;
  for (size_t begin = 0; begin < kCount; begin += kChunk) {
    double sum = 0.0;
    for (size_t index = begin; index < std::min(kCount, begin + kChunk); ++index) {
      sum += value(index);
    }
    expected += sum;
  }
  for (const int worker_count : {1, 2, 7}) {
    WorkerArena workers(worker_count);
    const size_t before = testing::AllocationCount();
    const double sum = OrderedReduce(workers, kCount, kChunk, 0.0, value, add);
    if (worker_count == 1) {
      EXPECT_EQ(testing::AllocationCount(), before);
    }
    EXPECT_EQ(sum, expected) << worker_count;
  }
}

}  // namespace
}  // namespace talus
