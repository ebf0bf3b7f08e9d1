#include "solver/solvers/check_schedule.h"

#include <gtest/gtest.h>

#include <limits>

namespace talus {
namespace {

// The first sweep after `from` that is due when every sweep changes `change`.
int32_t NextDue(const CheckSchedule& schedule, int32_t from, double change) {
  int32_t sweep = from + 1;
  while (!schedule.IsDue(sweep, change) && sweep < from + 100) ++sweep;
  return sweep;
}

TEST(CheckSchedule, FirstMeasuresWhatIsPromisingAndElseTheTwentiethSweep) {
  const CheckSchedule schedule(1e-3);
  EXPECT_EQ(NextDue(schedule, 0, 1.9e-3), 1);
  EXPECT_EQ(NextDue(schedule, 0, 2.1e-3), 20);
}

TEST(CheckSchedule, MeasuresWhenTheLastRatioSaysThatTheToleranceIsReached) {
  CheckSchedule schedule(1e-3);
  schedule.Note(20, 1e-2, 5e-3);  // half of the change
  EXPECT_FALSE(schedule.IsDue(25, 2.2e-3));
  EXPECT_TRUE(schedule.IsDue(25, 2.0e-3));
  schedule.Note(25, 2e-3, 2e-3);
  EXPECT_FALSE(schedule.IsDue(30, 2.0e-3));
  EXPECT_TRUE(schedule.IsDue(30, 1.0e-3));
}

TEST(CheckSchedule, NeverSoonerThanTwoNorLaterThanTwenty) {
  CheckSchedule schedule(1e-3);
  schedule.Note(10, 1.01e-3, 1.01e-3);
  EXPECT_EQ(NextDue(schedule, 10, 0.9e-3), 12);
  EXPECT_EQ(NextDue(schedule, 10, 9e-3), 30);
}

TEST(CheckSchedule, MeasuresRarelyOnlyWhatPromisesToBeTheLast) {
  CheckSchedule schedule(1e-3);
  EXPECT_FALSE(schedule.IsDueRarely(30, 1.1e-3));
  EXPECT_TRUE(schedule.IsDueRarely(30, 1.0e-3));
  schedule.Note(30, 1e-3, 1.1e-3);
  EXPECT_FALSE(schedule.IsDueRarely(31, 0.8e-3)) << "too soon";
  EXPECT_FALSE(schedule.IsDueRarely(40, 0.95e-3));
  EXPECT_TRUE(schedule.IsDueRarely(40, 0.85e-3));
  EXPECT_FALSE(schedule.IsDueRarely(229, 1e-2));
  EXPECT_TRUE(schedule.IsDueRarely(230, 1e-2));
}

// Nothing is known of the residual then; it is measured in time all the same.
TEST(CheckSchedule, WaitsNoLongerWhenTheChangeIsNoNumber) {
  CheckSchedule schedule(1e-3);
  EXPECT_EQ(NextDue(schedule, 0, std::numeric_limits<double>::quiet_NaN()), 20);
  schedule.Note(20, 0.0, 1e-2);
  EXPECT_EQ(NextDue(schedule, 20, 0.0), 40);
}

}  // namespace
}  // namespace talus
