// The lease that lock-step control holds: who is refused meanwhile, and how it is lost.
#include <gtest/gtest.h>

#include <chrono>
#include <memory>

#include "tests/unit/server/runtime/control_sessions.h"

namespace talus {
namespace {

using std::chrono::milliseconds;
using testing::Answer;
using testing::Ending;
using testing::HeldBy;
using testing::kEndless;
using testing::Steps;

class ControlLeaseTest : public testing::ControlSessionTest {};

TEST_F(ControlLeaseTest, OthersMayNotChangeTheSceneMeanwhile) {
  Ending ending;
  auto session = MustOpen(HeldBy("arm"), ending);
  EXPECT_EQ(scene_->info().holder, "arm");
  const absl::Status refused = StepUnder("");
  EXPECT_EQ(refused.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(FindErrorInfo(refused).reason, ErrorReason::kLeaseHeld);
  EXPECT_EQ(FindErrorInfo(refused).value, "arm");
  EXPECT_TRUE(StepUnder(lease_).ok());
  EXPECT_EQ(FindErrorInfo(StepUnder("0123")).reason, ErrorReason::kLeaseLost);
  session->Close();
  EXPECT_TRUE(StepUnder("").ok());
  EXPECT_EQ(FindErrorInfo(StepUnder(lease_)).reason, ErrorReason::kLeaseLost);
}

TEST_F(ControlLeaseTest, ASecondOneIsRefusedOrTakesOver) {
  Ending first_ending, second_ending;
  auto first = MustOpen(HeldBy("first"), first_ending);
  auto second = MakeSession(HeldBy("second"), second_ending);
  Answer<ControlOpening> refused;
  second->Open(refused.Done());
  EXPECT_EQ(refused.GetError(absl::StatusCode::kFailedPrecondition).reason,
            ErrorReason::kLeaseHeld);
  ControlOptions taking = HeldBy("second");
  taking.take_over = true;
  second = MustOpen(taking, second_ending);
  EXPECT_EQ(first_ending.Get(absl::StatusCode::kAborted).reason, ErrorReason::kLeaseLost);
  EXPECT_EQ(scene_->info().holder, "second");
  EXPECT_FALSE(Submit(*first).ok());
  // The loser giving up changes nothing for the winner.
  first->Close();
  EXPECT_TRUE(Submit(*second).ok());
}

TEST_F(ControlLeaseTest, ATakeOverEndsWhatWaitsAndRunsUnderTheLease) {
  Ending first_ending, second_ending;
  auto first = MustOpen(HeldBy("first"), first_ending);
  const auto control = std::make_shared<CallControl>(Clock::TimePoint::max(), lease_);
  ControlCall call;
  call.step_count = kEndless;
  Answer<ControlAnswer> running;
  Answer<StepAnswer> waiting;
  Answer<StepAnswer> repeatable;
  Answer<std::shared_ptr<const Layout>> removal;
  first->Submit(call, running.Done());
  scene_->Step(Steps(1), control, waiting.Done());
  StepCall step = Steps(1);
  step.request_id = "a";
  scene_->Step(step, control, repeatable.Done());
  scene_->RemoveBodies({{}, {"ball0"}}, control, removal.Done());
  ControlOptions taking = HeldBy("second");
  taking.take_over = true;
  auto second = MustOpen(taking, second_ending);
  const ErrorInfo ended = running.GetError(absl::StatusCode::kAborted);
  EXPECT_EQ(ended.reason, ErrorReason::kLeaseLost);
  EXPECT_EQ(waiting.GetError(absl::StatusCode::kAborted).reason, ErrorReason::kLeaseLost);
  EXPECT_EQ(repeatable.GetError(absl::StatusCode::kAborted).reason, ErrorReason::kLeaseLost);
  EXPECT_EQ(removal.GetError(absl::StatusCode::kAborted).reason, ErrorReason::kLeaseLost);
  EXPECT_EQ(scene_->info().step_index, ended.steps_done);
  EXPECT_EQ(scene_->info().body_count, 2);
  EXPECT_TRUE(Submit(*second).ok());
}

TEST_F(ControlLeaseTest, WhoIsSilentForTooLongLosesTheLease) {
  Ending ending;
  ControlOptions options = HeldBy();
  options.max_wait_s = 0.5;
  auto session = MustOpen(options, ending);
  clock_.Advance(milliseconds(400));
  ASSERT_TRUE(Submit(*session).ok());
  clock_.Advance(milliseconds(400));
  EXPECT_FALSE(ending.there());
  clock_.Advance(milliseconds(200));
  EXPECT_EQ(ending.Get(absl::StatusCode::kAborted).reason, ErrorReason::kLeaseLost);
  EXPECT_EQ(scene_->info().holder, "");
  EXPECT_TRUE(StepUnder("").ok());
  EXPECT_FALSE(Submit(*session).ok());
}

TEST_F(ControlLeaseTest, WhoLeavesIsNotWaitedForThroughAWholeDay) {
  Ending ending;
  ControlOptions options = HeldBy();
  options.max_wait_s = 86400.0;
  MustOpen(options, ending)->Close();
  clock_.Advance(Clock::kLookPeriod);
  EXPECT_EQ(clock_.waiting_count(), 0u);
  auto session = MustOpen(options, ending);
  clock_.Advance(std::chrono::hours(23));
  EXPECT_TRUE(Submit(*session).ok());
}

}  // namespace
}  // namespace talus
