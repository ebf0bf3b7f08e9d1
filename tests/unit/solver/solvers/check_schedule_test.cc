#include "solver/solvers/check_schedule.h"

#include <gtest/gtest.h>

namespace talus {
namespace {

// The first sweep after `from` that is due.
int32_t NextDue(const CheckSchedule& schedule, int32_t from, bool promising) {
  int32_t sweep = from + 1;
  while (!schedule.IsDue(sweep, promising) && sweep < from + 100) ++sweep;
  return sweep;
}

TEST(CheckSchedule, FirstMeasuresWhatIsPromisingAndElseTheTenthSweep) {
  const CheckSchedule schedule(1e-3);
  EXPECT_EQ(NextDue(schedule, 0, true), 1);
  EXPECT_EQ(NextDue(schedule, 0, false), 10);
}

TEST(CheckSchedule, LooksAgainAfterTwoSweepsWhenTheRateIsUnknown) {
  CheckSchedule schedule(1e-3);
  schedule.Note(1, 2e-3);
  EXPECT_EQ(NextDue(schedule, 1, true), 3);
}

TEST(CheckSchedule, GoesHalfTheWayAtTheLastRate) {
  CheckSchedule schedule(1e-4);
  schedule.Note(10, 1e-2);
  schedule.Note(12, 1e-2 * std::exp(-1.0));  // by half an e a sweep, 3.6 e to go
  EXPECT_EQ(NextDue(schedule, 12, false), 12 + 3);
}

TEST(CheckSchedule, NeverSoonerThanTwoNorLaterThanTen) {
  CheckSchedule close(1e-3);
  close.Note(10, 2e-3);
  close.Note(12, 1.001e-3);
  EXPECT_EQ(NextDue(close, 12, true), 14);
  CheckSchedule slow(1e-6);
  slow.Note(10, 2e-3);
  slow.Note(12, 1.999e-3);
  EXPECT_EQ(NextDue(slow, 12, true), 22);
  CheckSchedule rising(1e-3);
  rising.Note(10, 2e-3);
  rising.Note(12, 3e-3);
  EXPECT_EQ(NextDue(rising, 12, true), 22);
}

}  // namespace
}  // namespace talus
