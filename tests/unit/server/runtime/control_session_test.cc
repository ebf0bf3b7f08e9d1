// Lock-step control with a clock that the test turns: who is answered, when a lease is lost, what
// happens at a tick.
#include "server/runtime/control_session.h"

#include <gtest/gtest.h>

#include <chrono>
#include <limits>
#include <optional>
#include <thread>
#include <vector>

#include "tests/unit/server/runtime/control_sessions.h"

namespace talus {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::Answer;
using testing::ControlSessionTest;
using testing::Ending;
using testing::FallingBalls;
using testing::HeldBy;
using testing::kEndless;
using testing::Stage;
using testing::Steps;

ControlOptions RealTime(MissPolicy policy = MissPolicy::kHoldLast) {
  ControlOptions options = HeldBy();
  options.real_time = true;
  options.period_s = 0.01;
  options.miss_policy = policy;
  return options;
}

TEST_F(ControlSessionTest, StepsUnderItsValuesAndAnswersEachRequest) {
  Ending ending;
  auto session = MustOpen(HeldBy(), ending);
  ControlCall push;
  push.values = {100.0, 0.0, 0.0, 0.0, 0.0, 0.0};
  push.step_count = 10;
  ASSERT_TRUE(Submit(*session, push).ok());
  ControlCall hold;
  hold.expected_step_index = 10;
  const auto answer = Submit(*session, hold);
  ASSERT_TRUE(answer.ok()) << answer.status();
  EXPECT_EQ(answer->step.frame->step_index, 11);
  EXPECT_EQ(answer->step.steps_done, 1);
  const auto wrong = Submit(*session, hold);
  EXPECT_EQ(FindErrorInfo(wrong.status()).reason, ErrorReason::kStepIndexMismatch);
  // What was refused changed nothing, and the session goes on.
  EXPECT_EQ(scene_->info().step_index, 11);
  EXPECT_TRUE(Submit(*session).ok());
  session->Close();
  EXPECT_FALSE(ending.there());
}

TEST_F(ControlSessionTest, ItEndsWithTheScene) {
  Ending ending;
  auto session = MustOpen(HeldBy(), ending);
  Answer<bool> deleted;
  scene_->Delete([done = deleted.Done()] { done(true); });
  ASSERT_TRUE(deleted.Get().ok());
  EXPECT_EQ(ending.Get(absl::StatusCode::kAborted).reason, ErrorReason::kSceneDeleted);
}

TEST_F(ControlSessionTest, ARequestThatTakesTooLongTellsHowFarItCame) {
  Stage stage(2);  // by the machine's clock
  auto scene = stage.MakeActor(FallingBalls(1));
  SystemClock clock;
  Ending ending;
  auto session = ControlSession::Make(scene, clock, HeldBy(), ending.Note());
  Answer<ControlOpening> opening;
  session->Open(opening.Done());
  ASSERT_TRUE(opening.Get().ok());
  ControlCall call;
  call.step_count = kEndless;
  call.timeout_s = 0.05;
  const auto late = Submit(*session, call);
  EXPECT_EQ(late.status().code(), absl::StatusCode::kDeadlineExceeded);
  EXPECT_EQ(FindErrorInfo(late.status()).steps_done, scene->info().step_index);
  EXPECT_TRUE(Submit(*session).ok());
  // Closing ends what is under way.
  call.timeout_s.reset();
  Answer<ControlAnswer> endless;
  session->Submit(call, endless.Done());
  session->Close();
  EXPECT_EQ(endless.GetError(absl::StatusCode::kAborted).reason, ErrorReason::kLeaseLost);
}

TEST_F(ControlSessionTest, WhatCannotBeOpenedIsRefusedAndLeavesNoLease) {
  const auto refuse = [&](const ControlOptions& options, absl::StatusCode code,
                          const std::string& field) {
    Ending ending;
    auto session = MakeSession(options, ending);
    Answer<ControlOpening> opening;
    session->Open(opening.Done());
    const ErrorInfo info = opening.GetError(code);
    EXPECT_EQ(info.field, field);
    EXPECT_EQ(scene_->info().holder, "") << field;
  };
  constexpr auto kInvalid = absl::StatusCode::kInvalidArgument;
  ControlOptions options = HeldBy();
  options.actuators[0].name = "nobody";
  refuse(options, absl::StatusCode::kNotFound, "actuators[0].name");
  options = HeldBy(std::string(65, 'x'));
  refuse(options, kInvalid, "holder");
  options = HeldBy();
  options.max_wait_s = 0.0;
  refuse(options, kInvalid, "max_wait_s");
  options = RealTime();
  options.period_s = 1e-5;
  refuse(options, kInvalid, "period_s");
  options = HeldBy();
  options.max_wait_s = std::numeric_limits<double>::infinity();
  refuse(options, kInvalid, "max_wait_s");
  // The step of a tick takes less time than a tick may.
  SceneDef quick = FallingBalls(2);
  quick.settings.time_step_s = 1e-6;
  scene_ = stage_.MakeActor(quick);
  options = RealTime();
  options.period_s.reset();
  refuse(options, kInvalid, "period_s");
  options = RealTime();
  options.steps_per_tick = 0;
  refuse(options, kInvalid, "steps_per_tick");
  options = RealTime();
  options.most_misses = 0;
  refuse(options, kInvalid, "most_misses");
}

TEST_F(ControlSessionTest, ASceneThatRunsIsNotControlled) {
  Answer<SceneInfo> run;
  scene_->Run({.real_time_factor = 1e-6, .step_limit = 0}, nullptr, run.Done());
  ASSERT_TRUE(run.Get().ok());
  Ending ending;
  auto session = MakeSession(HeldBy(), ending);
  Answer<ControlOpening> opening;
  session->Open(opening.Done());
  EXPECT_EQ(opening.GetError(absl::StatusCode::kFailedPrecondition).reason,
            ErrorReason::kSceneRunning);
}

TEST_F(ControlSessionTest, RealTimeStepsAtTheTicksAndCountsMisses) {
  Ending ending;
  auto session = MustOpen(RealTime(), ending);
  clock_.Advance(seconds(1));  // nothing ticks before the first request
  EXPECT_EQ(scene_->info().step_index, 0);
  auto answer = Submit(*session);
  ASSERT_TRUE(answer.ok());
  EXPECT_EQ(answer->tick, 1);
  EXPECT_EQ(answer->missed, 0);
  // Two ticks without a request: the scene steps on.
  for (int64_t step = 2; step <= 3; ++step) {
    clock_.Advance(milliseconds(10));
    AwaitStep(step);
  }
  Answer<ControlAnswer> third;
  session->Submit({}, third.Done());
  EXPECT_FALSE(third.there());
  clock_.Advance(milliseconds(10));
  answer = third.Get();
  ASSERT_TRUE(answer.ok());
  EXPECT_EQ(answer->tick, 4);
  EXPECT_EQ(answer->missed, 2);
  EXPECT_EQ(answer->step.frame->step_index, 4);
  EventWatchOptions misses;
  misses.kinds.set(static_cast<size_t>(EventKind::kDeadlineMissed));
  const auto events = scene_->WatchEvents(misses, [] {});
  ASSERT_TRUE(events.ok()) << events.status();
  while (!(*events)->Take().has_value()) std::this_thread::yield();  // it begins with a message
  // The clock itself was late: what passed is missed, not made up for, and told of.
  Answer<ControlAnswer> late;
  session->Submit({}, late.Done());
  clock_.Advance(milliseconds(55));
  answer = late.Get();
  ASSERT_TRUE(answer.ok());
  EXPECT_EQ(answer->missed, 4);
  EXPECT_EQ(answer->tick, 9);
  EXPECT_EQ(answer->step.frame->step_index, 5);
  const std::optional<EventBatch> told = (*events)->Take();
  ASSERT_TRUE(told.has_value());
  ASSERT_EQ(told->events.size(), 1u);
  EXPECT_EQ(told->events[0]->text, "PASSED 4");
  EXPECT_NEAR(told->events[0]->lateness_s, 0.04, 1e-12);
  (*events)->Close();
  session->Close();
  EXPECT_EQ(stage_.statistics.Read().missed_ticks, 2 + 4);
  clock_.Advance(seconds(1));
  EXPECT_EQ(scene_->info().step_index, 5);
}

TEST_F(ControlSessionTest, AMissedTickHoldsOrZeroesOrFails) {
  const auto speed_after_a_miss = [&](MissPolicy policy) {
    scene_ = stage_.MakeActor(FallingBalls(2));
    Ending ending;
    auto session = MustOpen(RealTime(policy), ending);
    ControlCall push;
    push.values = {100.0, 0.0, 0.0, 0.0, 0.0, 0.0};
    EXPECT_TRUE(Submit(*session, push).ok());
    clock_.Advance(milliseconds(10));
    AwaitStep(2);
    Answer<ReadAnswer> read;
    ReadCall call;
    call.parts.velocities = true;
    scene_->Read(call, nullptr, read.Done());
    const double speed = read.Get()->frame->linear_velocities_world_m_s[0];
    session->Close();
    return speed;
  };
  const double held = speed_after_a_miss(MissPolicy::kHoldLast);
  const double zeroed = speed_after_a_miss(MissPolicy::kZero);
  EXPECT_GT(zeroed, 0.0);
  EXPECT_DOUBLE_EQ(held, 2.0 * zeroed);

  scene_ = stage_.MakeActor(FallingBalls(2));
  Ending ending;
  auto session = MustOpen(RealTime(MissPolicy::kFail), ending);
  ASSERT_TRUE(Submit(*session).ok());
  clock_.Advance(milliseconds(10));
  EXPECT_EQ(ending.Get(absl::StatusCode::kDeadlineExceeded).reason, ErrorReason::kDeadlineMissed);
  EXPECT_EQ(scene_->info().step_index, 1);
}

TEST_F(ControlSessionTest, TooManyMissesInARowEndIt) {
  ControlOptions options = RealTime();
  options.most_misses = 3;
  Ending ending;
  auto session = MustOpen(options, ending);
  ASSERT_TRUE(Submit(*session).ok());
  for (int64_t step = 2; step <= 3; ++step) {
    clock_.Advance(milliseconds(10));
    AwaitStep(step);
  }
  EXPECT_FALSE(ending.there());
  clock_.Advance(milliseconds(10));
  EXPECT_EQ(ending.Get(absl::StatusCode::kAborted).reason, ErrorReason::kLeaseLost);
}

TEST_F(ControlSessionTest, RealTimeTakesWhatFitsATickAndNoMoreThanThePipeline) {
  Ending ending;
  auto session = MustOpen(RealTime(), ending);
  ControlCall call;
  call.step_count = 2;
  EXPECT_EQ(FindErrorInfo(Submit(*session, call).status()).field, "step_count");
  call = {};
  call.timeout_s = 1.0;
  EXPECT_EQ(FindErrorInfo(Submit(*session, call).status()).field, "timeout_s");
  ASSERT_TRUE(Submit(*session).ok());
  std::vector<Answer<ControlAnswer>> waiting(ControlOptions().pipeline_depth);
  for (auto& answer : waiting) session->Submit({}, answer.Done());
  const ErrorInfo full = FindErrorInfo(Submit(*session).status());
  EXPECT_EQ(full.reason, ErrorReason::kMailboxFull);
  EXPECT_EQ(full.limit_name, "pipeline_depth");
  EXPECT_EQ(full.limit_value, ControlOptions().pipeline_depth);
  session->Close();
  for (auto& answer : waiting) EXPECT_FALSE(answer.Get().ok());
}

}  // namespace
}  // namespace talus
