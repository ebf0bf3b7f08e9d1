#include "server/security/rate_limiter.h"

#include <gtest/gtest.h>

#include <chrono>

#include "server/session/error.h"

namespace talus {
namespace {

using std::chrono::milliseconds;

constexpr RateLimiter::Options kTenASecond{.calls_per_s = 10.0, .burst = 3.0, .most_clients = 2};

TEST(RateLimiter, TakesABurstThenASteadyRate) {
  RateLimiter limiter(kTenASecond);
  Clock::TimePoint now{};
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(limiter.Admit("a", now).ok()) << i;
  const absl::Status refused = limiter.Admit("a", now);
  EXPECT_EQ(refused.code(), absl::StatusCode::kResourceExhausted);
  const ErrorInfo info = FindErrorInfo(refused);
  EXPECT_EQ(info.reason, ErrorReason::kLimitReached);
  EXPECT_EQ(info.limit_name, "calls_per_second");
  EXPECT_EQ(info.limit_value, 10);
  EXPECT_EQ(info.value, "a");
  EXPECT_EQ(info.retry_after_ms, 100);
  EXPECT_FALSE(limiter.Admit("a", now + milliseconds(99)).ok());
  EXPECT_TRUE(limiter.Admit("a", now + milliseconds(info.retry_after_ms)).ok());
  EXPECT_FALSE(limiter.Admit("a", now + milliseconds(info.retry_after_ms)).ok());
  // However long it was silent, a client gets no more than the burst.
  now += std::chrono::hours(1);
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(limiter.Admit("a", now).ok()) << i;
  EXPECT_FALSE(limiter.Admit("a", now).ok());
}

TEST(RateLimiter, ClientsDoNotShareABucket) {
  RateLimiter limiter(kTenASecond);
  const Clock::TimePoint now{};
  for (int i = 0; i < 4; ++i) (void)limiter.Admit("a", now);
  EXPECT_FALSE(limiter.Admit("a", now).ok());
  EXPECT_TRUE(limiter.Admit("b", now).ok());
}

TEST(RateLimiter, AClockThatStandsOrGoesBackGivesNothing) {
  RateLimiter limiter(kTenASecond);
  const Clock::TimePoint now = Clock::TimePoint{} + std::chrono::hours(1);
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(limiter.Admit("a", now).ok());
  EXPECT_FALSE(limiter.Admit("a", now - std::chrono::minutes(1)).ok());
  EXPECT_FALSE(limiter.Admit("a", now).ok());
}

TEST(RateLimiter, ForgetsWhoWasSilentLongestWhenItIsFull) {
  RateLimiter limiter(kTenASecond);
  const Clock::TimePoint now{};
  for (int i = 0; i < 4; ++i) (void)limiter.Admit("a", now);
  EXPECT_TRUE(limiter.Admit("b", now).ok());
  EXPECT_FALSE(limiter.Admit("a", now).ok());  // and is the last one seen
  EXPECT_TRUE(limiter.Admit("c", now).ok());   // in the place of b
  EXPECT_EQ(limiter.client_count(), 2u);
  EXPECT_FALSE(limiter.Admit("a", now).ok()) << "who keeps calling is not forgotten";
  for (int i = 0; i < 100; ++i) (void)limiter.Admit("client" + std::to_string(i), now);
  EXPECT_EQ(limiter.client_count(), 2u);
}

}  // namespace
}  // namespace talus
