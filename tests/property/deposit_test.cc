// What a Deposit lays down touches, never overlaps, and stays where the floor is.
#include "tests/scenes/deposit.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "solver/base/random.h"

namespace talus::scenes {
namespace {

constexpr double kReach = 0.2;

std::vector<Vec3> FillBox(double radius, int count, uint64_t seed) {
  const auto floor = [=](double x, double y) {
    const bool inside = std::abs(x) <= kReach && std::abs(y) <= kReach;
    return inside ? radius : std::numeric_limits<double>::infinity();
  };
  Deposit deposit(radius, kReach, floor, seed);
  Random places(seed);
  for (int k = 0; k < count; ++k) {
    const double x = places.Uniform(-kReach, kReach);
    deposit.Drop(x, places.Uniform(-kReach, kReach));
  }
  return deposit.centers();
}

TEST(DepositTest, SpheresTouchOneBelowOrTheFloorAndOverlapNone) {
  for (const uint64_t seed : {1, 2, 3}) {
    const double radius = 0.01 + 0.01 * static_cast<double>(seed);
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    const std::vector<Vec3> centers = FillBox(radius, 400, seed);
    ASSERT_EQ(centers.size(), 400u);
    for (size_t a = 0; a < centers.size(); ++a) {
      EXPECT_LE(std::max(std::abs(centers[a].x()), std::abs(centers[a].y())), kReach);
      double least_gap = centers[a].z() - radius;
      EXPECT_GE(least_gap, 0.0);
      for (size_t b = 0; b < a; ++b) {
        least_gap = std::min(least_gap, (centers[a] - centers[b]).norm() - 2.0 * radius);
      }
      EXPECT_NEAR(least_gap, 0.0, 1e-9);
    }
  }
}

// A random packing of equal spheres fills 0.55 to 0.64 of its space; loose chains or a lattice do
// not.
TEST(DepositTest, FillsSpaceAsPouredSpheresDo) {
  const double radius = 0.02;
  const std::vector<Vec3> centers = FillBox(radius, 3000, 1);
  // Away from the floor and the top: the filling of the slab between, by centres.
  const double low = 0.1;
  const double high = 0.3;
  int inside = 0;
  for (const Vec3& center : centers) {
    const bool middle =
        std::max(std::abs(center.x()), std::abs(center.y())) < kReach - 2.0 * radius;
    if (middle && center.z() > low && center.z() < high) ++inside;
  }
  const double side = 2.0 * (kReach - 2.0 * radius);
  const double sphere = 4.0 / 3.0 * 3.14159265358979 * radius * radius * radius;
  const double filling = inside * sphere / (side * side * (high - low));
  EXPECT_GT(filling, 0.5);
  EXPECT_LT(filling, 0.64);
}

}  // namespace
}  // namespace talus::scenes
