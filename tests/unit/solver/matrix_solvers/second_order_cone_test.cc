#include "solver/matrix_solvers/second_order_cone.h"

#include <gtest/gtest.h>

#include <cmath>

#include "solver/base/random.h"

namespace talus::matrix {
namespace {

constexpr uint64_t kSecondOrderConeSeed = 5;

// Inside, by `gap` beside its length; narrower cones have their last rows zero.
ConePoint Inside(Random& random, int size, double gap) {
  ConePoint point = ConePoint::Zero();
  for (int k = 0; k < size; ++k) point[1 + k] = random.Uniform(-1.0, 1.0);
  point[0] = point.tail<2>().norm() * (1.0 + gap) + (size == 0 ? random.Uniform(0.1, 1.0) : 0.0);
  return point;
}

TEST(SecondOrderCone, QuotientUndoesProduct) {
  Random random(kSecondOrderConeSeed);
  for (int repeat = 0; repeat < 200; ++repeat) {
    const ConePoint x = Inside(random, repeat % 3, 0.1);
    ConePoint y = Inside(random, repeat % 3, 0.1);
    y[0] -= 1.0;  // it need not be inside
    // The determinant of x, by which is divided, is some 0.1 of its square.
    EXPECT_LE((ConeQuotient(ConeProduct(x, y), x) - y).norm(), 1e-13 * (1.0 + y.norm()));
  }
}

TEST(SecondOrderCone, ReachEndsOnTheBoundary) {
  Random random(kSecondOrderConeSeed);
  int ended = 0;
  for (int repeat = 0; repeat < 300; ++repeat) {
    const ConePoint x = Inside(random, repeat % 3, 0.5);
    ConePoint step = ConePoint::Zero();
    for (int k = 0; k <= repeat % 3; ++k) step[k] = random.Uniform(-1.0, 1.0);
    const double reach = ConeReach(x, step);
    if (std::isinf(reach)) {
      EXPECT_GT(ConeDeterminant(x + 1e6 * step), 0.0);
      EXPECT_GT((x + 1e6 * step)[0], 0.0);
      continue;
    }
    ++ended;
    ASSERT_GT(reach, 0.0);
    const ConePoint end = x + reach * step;
    EXPECT_GE(end[0], -1e-12 * (1.0 + reach));
    EXPECT_NEAR(ConeDeterminant(end), 0.0, 1e-12 * (1.0 + end.squaredNorm() + reach * reach));
    EXPECT_GT(ConeDeterminant(x + 0.99 * reach * step), 0.0);
  }
  EXPECT_GT(ended, 100) << "seed " << kSecondOrderConeSeed;
}

TEST(SecondOrderCone, ScalingTakesBothToOnePoint) {
  Random random(kSecondOrderConeSeed);
  for (int repeat = 0; repeat < 300; ++repeat) {
    // At 1e-6 of the boundary the scaling has a condition of some 1e6.
    const double gap = repeat % 2 == 0 ? 0.5 : 1e-6;
    const ConePoint y = Inside(random, repeat % 3, gap);
    const ConePoint z = 1e-3 * Inside(random, repeat % 3, gap);
    const ConeScaling scaling = ScaleCone(y, z);
    const double size = scaling.point.norm();
    EXPECT_LE((scaling.root * z - scaling.point).norm(), 1e-12 * size);
    EXPECT_LE((scaling.inverse_root * y - scaling.point).norm(), 1e-7 * size);
    EXPECT_LE((scaling.root * scaling.inverse_root - Eigen::Matrix3d::Identity()).norm(), 1e-7);
    EXPECT_NEAR(scaling.point.squaredNorm(), y.dot(z), 1e-7 * y.dot(z));
  }
}

}  // namespace
}  // namespace talus::matrix
