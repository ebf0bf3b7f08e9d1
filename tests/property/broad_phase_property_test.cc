// The broad phase finds exactly the pairs that comparing all with all finds, for any set of bounds.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iostream>

#include "tests/support/proxy_sets.h"

namespace talus {
namespace {

using testing::ProxySet;
using testing::RandomVector;

constexpr uint64_t kBroadPhaseSeed = 20240117;

// A few hundred proxies whose sizes span `decades` powers of ten, some static, some on shared
// bodies, some long and thin, around `center`.
ProxySet RandomSet(Random& random, double decades, const Vec3& center) {
  ProxySet set;
  const size_t count = random.Next() % 400;
  const double side = random.Uniform(0.05, 2.0);
  for (size_t i = 0; i < count; ++i) {
    const double size = 0.1 * std::pow(10.0, -random.Uniform(0.0, decades));
    Vec3 half = Vec3::Constant(size);
    if (random.Uniform() < 0.3) half = size * Vec3(random.Uniform(), random.Uniform(), 1.0);
    const Vec3 position = center + RandomVector(random, side);
    set.Add(position, half, random.Uniform() < 0.7, static_cast<uint32_t>(random.Next() % 300));
    if (random.Uniform() < 0.02) {
      const Vec3 normal = testing::RandomDirection(random);
      set.AddPlane({normal, normal.dot(center) + random.Uniform(-side, side)});
    }
  }
  return set;
}

void ExpectAllPairs(const ProxySet& set, BroadPhase& broad_phase, WorkerArena& workers) {
  const std::span<const ProxyPair> pairs = broad_phase.FindPairs(workers, set.input());
  const std::vector<ProxyPair> expected = set.AllPairs();
  ASSERT_TRUE(std::ranges::equal(pairs, expected))
      << pairs.size() << " pairs instead of " << expected.size();
}

TEST(BroadPhaseProperty, FindsExactlyThePairsThatOverlap) {
  std::cout << "seed " << kBroadPhaseSeed << '\n';
  Random random(kBroadPhaseSeed);
  WorkerArena workers(2);
  BroadPhase broad_phase;
  for (int trial = 0; trial < 300; ++trial) {
    SCOPED_TRACE(trial);
    const double decades = random.Uniform(0.0, 4.0);
    const double distance = trial % 3 == 0 ? 0.0 : std::pow(10.0, random.Uniform(0.0, 12.0));
    const Vec3 center = RandomVector(random, distance);
    ExpectAllPairs(RandomSet(random, decades, center), broad_phase, workers);
    if (HasFatalFailure()) return;
  }
}

// Corners on the borders of cells, where rounding decides the cell.
TEST(BroadPhaseProperty, FindsPairsOnALattice) {
  std::cout << "seed " << kBroadPhaseSeed + 1 << '\n';
  Random random(kBroadPhaseSeed + 1);
  WorkerArena workers(1);
  BroadPhase broad_phase;
  for (int trial = 0; trial < 200; ++trial) {
    SCOPED_TRACE(trial);
    const double step = std::pow(10.0, random.Uniform(-3.0, 3.0));
    const double shift = random.Uniform() < 0.5 ? 0.0 : 1e6 * step;
    ProxySet set;
    for (int i = 0; i < 300; ++i) {
      const auto at = [&] { return step * static_cast<double>(random.Next() % 12) - shift; };
      const double x = at();
      const double y = at();
      const double size = 0.5 * step * static_cast<double>(uint64_t{1} << random.Next() % 4);
      set.Add(Vec3(x, y, at()), size);
    }
    ExpectAllPairs(set, broad_phase, workers);
    if (HasFatalFailure()) return;
  }
}

// A floor, walls and a pile of small and large bodies on them.
TEST(BroadPhaseProperty, FindsPairsOfLargeStaticBoxesAndSmallSpheres) {
  std::cout << "seed " << kBroadPhaseSeed + 2 << '\n';
  Random random(kBroadPhaseSeed + 2);
  WorkerArena workers(1);
  BroadPhase broad_phase;
  for (int trial = 0; trial < 20; ++trial) {
    SCOPED_TRACE(trial);
    ProxySet set;
    set.Add(Vec3(0, 0, -0.1), Vec3(2, 2, 0.1), false, 0);
    set.Add(Vec3(1.1, 0, 0.5), Vec3(0.1, 2, 0.5), false, 0);
    for (int i = 0; i < 600; ++i) {
      const double radius = random.Uniform() < 0.02 ? 0.5 : 0.005 * (1.0 + random.Uniform());
      const Vec3 position = RandomVector(random, 1.2);
      set.Add(Vec3(position.x(), position.y(), 0.05 * std::abs(position.z())), radius);
    }
    ExpectAllPairs(set, broad_phase, workers);
    if (HasFatalFailure()) return;
  }
}

}  // namespace
}  // namespace talus
