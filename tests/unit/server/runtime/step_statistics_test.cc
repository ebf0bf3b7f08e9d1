#include "server/runtime/step_statistics.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <thread>
#include <vector>

namespace talus {
namespace {

TEST(BucketLadder, ABoundLiesInTheBucketItEnds) {
  constexpr BucketLadder ladder{-2, 0, 4};  // 1/4, 1/2, 1, more
  EXPECT_EQ(ladder.Find(0.1), 0);
  EXPECT_EQ(ladder.Find(0.25), 0);
  EXPECT_EQ(ladder.Find(std::nextafter(0.25, 1.0)), 1);
  EXPECT_EQ(ladder.Find(0.5), 1);
  EXPECT_EQ(ladder.Find(0.75), 2);
  EXPECT_EQ(ladder.Find(1.0), 2);
  EXPECT_EQ(ladder.Find(1.5), 3);
  EXPECT_EQ(ladder.UpperBound(0), 0.25);
  EXPECT_EQ(ladder.UpperBound(2), 1.0);
  EXPECT_TRUE(std::isinf(ladder.UpperBound(3)));
}

TEST(BucketLadder, AgreesWithItsBoundsEverywhere) {
  for (const BucketLadder& ladder :
       {StepStatistics::kSeconds, StepStatistics::kResidual, StepStatistics::kSpeed}) {
    ASSERT_LE(ladder.count, StepStatistics::kMostBuckets);
    for (double value = 1e-20; value < 1e9; value *= 1.37) {
      const int bucket = ladder.Find(value);
      EXPECT_LE(value, ladder.UpperBound(bucket));
      if (bucket > 0) {
        EXPECT_GT(value, ladder.UpperBound(bucket - 1));
      }
    }
  }
}

TEST(BucketLadder, OddValuesHaveAPlace) {
  const BucketLadder& ladder = StepStatistics::kSeconds;
  EXPECT_EQ(ladder.Find(0.0), 0);
  EXPECT_EQ(ladder.Find(-1.0), 0);
  EXPECT_EQ(ladder.Find(std::numeric_limits<double>::quiet_NaN()), 0);
  EXPECT_EQ(ladder.Find(std::numeric_limits<double>::denorm_min()), 0);
  EXPECT_EQ(ladder.Find(std::numeric_limits<double>::infinity()), ladder.count - 1);
}

StepReport MakeReport() {
  StepReport report;
  report.stage_times = {1e-5, 2e-5, 3e-5, 4e-5, 5e-5, 6e-5, 7e-5};
  report.contact_count = 12;
  report.sweep_count = 5;
  report.body_count = 3;
  report.residual = 1e-9;
  report.outcome = SolveOutcome::kConverged;
  return report;
}

TEST(StepStatistics, AddsUpWhatStepsReport) {
  StepStatistics statistics;
  statistics.Record(MakeReport(), 0.005);
  StepReport quiet;
  quiet.stage_times.find_pairs_s = 1e-3;
  statistics.Record(quiet, 0.005);
  StepReport poor = MakeReport();
  poor.outcome = SolveOutcome::kSweepLimit;
  poor.made_ahead = MadeAhead::kResult;
  statistics.Record(poor, 0.005);
  statistics.RecordFault();
  const StepStatistics::Reading reading = statistics.Read();
  EXPECT_EQ(reading.steps[StepStatistics::kSolved], 1);
  EXPECT_EQ(reading.steps[StepStatistics::kUnconverged], 1);
  EXPECT_EQ(reading.steps[StepStatistics::kWithoutContacts], 1);
  EXPECT_EQ(reading.made_ahead, (std::array<int64_t, 3>{2, 0, 1}));
  EXPECT_EQ(reading.step.total(), 3);
  EXPECT_NEAR(reading.step.sum, 2 * 2.8e-4 + 1e-3, 1e-12);
  EXPECT_NEAR(reading.stages[StepStatistics::kSolveContacts].sum, 1e-4, 1e-12);
  EXPECT_EQ(reading.stages[StepStatistics::kFindPairs].total(), 3);
  EXPECT_EQ(reading.residual.total(), 2) << "of steps that solved contacts";
  EXPECT_NEAR(reading.simulated_s, 0.015, 1e-12);
  EXPECT_EQ(reading.contacts, 24);
  EXPECT_EQ(reading.sweeps, 10);
  EXPECT_EQ(reading.bodies, 6);
  EXPECT_EQ(reading.faults, 1);
}

// More threads than there are shards of their own, so that some share the last one.
TEST(StepStatistics, LosesNothingAmongManyThreads) {
  StepStatistics statistics;
  constexpr int kThreads = 80;
  constexpr int kSteps = 500;
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&statistics] {
      const StepReport report = MakeReport();
      for (int k = 0; k < kSteps; ++k) statistics.Record(report, 0.5);
    });
  }
  for (std::thread& thread : threads) thread.join();
  const StepStatistics::Reading reading = statistics.Read();
  EXPECT_EQ(reading.steps[StepStatistics::kSolved], kThreads * kSteps);
  EXPECT_EQ(reading.step.total(), kThreads * kSteps);
  EXPECT_EQ(reading.contacts, int64_t{12} * kThreads * kSteps);
  EXPECT_EQ(reading.simulated_s, 0.5 * kThreads * kSteps);
}

}  // namespace
}  // namespace talus
