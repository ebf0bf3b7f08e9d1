// One step that takes seconds: whoever waits for it may leave in the middle of it, and a scene that
// is deleted does not wait for it.
#include <gtest/gtest.h>

#include <chrono>

#include "server/runtime/scene_actor.h"
#include "tests/support/long_step.h"
#include "tests/support/ring.h"

namespace talus {
namespace {

using std::chrono::milliseconds;
using testing::Answer;
using testing::EndlessStep;
using testing::Stage;
using testing::Steps;
using testing::WaitUntilItIsSolved;
using Code = absl::StatusCode;

std::shared_ptr<CallControl> DeadlineIn(milliseconds time) {
  return std::make_shared<CallControl>(std::chrono::steady_clock::now() + time);
}

class InterruptedStepTest : public ::testing::Test {
 protected:
  InterruptedStepTest() : scene_(stage_.MakeActor(EndlessStep())) {}

  // Nothing has happened to the scene, and it goes on.
  void ExpectUntouched() {
    EXPECT_EQ(scene_->info().step_index, 0);
    EXPECT_EQ(scene_->info().fault, "");
    Answer<ReadAnswer> read;
    scene_->Read({}, nullptr, read.Done());
    EXPECT_TRUE(read.Get().ok());
    EXPECT_EQ(scene_->info().step_index, 0);
  }

  Stage stage_;
  std::shared_ptr<SceneActor> scene_;
};

TEST_F(InterruptedStepTest, TheDeadlineEndsIt) {
  Answer<StepAnswer> answer;
  scene_->Step(Steps(1), DeadlineIn(milliseconds(100)), answer.Done());
  const ErrorInfo info = answer.GetError(Code::kDeadlineExceeded);
  EXPECT_EQ(info.reason, ErrorReason::kDeadline);
  EXPECT_EQ(info.steps_done, 0);
  ExpectUntouched();
}

TEST_F(InterruptedStepTest, CancellingEndsIt) {
  auto control = std::make_shared<CallControl>();
  Answer<StepAnswer> answer;
  scene_->Step(Steps(1), control, answer.Done());
  WaitUntilItIsSolved();
  EXPECT_FALSE(answer.there());
  control->Cancel();
  EXPECT_EQ(answer.GetError(Code::kCancelled).steps_done, 0);
  ExpectUntouched();
}

TEST_F(InterruptedStepTest, TakesBackTheValuesItWasToBeMadeWith) {
  const uint64_t before = scene_->info().state_hash;
  Answer<ReadAnswer> layout;
  scene_->Read({}, nullptr, layout.Done());
  const std::vector<uint64_t> ids = layout.Get().value().frame->layout->body_ids;
  StepCall call = Steps(1);
  call.actuation = Actuation{
      {{ActuatorKind::kBodyWrench, ids.back(), "", 0}}, nullptr, {0.0, 0.0, 7.0, 0.0, 0.0, 0.0}};
  auto control = std::make_shared<CallControl>();
  Answer<StepAnswer> answer;
  scene_->Step(call, control, answer.Done());
  WaitUntilItIsSolved();
  control->Cancel();
  EXPECT_EQ(answer.GetError(Code::kCancelled).steps_done, 0);
  ExpectUntouched();
  EXPECT_EQ(scene_->info().state_hash, before);
  // A drain stores the state without them as well.
  Answer<StepAnswer> drained;
  scene_->Step(call, nullptr, drained.Done());
  WaitUntilItIsSolved();
  Answer<SceneSnapshot> last;
  scene_->TakeLastSnapshot(last.Done());
  scene_->GiveUpSteps();
  EXPECT_EQ(drained.GetError(Code::kUnavailable).steps_done, 0);
  EXPECT_EQ(last.Get().value().state_hash, before);
}

TEST_F(InterruptedStepTest, GoesOnWhileSomebodyWaits) {
  StepCall call = Steps(1);
  call.request_id = "a";
  auto control = std::make_shared<CallControl>();
  Answer<StepAnswer> first;
  Answer<StepAnswer> second;
  scene_->Step(call, control, first.Done());
  scene_->Step(call, DeadlineIn(milliseconds(100)), second.Done());
  // Told in time, though the step goes on.
  EXPECT_EQ(second.GetError(Code::kDeadlineExceeded).steps_done, 0);
  EXPECT_FALSE(first.there());
  control->Cancel();
  EXPECT_EQ(first.GetError(Code::kCancelled).steps_done, 0);
  ExpectUntouched();
}

TEST_F(InterruptedStepTest, WhatWaitsBehindItIsAnsweredInTime) {
  auto control = std::make_shared<CallControl>();
  Answer<StepAnswer> step;
  scene_->Step(Steps(1), control, step.Done());
  WaitUntilItIsSolved();
  auto left = std::make_shared<CallControl>();
  Answer<AddBodiesAnswer> change;
  Answer<ReadAnswer> read;
  Answer<SceneInfo> cancelled;
  scene_->AddBodies({}, DeadlineIn(milliseconds(20)), change.Done());
  scene_->Read({}, DeadlineIn(milliseconds(20)), read.Done());
  scene_->Reset({}, left, cancelled.Done());
  left->Cancel();
  EXPECT_EQ(change.GetError(Code::kDeadlineExceeded).reason, ErrorReason::kDeadline);
  EXPECT_EQ(read.GetError(Code::kDeadlineExceeded).reason, ErrorReason::kDeadline);
  EXPECT_EQ(cancelled.GetError(Code::kCancelled).reason, ErrorReason::kCancelled);
  EXPECT_FALSE(step.there());
  control->Cancel();
  EXPECT_EQ(step.GetError(Code::kCancelled).steps_done, 0);
}

TEST_F(InterruptedStepTest, WhatWaitsBehindThatOfASceneThatRunsIsAnsweredInTime) {
  Answer<SceneInfo> running;
  scene_->Run({}, nullptr, running.Done());
  ASSERT_TRUE(running.Get().ok());
  WaitUntilItIsSolved();
  Answer<AddBodiesAnswer> change;
  scene_->AddBodies({}, DeadlineIn(milliseconds(20)), change.Done());
  EXPECT_EQ(change.GetError(Code::kDeadlineExceeded).reason, ErrorReason::kDeadline);
  EXPECT_EQ(scene_->info().step_index, 0);
  Answer<int> deleted;
  scene_->Delete([done = deleted.Done()] { done(0); });
  ASSERT_TRUE(deleted.Get().ok());
}

TEST(LongStepTest, AsManyAsThereAreThreadsHoldUpNoOtherScene) {
  Stage stage(2, nullptr, {.count = 1});
  std::vector<std::shared_ptr<SceneActor>> endless;
  for (int scene = 0; scene < 2; ++scene) {
    endless.push_back(stage.MakeActor(EndlessStep()));
    endless.back()->Step(Steps(1), nullptr, [](const absl::StatusOr<StepAnswer>&) {});
  }
  WaitUntilItIsSolved();
  const std::shared_ptr<SceneActor> other = stage.MakeActor(testing::FallingBalls(1));
  Answer<StepAnswer> step;
  other->Step(Steps(1000), nullptr, step.Done());
  EXPECT_TRUE(step.Get().ok());
  for (const auto& scene : endless) {
    EXPECT_EQ(scene->info().step_index, 0);
    scene->Delete([] {});
  }
}

TEST_F(InterruptedStepTest, DeletingTheSceneEndsIt) {
  Answer<StepAnswer> answer;
  scene_->Step(Steps(1), nullptr, answer.Done());
  WaitUntilItIsSolved();
  Answer<int> deleted;
  scene_->Delete([done = deleted.Done()] { done(0); });
  ASSERT_TRUE(deleted.Get().ok());
  const ErrorInfo info = answer.GetError(Code::kAborted);
  EXPECT_EQ(info.reason, ErrorReason::kSceneDeleted);
  EXPECT_EQ(info.steps_done, 0);
}

TEST_F(InterruptedStepTest, DeletingEndsTheStepOfASceneThatRuns) {
  Answer<SceneInfo> running;
  scene_->Run({}, nullptr, running.Done());
  ASSERT_TRUE(running.Get().ok());
  WaitUntilItIsSolved();
  Answer<int> deleted;
  scene_->Delete([done = deleted.Done()] { done(0); });
  ASSERT_TRUE(deleted.Get().ok());
  EXPECT_EQ(scene_->info().step_index, 0);
}

TEST_F(InterruptedStepTest, ADrainGivesItUpWhenItCanWaitNoLonger) {
  const uint64_t before = scene_->info().state_hash;
  Answer<StepAnswer> answer;
  scene_->Step(Steps(1), nullptr, answer.Done());
  WaitUntilItIsSolved();
  Answer<int> drained;
  scene_->Drain([done = drained.Done()] { done(0); });
  EXPECT_FALSE(scene_->at_rest());
  scene_->GiveUpSteps();
  const ErrorInfo info = answer.GetError(Code::kUnavailable);
  EXPECT_EQ(info.reason, ErrorReason::kDraining);
  EXPECT_EQ(info.steps_done, 0);
  ASSERT_TRUE(drained.Get().ok());
  EXPECT_TRUE(scene_->at_rest());
  Answer<SceneSnapshot> last;
  scene_->TakeLastSnapshot(last.Done());
  EXPECT_EQ(last.Get().value().state_hash, before);
}

TEST_F(InterruptedStepTest, ADrainGivesUpThatOfASceneThatRuns) {
  Answer<SceneInfo> running;
  scene_->Run({}, nullptr, running.Done());
  ASSERT_TRUE(running.Get().ok());
  WaitUntilItIsSolved();
  Answer<int> drained;
  scene_->Drain([done = drained.Done()] { done(0); });
  scene_->GiveUpSteps();
  ASSERT_TRUE(drained.Get().ok());
  EXPECT_EQ(scene_->info().step_index, 0);
}

TEST_F(InterruptedStepTest, DeletingTheSceneInADrainEndsIt) {
  Answer<StepAnswer> answer;
  scene_->Step(Steps(1), nullptr, answer.Done());
  WaitUntilItIsSolved();
  Answer<int> drained;
  Answer<int> deleted;
  scene_->Drain([done = drained.Done()] { done(0); });
  scene_->Delete([done = deleted.Done()] { done(0); });
  ASSERT_TRUE(deleted.Get().ok());
  EXPECT_EQ(answer.GetError(Code::kUnavailable).steps_done, 0);
  EXPECT_EQ(scene_->info().step_index, 0);
}

}  // namespace
}  // namespace talus
