#include "solver/solvers/cold_start.h"

#include <gtest/gtest.h>

namespace talus {
namespace {

SolveLimits Limits(bool cold, double tolerance, int32_t max_sweeps) {
  return {ContactLaw::kNcp, tolerance, max_sweeps, false, cold};
}

SweepChange Change(double length) { return {length * length, 0.0}; }

TEST(WidenedGaps, NeverWithWarmImpulses) {
  const WidenedGaps gaps(Limits(false, 1e-4, 1000), 2.0);
  EXPECT_FALSE(gaps.active(1));
}

TEST(WidenedGaps, EndWithASmallChange) {
  WidenedGaps gaps(Limits(true, 1e-4, 1000), 2.0);
  EXPECT_TRUE(gaps.active(1));
  EXPECT_FALSE(gaps.EndWith(1, Change(0.021)));
  EXPECT_TRUE(gaps.active(2));
  EXPECT_TRUE(gaps.EndWith(2, Change(0.019)));
  EXPECT_FALSE(gaps.active(3));
}

TEST(WidenedGaps, DoNotOutstayALooseTolerance) {
  WidenedGaps gaps(Limits(true, 0.1, 1000), 2.0);
  EXPECT_TRUE(gaps.EndWith(1, Change(0.19)));
}

TEST(WidenedGaps, LeaveMostOfTheSweepsToTheTrueProblem) {
  WidenedGaps few(Limits(true, 1e-4, 40), 1.0);
  EXPECT_TRUE(few.active(10));
  EXPECT_FALSE(few.active(11));
  EXPECT_TRUE(few.EndWith(10, Change(1.0)));
  const WidenedGaps many(Limits(true, 1e-4, 1000000), 1.0);
  EXPECT_TRUE(many.active(200));
  EXPECT_FALSE(many.active(201));
  const WidenedGaps none(Limits(true, 1e-4, 3), 1.0);
  EXPECT_FALSE(none.active(1));
}

TEST(WidenedGaps, CountAHundredTimes) {
  const WidenedGaps gaps(Limits(true, 1e-4, 1000), 2.0);
  EXPECT_EQ(gaps.ExtraGap(1), 99.0);
  EXPECT_EQ(gaps.ExtraGap(201), 0.0);
}

}  // namespace
}  // namespace talus
