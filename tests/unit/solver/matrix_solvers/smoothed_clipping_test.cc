#include "solver/matrix_solvers/smoothed_clipping.h"

#include <gtest/gtest.h>

#include <limits>

#include "solver/base/random.h"
#include "tests/support/matrix_problems.h"

namespace talus::matrix {
namespace {

using testing::RandomWrench;

constexpr uint64_t kSmoothedClippingSeed = 7;

BlockLaw RandomLaw(Random& random, int repeat) {
  BlockLaw law;
  // Without spinning friction now and then.
  law.cone = {.sliding = random.Uniform(0.1, 1.0),
              .spinning = repeat % 3 == 0 ? 0.0 : random.Uniform(0.1, 1.0),
              .rolling = random.Uniform(0.1, 10.0)};
  return law;
}

BlockLaw Between(double lower, double upper) {
  BlockLaw law;
  law.kind = BlockLawKind::kBounds;
  law.lower.setConstant(lower);
  law.upper.setConstant(upper);
  return law;
}

TEST(SmoothedClipping, BecomesClipping) {
  Random random(kSmoothedClippingSeed);
  for (int repeat = 0; repeat < 200; ++repeat) {
    const BlockLaw law = RandomLaw(random, repeat);
    const Wrench x = RandomWrench(random);
    for (const double rounding : {1e-2, 1e-5, 1e-9}) {
      // Each positive part is off by at most ν, friction's by m ν of its own and m ν of the normal.
      EXPECT_LE((MapSmoothly(law, x, rounding).value - ClipToCone(law.cone, x)).norm(),
                rounding * (1.0 + 4.0 * (law.cone.sliding + law.cone.spinning + law.cone.rolling)));
    }
  }
}

// A torque far within a bound of a hundred times the normal impulse is hardly touched: it loses
// 2 (5 ν)² / 100², where m ν would take 0.02.
TEST(SmoothedClipping, SteepPartsAreNotRoundedMore) {
  BlockLaw law;
  law.cone.rolling = 100.0;
  Wrench x = Wrench::Zero();
  x[0] = 1.0;
  x[4] = 2.0;
  EXPECT_NEAR(MapSmoothly(law, x, 0.1).value[4], 2.0, 1e-3);
}

TEST(SmoothedClipping, StaysWithinItsCone) {
  Random random(kSmoothedClippingSeed);
  for (int repeat = 0; repeat < 200; ++repeat) {
    const BlockLaw law = RandomLaw(random, repeat);
    const Wrench value = MapSmoothly(law, RandomWrench(random), 0.1).value;
    EXPECT_GT(value[0], 0.0);
    EXPECT_LT((value.segment<2>(1).norm()), law.cone.sliding * value[0]);
    EXPECT_LE(std::abs(value[3]), law.cone.spinning * value[0]);
    EXPECT_LT((value.segment<2>(4).norm()), law.cone.rolling * value[0]);
  }
}

TEST(SmoothedClipping, DerivativeIsThatOfTheValue) {
  constexpr double kStep = 1e-6;
  Random random(kSmoothedClippingSeed);
  for (int repeat = 0; repeat < 200; ++repeat) {
    const BlockLaw law = repeat % 5 == 0 ? Between(-0.3, 0.5) : RandomLaw(random, repeat);
    const Wrench x = RandomWrench(random);
    const SmoothedMap map = MapSmoothly(law, x, 0.1);
    for (int column = 0; column < 6; ++column) {
      const Wrench ahead = MapSmoothly(law, x + kStep * Wrench::Unit(column), 0.1).value;
      const Wrench behind = MapSmoothly(law, x - kStep * Wrench::Unit(column), 0.1).value;
      const Wrench difference = (ahead - behind) / (2.0 * kStep);
      // Differences of second order, third derivatives of some m / ν², and round-off.
      EXPECT_LE((difference - map.derivative.col(column)).norm(), 1e-8);
    }
    EXPECT_LE((map.derivative + map.complement - Matrix6::Identity()).norm(), 1e-14);
  }
}

TEST(SmoothedClipping, ComplementKeepsItsDigits) {
  BlockLaw law;
  law.cone = {.sliding = 0.5, .spinning = 0.0, .rolling = 0.0};
  Wrench x = Wrench::Zero();
  x[0] = 2.0;
  const SmoothedMap map = MapSmoothly(law, x, 1e-10);
  // ν²/x², which 1 − J would round to zero.
  EXPECT_NEAR(map.complement(0, 0), 0.25e-20, 1e-30);
  EXPECT_GT(map.complement(1, 1), 0.0);
  EXPECT_LT(map.complement(1, 1), 1e-19);
}

TEST(SmoothedClipping, LeavesRowsWithoutBoundsAsTheyAre) {
  const double infinite = std::numeric_limits<double>::infinity();
  const Wrench x = Wrench::LinSpaced(6, -3.0, 3.0);
  const SmoothedMap free = MapSmoothly(Between(-infinite, infinite), x, 0.1);
  EXPECT_EQ(free.value, x);
  EXPECT_EQ(free.derivative, Matrix6(Matrix6::Identity()));
  EXPECT_TRUE(free.complement.isZero(0.0));
  // One bound alone, and both: at most ν beyond the nearest point within them.
  EXPECT_LE((MapSmoothly(Between(0.0, infinite), x, 1e-3).value - x.cwiseMax(0.0)).maxCoeff(),
            1e-3);
  const Wrench held = MapSmoothly(Between(-1.0, 2.0), x, 1e-3).value;
  EXPECT_LE((held - x.cwiseMax(-1.0).cwiseMin(2.0)).lpNorm<Eigen::Infinity>(), 1e-3);
}

TEST(SmoothedClipping, InvertsItsComplement) {
  Random random(kSmoothedClippingSeed);
  for (int repeat = 0; repeat < 200; ++repeat) {
    const BlockLaw law = repeat % 4 == 0 ? Between(-0.5, 0.25) : RandomLaw(random, repeat);
    const SmoothedMap map = MapSmoothly(law, RandomWrench(random), 0.1);
    for (const double compliance : {0.0, 0.3}) {
      const Matrix6 given = map.complement + compliance * map.derivative;
      const Matrix6 inverse = InvertComplement(map, compliance);
      EXPECT_LE((given * inverse - Matrix6::Identity()).norm(),
                1e-14 * given.norm() * inverse.norm());
    }
  }
  SmoothedMap free;
  free.complement(4, 4) = 0.0;
  EXPECT_FALSE(InvertComplement(free, 0.0).allFinite());
}

}  // namespace
}  // namespace talus::matrix
