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

TEST(WidenedGaps, OnlyOpenGapsWiden) {
  ContactRow c;
  Wrench u;
  u << 1.0, 2.0, 3.0, 4.0, 5.0, 6.0;
  for (const double closed : {0.0, -0.25}) {
    c.bias = closed;
    EXPECT_EQ(WidenedGaps::Widen(c, u), u);
  }
  c.bias = 0.25;
  const Wrench widened = WidenedGaps::Widen(c, u);
  EXPECT_EQ(widened[0], 1.0 + 99.0 * 0.25);
  EXPECT_EQ(widened.tail(5), u.tail(5));
}

}  // namespace
}  // namespace talus
