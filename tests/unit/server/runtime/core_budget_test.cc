#include "server/runtime/core_budget.h"

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

#include "gtest/gtest.h"
#include "solver/base/random.h"

namespace talus {
namespace {

TEST(CoreBudgetTest, OneBusySceneGoesWide) {
  CoreBudget budget(8, 8);
  EXPECT_EQ(budget.Take(1).cores(), 8);
  EXPECT_EQ(budget.lent(), 0);
}

TEST(CoreBudgetTest, WhoAsksForOneGetsOne) {
  CoreBudget budget(8, 8);
  const auto one = budget.TakeOne();
  EXPECT_EQ(one.cores(), 1);
  EXPECT_EQ(budget.lent(), 1);
}

TEST(CoreBudgetTest, NoLeaseIsWiderThanAllowed) {
  CoreBudget budget(8, 3);
  EXPECT_EQ(budget.Take(1).cores(), 3);
}

TEST(CoreBudgetTest, BusyScenesShareEqually) {
  CoreBudget budget(8, 8);
  const auto first = budget.Take(2);
  const auto second = budget.Take(2);
  EXPECT_EQ(first.cores(), 4);
  EXPECT_EQ(second.cores(), 4);
  EXPECT_EQ(budget.lent(), 8);
}

TEST(CoreBudgetTest, ManyScenesTakeOneEach) {
  CoreBudget budget(2, 2);
  std::vector<CoreBudget::Lease> leases;
  for (int scene = 0; scene < 5; ++scene) leases.push_back(budget.Take(5));
  for (const auto& lease : leases) EXPECT_EQ(lease.cores(), 1);
}

TEST(CoreBudgetTest, AnExhaustedBudgetStillGivesOne) {
  CoreBudget budget(4, 4);
  const auto wide = budget.Take(1);
  EXPECT_EQ(wide.cores(), 4);
  EXPECT_EQ(budget.Take(2).cores(), 1);
}

// Leases taken and returned by many threads: none is smaller than one or wider than its share, a
// wide one never takes the sum over the total, and everything comes back.
TEST(CoreBudgetTest, HoldsItsPromisesUnderContention) {
  constexpr uint64_t kSeed = 20240601;
  SCOPED_TRACE(::testing::Message() << "seed " << kSeed);
  constexpr int kTotal = 6;
  constexpr int kMost = 4;
  constexpr int kThreads = 4;
  CoreBudget budget(kTotal, kMost);
  std::atomic<int> failures{0};
  std::vector<std::thread> threads;
  for (int thread = 0; thread < kThreads; ++thread) {
    threads.emplace_back([&, thread] {
      Random random(kSeed + static_cast<uint64_t>(thread));
      for (int round = 0; round < 2000; ++round) {
        const int busy = 1 + static_cast<int>(random.Next() % 8);
        const auto lease = budget.Take(busy);
        const int share = std::max(1, std::min(kMost, kTotal / busy));
        // Whoever came too late for a share runs on his own thread's core.
        const int lent = budget.lent();
        if (lease.cores() < 1 || lease.cores() > share || lent > kTotal + kThreads - 1) ++failures;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(failures, 0);
  EXPECT_EQ(budget.lent(), 0);
}

}  // namespace
}  // namespace talus
