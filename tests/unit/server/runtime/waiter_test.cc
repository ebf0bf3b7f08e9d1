#include "server/runtime/waiter.h"

#include <gtest/gtest.h>

#include <chrono>
#include <memory>

namespace talus {
namespace {

constexpr std::chrono::milliseconds kMoment{1};

class WaiterTest : public ::testing::Test {
 protected:
  const Clock::TimePoint deadline_ = Clock::TimePoint() + std::chrono::seconds{5};
  const CallControlPtr control_ = std::make_shared<CallControl>(deadline_);
};

TEST_F(WaiterTest, WaitsUntilItsDeadline) {
  EXPECT_EQ(FindWaitEnd(control_, deadline_ - kMoment), std::nullopt);
  EXPECT_EQ(FindWaitEnd(control_, deadline_), WaitEnd::kExpired);
}

TEST_F(WaiterTest, StopsWaitingWhenCancelled) {
  control_->Cancel();
  EXPECT_EQ(FindWaitEnd(control_, deadline_ - kMoment), WaitEnd::kCancelled);
}

TEST_F(WaiterTest, ExpiresWhenItIsCancelledAtItsDeadline) {
  control_->Cancel();
  EXPECT_EQ(FindWaitEnd(control_, deadline_), WaitEnd::kExpired);
}

TEST_F(WaiterTest, ALostLeaseIsToldBeforeACancellationAndAfterADeadline) {
  const auto term = std::make_shared<LeaseTerm>();
  const Waiter<int> waiter{control_, nullptr, term};
  EXPECT_EQ(FindWaitEnd(waiter, deadline_ - kMoment), std::nullopt);
  control_->Cancel();
  EXPECT_EQ(FindWaitEnd(waiter, deadline_ - kMoment), WaitEnd::kCancelled);
  term->End();
  EXPECT_EQ(FindWaitEnd(waiter, deadline_ - kMoment), WaitEnd::kLeaseLost);
  EXPECT_EQ(FindWaitEnd(waiter, deadline_), WaitEnd::kExpired);
  EXPECT_EQ(FindWaitEnd(Waiter<int>{nullptr, nullptr, term}, deadline_), WaitEnd::kLeaseLost);
}

TEST_F(WaiterTest, WaitsForeverWithoutAControl) {
  EXPECT_EQ(FindWaitEnd(nullptr, Clock::TimePoint::max()), std::nullopt);
}

}  // namespace
}  // namespace talus
