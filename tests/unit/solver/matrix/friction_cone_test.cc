#include "solver/matrix/friction_cone.h"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <cmath>

#include "solver/base/random.h"
#include "tests/support/scalar_contact.h"

namespace talus {
namespace {

constexpr uint64_t kFrictionConeSeed = 4;
constexpr int kSamples = 20000;

FrictionCone RandomCone(Random& random) {
  const auto coefficient = [&] {
    return random.Next() % 5 == 0 ? 0.0 : std::pow(10.0, random.Uniform(-4.0, 2.0));
  };
  return {.sliding = coefficient(), .spinning = coefficient(), .rolling = coefficient()};
}

Wrench RandomWrench(Random& random) {
  Wrench x;
  for (int k = 0; k < 6; ++k) x[k] = random.Uniform(-1.0, 1.0);
  return x;
}

class FrictionConeTest : public ::testing::Test {
 protected:
  FrictionConeTest() : random_(kFrictionConeSeed) {
    RecordProperty("seed", static_cast<int>(kFrictionConeSeed));
  }
  Random random_;
};

TEST_F(FrictionConeTest, ProjectionIsTheBestOfAllSetsOfBoundParts) {
  for (int i = 0; i < kSamples; ++i) {
    const FrictionCone cone = RandomCone(random_);
    const Wrench x = RandomWrench(random_);
    const Wrench best = testing::ProjectToCone(
        {.sliding = cone.sliding, .rolling = cone.rolling, .spinning = cone.spinning}, x);
    const double error = (ProjectToCone(cone, x) - best).norm();
    EXPECT_LE(error, 1e-14 * x.norm()) << "sample " << i << " of seed " << kFrictionConeSeed;
  }
}

TEST_F(FrictionConeTest, MapsAreTheIdentityInTheConeAndLeadThere) {
  for (int i = 0; i < kSamples; ++i) {
    const FrictionCone cone = RandomCone(random_);
    const Wrench x = RandomWrench(random_);
    for (const Wrench& y : {ProjectToCone(cone, x), ClipToCone(cone, x)}) {
      const double slack = 1e-15 * (1.0 + x.norm());
      EXPECT_GE(y[0], 0.0);
      EXPECT_LE(y.segment<2>(1).norm(), cone.sliding * y[0] + slack);
      EXPECT_LE(std::abs(y[3]), cone.spinning * y[0] + slack);
      EXPECT_LE(y.segment<2>(4).norm(), cone.rolling * y[0] + slack);
      EXPECT_LE((ProjectToCone(cone, y) - y).norm(), 2.0 * slack);
      EXPECT_LE((ClipToCone(cone, y) - y).norm(), 2.0 * slack);
    }
  }
}

// Where the map is smooth; samples beside a kink, where both sides differ, are left out by their
// one-sided differences.
template <typename Map, typename Derivative>
void ExpectDerivative(Random& random, const Map& map, const Derivative& derivative) {
  constexpr double kStep = 1e-6;
  int smooth = 0;
  for (int i = 0; i < kSamples; ++i) {
    const FrictionCone cone = RandomCone(random);
    const Wrench x = RandomWrench(random);
    const Wrench d = RandomWrench(random);
    const Wrench forward = (map(cone, Wrench(x + kStep * d)) - map(cone, x)) / kStep;
    const Wrench backward = (map(cone, x) - map(cone, Wrench(x - kStep * d))) / kStep;
    if ((forward - backward).norm() > 1e-3) continue;
    ++smooth;
    // Curvature is at most 1 / ‖part‖; parts that short are rare.
    EXPECT_LE((derivative(cone, x) * d - 0.5 * (forward + backward)).norm(), 1e-3)
        << "sample " << i << " of seed " << kFrictionConeSeed;
  }
  EXPECT_GT(smooth, kSamples * 9 / 10);
}

TEST_F(FrictionConeTest, ProjectionHasItsDerivative) {
  ExpectDerivative(random_, ProjectToCone, ProjectionDerivative);
}

TEST_F(FrictionConeTest, ClippingHasItsDerivative) {
  ExpectDerivative(random_, ClipToCone, ClippingDerivative);
}

TEST_F(FrictionConeTest, ProjectionDerivativeIsSymmetricBetweenZeroAndOne) {
  for (int i = 0; i < 1000; ++i) {
    const Matrix6 j = ProjectionDerivative(RandomCone(random_), RandomWrench(random_));
    EXPECT_LE((j - j.transpose()).norm(), 1e-15);
    const auto values = j.selfadjointView<Eigen::Lower>().eigenvalues();
    EXPECT_GE(values.minCoeff(), -1e-14);
    EXPECT_LE(values.maxCoeff(), 1.0 + 1e-14);
  }
}

TEST_F(FrictionConeTest, ShiftIsThatOfTheScalarOracle) {
  const FrictionCone cone{.sliding = 0.5, .spinning = 0.25, .rolling = 2.0};
  Wrench u;
  u << 7.0, 3.0, 4.0, -8.0, 0.6, 0.8;
  EXPECT_DOUBLE_EQ(DeSaxceShift(cone, u), 0.5 * 5.0 + 0.25 * 8.0 + 2.0 * 1.0);
  EXPECT_EQ(LawVelocity(ContactLaw::kCcp, cone, u), u);
  EXPECT_DOUBLE_EQ(LawVelocity(ContactLaw::kNcp, cone, u)[0], 7.0 + 6.5);
}

// A number whose square is zero is no length: no part is turned or clipped for it, σ = 0 or not.
// The bits of long runs depend on it, where what spins without friction fades away.
TEST_F(FrictionConeTest, NumbersWithoutASquareHaveNoLength) {
  const FrictionCone cone{.sliding = 0.5, .spinning = 0.0, .rolling = 0.0};
  for (int row = 1; row < 6; ++row) {
    Wrench x = Wrench::Unit(0);
    x[row] = 1e-170;
    EXPECT_EQ(ClipToCone(cone, x), x) << row;
    EXPECT_EQ(ProjectToCone(cone, x), x) << row;
    EXPECT_EQ(ClippingDerivative(cone, x), Matrix6::Identity()) << row;
    EXPECT_EQ(ProjectionDerivative(cone, x), Matrix6::Identity()) << row;
  }
}

}  // namespace
}  // namespace talus
