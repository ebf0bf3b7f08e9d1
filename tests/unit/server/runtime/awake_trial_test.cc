#include "server/runtime/awake_trial.h"

#include <gtest/gtest.h>

#include <functional>

namespace talus {
namespace {

using std::chrono::microseconds;

// Lets `count` steps come, as far apart as the machine makes them: of how many cores were awake.
int64_t Step(AwakeTrial& trial, int64_t count, microseconds awake, microseconds asleep) {
  int64_t steps_awake = 0;
  for (int64_t step = 0; step < count; ++step) {
    steps_awake += trial.awake() ? 1 : 0;
    trial.Note(trial.awake() ? awake : asleep);
  }
  return steps_awake;
}

constexpr int64_t kStage = 64 + 192;

TEST(AwakeTrial, CoresAreAwakeAtFirst) {
  AwakeTrial trial;
  EXPECT_EQ(Step(trial, kStage, microseconds(80), microseconds(120)), kStage);
  EXPECT_FALSE(trial.awake());  // now the other is tried
}

TEST(AwakeTrial, TheyStayAwakeWhereThatIsSooner) {
  AwakeTrial trial;
  Step(trial, 1'000'000, microseconds(80), microseconds(120));
  const int64_t awake = Step(trial, 1'000'000, microseconds(80), microseconds(120));
  EXPECT_GT(awake, 995'000);
  EXPECT_LT(awake, 1'000'000);  // it is tried for good: machines change
}

TEST(AwakeTrial, TheyAreLeftAsleepWhereThatIsSooner) {
  AwakeTrial trial;
  EXPECT_LE(Step(trial, 10 * kStage, microseconds(145), microseconds(69)), 4 * kStage);
  Step(trial, 1'000'000, microseconds(145), microseconds(69));
  const int64_t awake = Step(trial, 1'000'000, microseconds(145), microseconds(69));
  EXPECT_LT(awake, 5'000);
  EXPECT_GT(awake, 0);
}

TEST(AwakeTrial, WhatIsHardlySoonerChangesNothing) {
  AwakeTrial trial;
  EXPECT_GT(Step(trial, 1'000'000, microseconds(100), microseconds(96)), 990'000);
}

TEST(AwakeTrial, AMachineThatChangesIsFollowed) {
  AwakeTrial trial;
  Step(trial, 1'000'000, microseconds(145), microseconds(69));
  Step(trial, 300'000, microseconds(80), microseconds(120));
  EXPECT_GT(Step(trial, 1'000'000, microseconds(80), microseconds(120)), 990'000);
}

// The caller thinks longer just while the other is tried, or all gets slower for good.
TEST(AwakeTrial, ACallerWhoChangesIsNotTakenForIt) {
  AwakeTrial trial;
  Step(trial, kStage, microseconds(80), microseconds(80));
  Step(trial, kStage, microseconds(70), microseconds(70));
  Step(trial, kStage, microseconds(60), microseconds(60));
  EXPECT_TRUE(trial.awake());
}

// What is measured is what comes after 64 steps of the row.
TEST(AwakeTrial, RowsShorterThanATrialAddUp) {
  AwakeTrial trial;
  for (int row = 0; row < 60; ++row) {
    trial.Pause();
    Step(trial, 64, microseconds(500), microseconds(500));
    Step(trial, 48, microseconds(145), microseconds(69));
  }
  int64_t awake = 0;
  for (int row = 0; row < 20; ++row) {
    trial.Pause();
    awake += Step(trial, 112, microseconds(145), microseconds(69));
  }
  EXPECT_EQ(awake, 0);
}

}  // namespace
}  // namespace talus
