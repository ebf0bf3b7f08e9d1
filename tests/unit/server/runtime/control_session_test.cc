// Lock-step control with a clock that the test turns: who is answered, when a lease is lost, what
// happens at a tick.
#include "server/runtime/control_session.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <limits>
#include <optional>
#include <thread>
#include <vector>

#include "tests/support/ring.h"

namespace talus {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::Answer;
using testing::FallingBalls;
using testing::kEndless;
using testing::Stage;
using testing::Steps;

ControlOptions Options(const std::string& holder = "test") {
  ControlOptions options;
  options.holder = holder;
  options.actuators = {{ActuatorKind::kBodyWrench, 0, "ball0", 0}};
  return options;
}

ControlOptions RealTime(MissPolicy policy = MissPolicy::kHoldLast) {
  ControlOptions options = Options();
  options.real_time = true;
  options.period_s = 0.01;
  options.miss_policy = policy;
  return options;
}

// What a session told when it ended.
class Ending {
 public:
  std::function<void(const absl::Status&)> Note() {
    return [answer = answer_](const absl::Status& status) mutable { answer.Done()(status); };
  }
  bool there() const { return answer_.there(); }
  ErrorInfo Get(absl::StatusCode code) { return answer_.GetError(code); }

 private:
  Answer<bool> answer_;
};

class ControlSessionTest : public ::testing::Test {
 protected:
  std::shared_ptr<ControlSession> MakeSession(const ControlOptions& options, Ending& ending) {
    return ControlSession::Make(scene_, clock_, options, ending.Note());
  }
  std::shared_ptr<ControlSession> MustOpen(const ControlOptions& options, Ending& ending) {
    auto session = MakeSession(options, ending);
    Answer<ControlOpening> opening;
    session->Open(opening.Done());
    const auto opened = opening.Get();
    EXPECT_TRUE(opened.ok()) << opened.status();
    if (opened.ok()) lease_ = opened->lease;
    return session;
  }
  absl::StatusOr<ControlAnswer> Submit(ControlSession& session, ControlCall call = {}) {
    Answer<ControlAnswer> answer;
    session.Submit(std::move(call), answer.Done());
    return answer.Get();
  }
  absl::Status StepUnder(const std::string& lease) {
    Answer<StepAnswer> answer;
    scene_->Step(Steps(1), std::make_shared<CallControl>(Clock::TimePoint::max(), lease),
                 answer.Done());
    return answer.Get().status();
  }
  // Until the step of the last tick is done.
  void AwaitStep(int64_t step_index) {
    const auto until = std::chrono::steady_clock::now() + testing::kPatience;
    while (scene_->info().step_index < step_index && std::chrono::steady_clock::now() < until) {
      std::this_thread::yield();
    }
    ASSERT_EQ(scene_->info().step_index, step_index);
    // The session hears of it a moment after the scene has told.
    Answer<ReadAnswer> read;
    scene_->Read({}, nullptr, read.Done());
    ASSERT_TRUE(read.Get().ok());
  }

  ManualClock clock_;
  Stage stage_{2, &clock_};
  std::shared_ptr<SceneActor> scene_ = stage_.MakeActor(FallingBalls(2));
  std::string lease_;
};

TEST_F(ControlSessionTest, StepsUnderItsValuesAndAnswersEachRequest) {
  Ending ending;
  auto session = MustOpen(Options(), ending);
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

TEST_F(ControlSessionTest, OthersMayNotChangeTheSceneMeanwhile) {
  Ending ending;
  auto session = MustOpen(Options("arm"), ending);
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

TEST_F(ControlSessionTest, ASecondOneIsRefusedOrTakesOver) {
  Ending first_ending, second_ending;
  auto first = MustOpen(Options("first"), first_ending);
  auto second = MakeSession(Options("second"), second_ending);
  Answer<ControlOpening> refused;
  second->Open(refused.Done());
  EXPECT_EQ(refused.GetError(absl::StatusCode::kFailedPrecondition).reason,
            ErrorReason::kLeaseHeld);
  ControlOptions taking = Options("second");
  taking.take_over = true;
  second = MustOpen(taking, second_ending);
  EXPECT_EQ(first_ending.Get(absl::StatusCode::kAborted).reason, ErrorReason::kLeaseLost);
  EXPECT_EQ(scene_->info().holder, "second");
  EXPECT_FALSE(Submit(*first).ok());
  // The loser giving up changes nothing for the winner.
  first->Close();
  EXPECT_TRUE(Submit(*second).ok());
}

TEST_F(ControlSessionTest, ATakeOverEndsWhatWaitsAndRunsUnderTheLease) {
  Ending first_ending, second_ending;
  auto first = MustOpen(Options("first"), first_ending);
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
  ControlOptions taking = Options("second");
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

TEST_F(ControlSessionTest, WhoIsSilentForTooLongLosesTheLease) {
  Ending ending;
  ControlOptions options = Options();
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

TEST_F(ControlSessionTest, WhoLeavesIsNotWaitedForThroughAWholeDay) {
  Ending ending;
  ControlOptions options = Options();
  options.max_wait_s = 86400.0;
  MustOpen(options, ending)->Close();
  clock_.Advance(Clock::kLookPeriod);
  EXPECT_EQ(clock_.waiting_count(), 0u);
  auto session = MustOpen(options, ending);
  clock_.Advance(std::chrono::hours(23));
  EXPECT_TRUE(Submit(*session).ok());
}

TEST_F(ControlSessionTest, ItEndsWithTheScene) {
  Ending ending;
  auto session = MustOpen(Options(), ending);
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
  auto session = ControlSession::Make(scene, clock, Options(), ending.Note());
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
  ControlOptions options = Options();
  options.actuators[0].name = "nobody";
  refuse(options, absl::StatusCode::kNotFound, "actuators[0].name");
  options = Options(std::string(65, 'x'));
  refuse(options, kInvalid, "holder");
  options = Options();
  options.max_wait_s = 0.0;
  refuse(options, kInvalid, "max_wait_s");
  options = RealTime();
  options.period_s = 1e-5;
  refuse(options, kInvalid, "period_s");
  options = Options();
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
  auto session = MakeSession(Options(), ending);
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
  std::vector<Answer<ControlAnswer>> waiting(kPipelineDepth);
  for (auto& answer : waiting) session->Submit({}, answer.Done());
  EXPECT_EQ(FindErrorInfo(Submit(*session).status()).reason, ErrorReason::kMailboxFull);
  session->Close();
  for (auto& answer : waiting) EXPECT_FALSE(answer.Get().ok());
}

}  // namespace
}  // namespace talus
