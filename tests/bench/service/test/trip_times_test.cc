#include "tests/bench/service/trip_times.h"

#include <gtest/gtest.h>

#include <string>

namespace talus::bench {
namespace {

// Writes its name down at every trip; fails from trip `last` on.
class Named final : public RoundTrip {
 public:
  Named(char name, std::string& log, int64_t last = -1) : name_(name), log_(log), last_(last) {}

  absl::Status Make() override {
    if (made_++ == last_) return absl::InternalError("broken");
    log_ += name_;
    return absl::OkStatus();
  }
  absl::Status Check() override {
    log_ += '!';
    return absl::OkStatus();
  }

 private:
  const char name_;
  std::string& log_;
  const int64_t last_;
  int64_t made_ = 0;
};

TEST(TripTimes, QuantilesAreOfThoseThatWereAdded) {
  TripTimes times;
  EXPECT_EQ(times.median_us(), 0.0);
  for (int us = 100; us >= 1; --us) times.Add(us);
  EXPECT_EQ(times.count(), 100);
  EXPECT_EQ(times.median_us(), 50.0);
  EXPECT_EQ(times.p99_us(), 99.0);
  EXPECT_EQ(times.FindQuantile(0.0), 1.0);
  EXPECT_EQ(times.FindQuantile(1.0), 100.0);
}

TEST(TripTimes, TheRateIsOverTheBusyTime) {
  TripTimes times;
  EXPECT_EQ(times.rate_per_s(), 0.0);
  for (int k = 0; k < 10; ++k) times.Add(1.0);
  times.AddBusy(0.5);
  EXPECT_DOUBLE_EQ(times.rate_per_s(), 20.0);
}

TEST(MeasureInTurn, CountsTripsAfterTheFirstOnesAndChecksBoth) {
  std::string log;
  Named floor('f', log);
  Named trip('t', log);
  TripTimes floor_times;
  TripTimes times;
  ASSERT_TRUE(MeasureInTurn(floor, trip, {1.0, 3}, floor_times, times).ok());
  EXPECT_EQ(log,
            "fffttt"
            "fffttt"
            "!!");
  EXPECT_EQ(floor_times.count(), 3);
  EXPECT_EQ(times.count(), 3);
}

TEST(MeasureInTurn, BlocksTakeTurns) {
  std::string log;
  Named floor('f', log);
  Named trip('t', log);
  TripTimes floor_times;
  TripTimes times;
  ASSERT_TRUE(MeasureInTurn(floor, trip, {1.0, 2500}, floor_times, times).ok());
  EXPECT_EQ(times.count(), 2500);
  int turns = 0;
  for (size_t k = 1; k < log.size(); ++k) turns += log[k] != log[k - 1] ? 1 : 0;
  EXPECT_GE(turns, 6);
}

TEST(MeasureInTurn, ATripThatFailsEndsIt) {
  std::string log;
  Named floor('f', log);
  Named trip('t', log, 4);
  TripTimes floor_times;
  TripTimes times;
  EXPECT_EQ(MeasureInTurn(floor, trip, {1.0, 10}, floor_times, times).message(), "broken");
  EXPECT_EQ(log.find('!'), std::string::npos);
}

}  // namespace
}  // namespace talus::bench
