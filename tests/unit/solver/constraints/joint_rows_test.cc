// Each kind of row against its formula.
#include <gtest/gtest.h>

#include <limits>

#include "solver/constraints/bilateral_row.h"
#include "solver/constraints/friction_row.h"
#include "solver/constraints/limit_row.h"
#include "solver/constraints/motor_row.h"

namespace talus {
namespace {

constexpr double kH = 0.01;
constexpr double kRecovery = 1.0;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

void ExpectRow(const JointRow& row, const JointRow& expected) {
  EXPECT_DOUBLE_EQ(row.bias, expected.bias);
  EXPECT_DOUBLE_EQ(row.lower, expected.lower);
  EXPECT_DOUBLE_EQ(row.upper, expected.upper);
  EXPECT_DOUBLE_EQ(row.compliance, expected.compliance);
}

TEST(BilateralRow, ClosesTheGapWithinTheStep) {
  ExpectRow(MakeBilateralRow(JointAxis::Locked(0.5), 0.502, kH, kRecovery),
            {(0.502 - 0.5) / kH, -kInfinity, kInfinity, 0.0});
}

TEST(BilateralRow, ClosesALargeGapNoFasterThanContactsDo) {
  ExpectRow(MakeBilateralRow(JointAxis::Locked(), 0.5, kH, kRecovery),
            {kRecovery, -kInfinity, kInfinity, 0.0});
  ExpectRow(MakeBilateralRow(JointAxis::Locked(), -0.5, kH, kRecovery),
            {-kRecovery, -kInfinity, kInfinity, 0.0});
}

TEST(BilateralRow, IsASpringWhereItHasACompliance) {
  // E = 1 / (k h²), and the whole deflection counts, however large.
  ExpectRow(MakeBilateralRow(JointAxis::Spring(0.0, 1000.0), 0.5, kH, kRecovery),
            {0.5 / kH, -kInfinity, kInfinity, 1.0 / (1000.0 * kH * kH)});
}

TEST(LimitRow, AsksForTheNearerLimit) {
  const JointAxis axis = JointAxis::Limited(-0.25, 0.75);
  ExpectRow(MakeLimitRow(axis, 0.0, kH, kRecovery), {0.25 / kH, 0.0, kInfinity, 0.0});
  ExpectRow(MakeLimitRow(axis, 0.5, kH, kRecovery), {-0.25 / kH, -kInfinity, 0.0, 0.0});
}

TEST(LimitRow, UndoesAnOvershootNoFasterThanContactsDo) {
  const JointAxis axis = JointAxis::Limited(-0.25, 0.75);
  ExpectRow(MakeLimitRow(axis, -0.5, kH, kRecovery), {-kRecovery, 0.0, kInfinity, 0.0});
  ExpectRow(MakeLimitRow(axis, 1.0, kH, kRecovery), {kRecovery, -kInfinity, 0.0, 0.0});
}

TEST(MotorRow, AsksForItsVelocityWithinItsForce) {
  ExpectRow(MakeMotorRow(JointAxis::Motor(3.0, 50.0), kH), {-3.0, -50.0 * kH, 50.0 * kH, 0.0});
  ExpectRow(MakeMotorRow(JointAxis::Motor(3.0), kH), {-3.0, -kInfinity, kInfinity, 0.0});
}

TEST(FrictionRow, AsksForRestWithinItsForce) {
  ExpectRow(MakeFrictionRow(JointAxis::Friction(5.3), kH), {0.0, -5.3 * kH, 5.3 * kH, 0.0});
}

}  // namespace
}  // namespace talus
