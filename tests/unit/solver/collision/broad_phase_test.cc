#include "solver/collision/broad_phase.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "tests/support/allocation_counter.h"
#include "tests/support/proxy_sets.h"

namespace talus {
namespace {

using testing::FindPairsOnce;
using testing::ProxySet;

uint64_t CountCandidates(const ProxySet& set) {
  WorkerArena workers(1);
  BroadPhase broad_phase;
  broad_phase.FindPairs(workers, set.input());
  return broad_phase.candidate_count();
}

TEST(BroadPhase, FindsNothingInAnEmptyOrLonelyScene) {
  ProxySet set;
  EXPECT_TRUE(FindPairsOnce(set).empty());
  set.Add(Vec3(1, 2, 3), 0.5);
  EXPECT_TRUE(FindPairsOnce(set).empty());
}

TEST(BroadPhase, BoundsThatTouchMakeAPair) {
  ProxySet set;
  set.Add(Vec3::Zero(), 0.5);
  set.Add(Vec3(1.0, 0, 0), 0.5);
  set.Add(Vec3(0, 0, 1.0 + 1e-12), 0.5);
  EXPECT_EQ(FindPairsOnce(set), (std::vector<ProxyPair>{{0, 1}}));
}

TEST(BroadPhase, DropsPairsOfOneBodyAndPairsThatCannotMove) {
  ProxySet set;
  set.Add(Vec3::Zero(), Vec3::Ones(), true, 7);
  set.Add(Vec3::Zero(), Vec3::Ones(), true, 7);
  set.Add(Vec3::Zero(), Vec3::Ones(), false, 8);
  set.Add(Vec3::Zero(), Vec3::Ones(), false, 9);
  EXPECT_EQ(FindPairsOnce(set), (std::vector<ProxyPair>{{0, 2}, {0, 3}, {1, 2}, {1, 3}}));
}

TEST(BroadPhase, AllAtOnePlaceMakeEveryPair) {
  ProxySet set;
  for (int i = 0; i < 300; ++i) set.Add(Vec3(0.1, 0.2, 0.3), 0.5);
  EXPECT_EQ(FindPairsOnce(set).size(), 300u * 299u / 2u);
  EXPECT_EQ(FindPairsOnce(set), set.AllPairs());
}

TEST(BroadPhase, BoundsWithoutExtentAreFound) {
  ProxySet set;
  for (int i = 0; i < 20; ++i) set.Add(Vec3(0.5 * (i % 4), 0, 0), 0.0);
  set.Add(Vec3::Zero(), 0.6);
  EXPECT_EQ(FindPairsOnce(set), set.AllPairs());
}

TEST(BroadPhase, APlaneMeetsWhatReachesItsSolidSide) {
  ProxySet set;
  const uint32_t low = set.Add(Vec3(0, 0, 0.4), 0.5);
  const uint32_t plane = set.AddPlane({Vec3::UnitZ(), 0.0});
  set.Add(Vec3(5, 0, 0.6), 0.5);                              // above
  const uint32_t sunk = set.Add(Vec3(1e9, -1e9, -3e9), 0.5);  // far below
  set.Add(Vec3(5, 0, -1), 0.5, /*is_movable=*/false);         // static
  set.AddPlane({Vec3::UnitZ(), -1e10});                       // deeper than all, planes do not meet
  EXPECT_EQ(FindPairsOnce(set), (std::vector<ProxyPair>{{low, plane}, {plane, sunk}}));
}

TEST(BroadPhase, BodiesMayFallForEver) {
  for (const double far : {1e3, 1e6, 1e9, 1e12, 1e15, 1e18, 1e100, 1e300}) {
    ProxySet set;
    for (int i = 0; i < 40; ++i) {
      set.Add(Vec3(0.9 * i, 0, 0), 0.5);
      set.Add(Vec3(0.9 * i, 0, -far), 0.5);
      set.Add(Vec3(far, 0.9 * i, -far * i), 0.5);
    }
    EXPECT_EQ(FindPairsOnce(set), set.AllPairs()) << far;
  }
}

TEST(BroadPhase, InfiniteAndUndefinedBoundsDoNoHarm) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  ProxySet set;
  for (int i = 0; i < 10; ++i) set.Add(Vec3(0.9 * i, 0, 0), 0.5);
  set.bounds[3] = {Vec3::Constant(-kInfinity), Vec3::Constant(kInfinity)};
  set.bounds[4] = {Vec3::Constant(-1e308), Vec3::Constant(1e308)};
  EXPECT_EQ(FindPairsOnce(set), set.AllPairs());
  set.bounds[5] = {Vec3::Constant(std::nan("")), Vec3::Constant(std::nan(""))};
  EXPECT_EQ(FindPairsOnce(set), set.AllPairs());
}

// A grid of one cell size would compare all the small ones that share a large one's cell with each
// other.
TEST(BroadPhase, WorkFollowsTheNeighboursWhateverTheRatioOfSizes) {
  constexpr uint64_t kSeed = 11;
  Random random(kSeed);
  ProxySet set;
  set.AddSpheres(random, 20000, 0.01, 0.6);
  const uint64_t alone = CountCandidates(set);
  for (int i = 0; i < 8; ++i) {
    set.Add(Vec3(i & 1 ? 1.0 : -1.0, i & 2 ? 1.0 : -1.0, i & 4 ? 1.0 : -1.0), 1.0);
  }
  const uint64_t mixed = CountCandidates(set);
  EXPECT_LT(alone, 20u * 20000u);
  // Each small one meets each large one at most once on top.
  EXPECT_LE(mixed, alone + 8u * 20000u + 28u);
}

TEST(BroadPhase, WorkIsProportionalToTheNumberOfProxies) {
  constexpr uint64_t kSeed = 12;
  Random random(kSeed);
  std::vector<double> per_proxy;
  for (const size_t count : {2000u, 16000u}) {
    ProxySet set;
    // The same density: half the volume is filled.
    set.AddSpheres(random, count, 0.5, std::cbrt(static_cast<double>(count)));
    per_proxy.push_back(static_cast<double>(CountCandidates(set)) / static_cast<double>(count));
  }
  EXPECT_LT(per_proxy[1], 1.3 * per_proxy[0]);
  EXPECT_LT(per_proxy[1], 20.0);
}

TEST(BroadPhase, WorkStaysSmallFarFromTheOrigin) {
  constexpr uint64_t kSeed = 13;
  Random random(kSeed);
  ProxySet set;
  for (int i = 0; i < 10000; ++i) set.Add(testing::RandomVector(random, 1e9), 0.05);
  EXPECT_LT(CountCandidates(set), 10000u);
}

TEST(BroadPhase, EqualShapesAtDifferentPlacesShareALevel) {
  constexpr uint64_t kSeed = 14;
  Random random(kSeed);
  ProxySet set;
  set.AddSpheres(random, 1000, 0.0225, 100.0);
  WorkerArena workers(2);
  ProxyGrid grid;
  grid.Assemble(workers, {set.bounds, 0.0}, set.movable, set.body_rows,
                std::vector<uint8_t>(1000, 0));
  ASSERT_EQ(grid.levels().size(), 1u);
  EXPECT_EQ(grid.levels()[0].span, 1);
  EXPECT_NEAR(1.0 / grid.levels()[0].inverse_cell, 0.045, 0.045 * 0.01);
}

TEST(BroadPhase, SameBitsForAnyWorkerCount) {
  constexpr uint64_t kSeed = 15;
  Random random(kSeed);
  ProxySet set;
  for (int i = 0; i < 5000; ++i) {
    set.Add(testing::RandomVector(random, 1.0), std::pow(10.0, random.Uniform(-2.5, -1.0)),
            random.Uniform() < 0.8);
  }
  set.AddPlane({Vec3::UnitX(), 0.0});
  const std::vector<ProxyPair> expected = FindPairsOnce(set);
  const uint64_t candidates = CountCandidates(set);
  for (const int worker_count : {2, 3, 7}) {
    WorkerArena workers(worker_count);
    BroadPhase broad_phase;
    const std::span<const ProxyPair> pairs = broad_phase.FindPairs(workers, set.input());
    EXPECT_TRUE(std::ranges::equal(pairs, expected)) << worker_count;
    EXPECT_EQ(broad_phase.candidate_count(), candidates);
  }
}

TEST(BroadPhase, ASteadyStepAllocatesNothing) {
  constexpr uint64_t kSeed = 16;
  Random random(kSeed);
  ProxySet set;
  set.AddSpheres(random, 2000, 0.5, 12.0);
  set.AddPlane({Vec3::UnitZ(), 0.0});
  WorkerArena workers(1);
  BroadPhase broad_phase;
  const auto step = [&] { return broad_phase.FindPairs(workers, set.input()).size(); };
  const size_t expected = step();
  step();  // two buffers change places from call to call
  const size_t before = testing::AllocationCount();
  EXPECT_EQ(step(), expected);
  EXPECT_EQ(step(), expected);
  EXPECT_EQ(testing::AllocationCount(), before);
}

// Slow drift, a few that dash, a plane that rises, bodies that stop being movable: whatever was
// searched before, the pairs are those of the bounds.
TEST(BroadPhase, PairsAreThoseOfTheBoundsWhateverWasSearchedBefore) {
  constexpr uint64_t kSeed = 18;
  Random random(kSeed);
  ProxySet set;
  set.AddSpheres(random, 400, 0.3, 4.0);
  set.AddPlane({Vec3::UnitZ(), -1.5});
  for (int i = 0; i < 20; ++i) set.Add(testing::RandomVector(random, 2.0), 1.0, false);
  WorkerArena workers(2);
  BroadPhase broad_phase;
  for (int call = 0; call < 120; ++call) {
    const double reach = call % 40 < 25 ? 0.002 : 0.05;
    for (size_t i = 0; i < set.bounds.size(); ++i) {
      const Vec3 way = testing::RandomVector(random, call % 7 == 0 && i % 50 == 0 ? 1.0 : reach);
      set.bounds[i].min += way;
      set.bounds[i].max += way;
    }
    if (call % 10 == 0) set.planes[0].half_space.offset_m += 0.01;
    if (call == 60) set.movable[3] = 0;
    if (call == 90) set.body_rows[4] = set.body_rows[5];
    const std::span<const ProxyPair> pairs = broad_phase.FindPairs(workers, set.input());
    ASSERT_TRUE(std::ranges::equal(pairs, set.AllPairs())) << call;
  }
  EXPECT_GT(broad_phase.search_count(), 5u);
  EXPECT_LT(broad_phase.search_count(), 110u);
}

TEST(BroadPhase, WhatRestsIsSearchedOnceAndWhatRunsOnceACall) {
  constexpr uint64_t kSeed = 19;
  Random random(kSeed);
  ProxySet set;
  set.AddSpheres(random, 300, 0.3, 4.0);
  WorkerArena workers(1);
  BroadPhase broad_phase;
  for (int call = 0; call < 50; ++call) broad_phase.FindPairs(workers, set.input());
  EXPECT_EQ(broad_phase.search_count(), 1u);
  for (int call = 0; call < 50; ++call) {
    for (Aabb& bounds : set.bounds) bounds = {bounds.min + Vec3::Ones(), bounds.max + Vec3::Ones()};
    broad_phase.FindPairs(workers, set.input());
  }
  EXPECT_EQ(broad_phase.search_count(), 51u);
}

// A heap at rest, stones of other sizes that fly through it, more of them in every call, walls; one
// is nowhere, one everywhere.
TEST(BroadPhase, StraysAreSearchedAloneWhileTheHeapRests) {
  constexpr uint64_t kSeed = 20;
  Random random(kSeed);
  ProxySet set;
  set.AddPlane({Vec3::UnitZ(), -1.5});
  set.AddSpheres(random, 800, 0.2, 5.0);
  for (int i = 0; i < 10; ++i) set.Add(testing::RandomVector(random, 2.5), 1.0, false);
  const size_t resting = set.bounds.size();
  const auto shift = [&](size_t proxy, const Vec3& way) {
    set.bounds[proxy].min += way;
    set.bounds[proxy].max += way;
  };
  set.Add(Vec3::Constant(std::nan("")), 1.0);
  set.Add(Vec3::Zero(), 1e300);
  for (const int workers_count : {1, 3}) {
    SCOPED_TRACE(workers_count);
    WorkerArena workers(workers_count);
    BroadPhase broad_phase;
    for (int call = 0; call < 60; ++call) {
      for (size_t i = 0; i < resting; ++i) {
        if (i != 0) shift(i, testing::RandomVector(random, 1e-4));
      }
      for (size_t i = resting; i < set.bounds.size(); ++i) {
        shift(i, testing::RandomVector(random, 0.3));
      }
      const double size = call % 6 == 0 ? 0.9 : 0.05 + 0.03 * (call % 5);
      set.Add(testing::RandomVector(random, 2.5), size, call % 8 != 0);
      const std::span<const ProxyPair> pairs = broad_phase.FindPairs(workers, set.input());
      ASSERT_TRUE(std::ranges::equal(pairs, set.AllPairs())) << call;
    }
    EXPECT_LT(broad_phase.search_count(), 15u);
  }
}

TEST(BroadPhase, ManyStraysAreSearchedWithAllOthers) {
  constexpr uint64_t kSeed = 21;
  Random random(kSeed);
  for (const size_t running : {100u, 140u}) {  // of 500; more than a quarter or not
    ProxySet set;
    set.AddSpheres(random, 500, 0.3, 5.0);
    WorkerArena workers(1);
    BroadPhase broad_phase;
    for (int call = 0; call < 5; ++call) {
      for (size_t i = 0; i < running; ++i) {
        set.bounds[i] = {set.bounds[i].min + Vec3::Ones(), set.bounds[i].max + Vec3::Ones()};
      }
      const std::span<const ProxyPair> pairs = broad_phase.FindPairs(workers, set.input());
      ASSERT_TRUE(std::ranges::equal(pairs, set.AllPairs())) << call;
    }
    EXPECT_EQ(broad_phase.search_count(), running == 100 ? 1u : 5u);
  }
}

TEST(BroadPhase, IsFreshAfterTheSceneChanged) {
  constexpr uint64_t kSeed = 17;
  Random random(kSeed);
  WorkerArena workers(1);
  BroadPhase broad_phase;
  for (const size_t count : {500u, 20u, 0u, 1000u, 1u}) {
    ProxySet set;
    set.AddSpheres(random, count, 0.5, 5.0);
    EXPECT_TRUE(std::ranges::equal(broad_phase.FindPairs(workers, set.input()), set.AllPairs()));
  }
}

}  // namespace
}  // namespace talus
