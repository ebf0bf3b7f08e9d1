#include "server/runtime/token_bucket.h"

#include <gtest/gtest.h>

#include <chrono>

namespace talus {
namespace {

using std::chrono::milliseconds;

TEST(TokenBucket, GivesWhatItHoldsThenWhatFlowsIn) {
  TokenBucket bucket(10.0, 3.0);
  Clock::TimePoint now = Clock::TimePoint{} + std::chrono::hours(1);
  bucket.Fill(now);
  for (int i = 0; i < 3; ++i) {
    EXPECT_TRUE(bucket.has_token()) << i;
    EXPECT_EQ(bucket.WaitForToken(), Clock::Duration{}) << i;
    bucket.Take();
  }
  EXPECT_FALSE(bucket.has_token());
  EXPECT_EQ(bucket.WaitForToken(), milliseconds(100));
  bucket.Fill(now += milliseconds(99));
  EXPECT_FALSE(bucket.has_token());
  bucket.Fill(now += milliseconds(1));
  EXPECT_TRUE(bucket.has_token());
}

TEST(TokenBucket, WhatIsOwedIsPaidFirst) {
  TokenBucket bucket(10.0, 3.0);
  Clock::TimePoint now{};
  bucket.Fill(now);
  for (int i = 0; i < 13; ++i) bucket.Take();
  EXPECT_EQ(bucket.WaitForToken(), milliseconds(1100));
  bucket.Fill(now += milliseconds(1000));
  EXPECT_FALSE(bucket.has_token());
  bucket.Fill(now += milliseconds(100));
  EXPECT_TRUE(bucket.has_token());
}

TEST(TokenBucket, HoldsNoMoreThanItsSizeAndNothingFromAClockThatGoesBack) {
  TokenBucket bucket(10.0, 2.0);
  const Clock::TimePoint now = Clock::TimePoint{} + std::chrono::hours(1);
  bucket.Fill(now);
  bucket.Take();
  bucket.Take();
  bucket.Fill(now - std::chrono::minutes(1));
  EXPECT_FALSE(bucket.has_token());
  bucket.Fill(now + std::chrono::hours(1));
  bucket.Take();
  bucket.Take();
  EXPECT_FALSE(bucket.has_token());
}

// Whoever waits as long as he is told finds a token, whatever the rate.
TEST(TokenBucket, TheWaitIsLongEnough) {
  for (const double rate : {1.0, 3.0, 7.0, 333.0, 1e5, 2e9}) {
    TokenBucket bucket(rate, 1.0);
    Clock::TimePoint now = Clock::TimePoint{} + std::chrono::hours(9);
    for (int i = 0; i < 1000; ++i) {
      bucket.Fill(now);
      now += bucket.WaitForToken();
      bucket.Fill(now);
      ASSERT_TRUE(bucket.has_token()) << rate << ' ' << i;
      bucket.Take();
    }
  }
}

}  // namespace
}  // namespace talus
