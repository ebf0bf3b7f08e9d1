// An agent in a scene with a clock that the test turns: sequences, the lease, silence.
#include "server/runtime/environment_session.h"

#include <gtest/gtest.h>

#include "server/session/error.h"
#include "tests/support/ring.h"

namespace talus {
namespace {

using std::chrono::seconds;
using testing::Answer;
using testing::FallingBalls;
using testing::Stage;
using testing::Steps;

class EnvironmentSessionTest : public ::testing::Test {
 protected:
  std::shared_ptr<EnvironmentSession> Make(EnvironmentOptions options = {}) {
    options.holder = "agent";
    return EnvironmentSession::Make(scene_, clock_, options);
  }
  absl::StatusOr<EnvironmentWorldPtr> Join(EnvironmentSession& session) {
    Answer<EnvironmentWorldPtr> answer;
    session.Join(answer.Done());
    return answer.Get();
  }
  absl::StatusOr<EnvironmentMoment> Step(EnvironmentSession& session,
                                         std::vector<EnvironmentAct> acts = {}) {
    Answer<EnvironmentMoment> answer;
    session.Step(std::move(acts), false, answer.Done());
    return answer.Get();
  }
  absl::Status StepScene() {
    Answer<StepAnswer> answer;
    scene_->Step(Steps(1), nullptr, answer.Done());
    return answer.Get().status();
  }

  ManualClock clock_;
  Stage stage_{2, &clock_};
  std::shared_ptr<SceneActor> scene_ = stage_.MakeActor(FallingBalls(2));
};

TEST_F(EnvironmentSessionTest, ASequenceBeginsWithoutTimeAndEndsWhereItWasTold) {
  EnvironmentOptions options;
  options.steps_per_action = 3;
  options.sequence_steps = 2;
  auto session = Make(options);
  ASSERT_TRUE(Join(*session).ok());
  for (int sequence = 0; sequence < 2; ++sequence) {
    EXPECT_FALSE(session->running());
    const auto begun = Step(*session);
    ASSERT_TRUE(begun.ok()) << begun.status();
    EXPECT_EQ(begun->frame->step_index, 0) << "each begins where the scene was made";
    EXPECT_TRUE(session->running());
    const auto first = Step(*session);
    ASSERT_TRUE(first.ok()) << first.status();
    EXPECT_EQ(first->state, SequenceState::kRunning);
    EXPECT_EQ(first->frame->step_index, 3);
    const auto second = Step(*session);
    ASSERT_TRUE(second.ok()) << second.status();
    EXPECT_EQ(second->state, SequenceState::kInterrupted);
    EXPECT_EQ(second->frame->step_index, 6);
  }
  session->Leave();
}

TEST_F(EnvironmentSessionTest, ItsNaturalEndIsACondition) {
  EnvironmentOptions options;
  options.end.emplace().time_s = 0.02;
  auto session = Make(options);
  ASSERT_TRUE(Join(*session).ok());
  ASSERT_TRUE(Step(*session).ok());
  absl::StatusOr<EnvironmentMoment> moment;
  for (int step = 0; step < 4; ++step) {
    moment = Step(*session);
    ASSERT_TRUE(moment.ok()) << moment.status();
    EXPECT_EQ(moment->state == SequenceState::kTerminated, step == 3) << step;
  }
  session->Leave();
}

TEST_F(EnvironmentSessionTest, ActionsAreHeldUntilTheyAreSetAgain) {
  auto session = Make();
  const auto world = Join(*session);
  ASSERT_TRUE(world.ok()) << world.status();
  ASSERT_EQ((*world)->actions.front().name, "body.ball0.wrench");
  ASSERT_TRUE(Step(*session).ok());
  ASSERT_TRUE(Step(*session, {{0, {100.0, 0.0, 0.0, 0.0, 0.0, 0.0}}}).ok());
  const auto held = Step(*session);
  const auto on = Step(*session);
  ASSERT_TRUE(held.ok() && on.ok());
  const double before = held->frame->linear_velocities_world_m_s[0];
  const double after = on->frame->linear_velocities_world_m_s[0];
  EXPECT_GT(before, 0.0);
  EXPECT_NEAR(after / before, 1.5, 1e-9) << "the third step under the same force";
  session->Leave();
}

TEST_F(EnvironmentSessionTest, ResetIsTheMadeSceneAndOnAFreshOneNothing) {
  ASSERT_TRUE(StepScene().ok());
  auto session = Make();
  ASSERT_TRUE(Join(*session).ok());
  Answer<EnvironmentWorldPtr> untouched;
  session->Reset(untouched.Done());
  ASSERT_TRUE(untouched.Get().ok());
  const auto begun = Step(*session);
  ASSERT_TRUE(begun.ok());
  EXPECT_EQ(begun->frame->step_index, 1) << "a scene is joined as it is";
  ASSERT_TRUE(Step(*session).ok());
  Answer<EnvironmentWorldPtr> reset;
  session->Reset(reset.Done());
  ASSERT_TRUE(reset.Get().ok());
  EXPECT_EQ(scene_->info().step_index, 0);
  session->Leave();
}

TEST_F(EnvironmentSessionTest, OneAgentHoldsTheSceneUntilItLeaves) {
  auto session = Make();
  ASSERT_TRUE(Join(*session).ok());
  EXPECT_EQ(scene_->info().holder, "agent");
  EXPECT_EQ(FindErrorInfo(StepScene()).reason, ErrorReason::kLeaseHeld);
  auto other = Make();
  EXPECT_EQ(FindErrorInfo(Join(*other).status()).reason, ErrorReason::kLeaseHeld);
  session->Leave();
  session->Leave();
  EXPECT_TRUE(StepScene().ok());
  EXPECT_EQ(FindErrorInfo(Step(*session).status()).reason, ErrorReason::kLeaseLost);
  auto next = Make();
  EXPECT_TRUE(Join(*next).ok());
  next->Leave();
}

TEST_F(EnvironmentSessionTest, WhoIsSilentForTooLongLosesTheScene) {
  EnvironmentOptions options;
  options.max_wait_s = 10.0;
  auto session = Make(options);
  ASSERT_TRUE(Join(*session).ok());
  clock_.Advance(seconds(6));
  ASSERT_TRUE(Step(*session).ok());
  clock_.Advance(seconds(6));
  EXPECT_EQ(scene_->info().holder, "agent") << "it spoke six seconds ago";
  clock_.Advance(seconds(4));
  EXPECT_EQ(scene_->info().holder, "");
  const absl::Status lost = Step(*session).status();
  EXPECT_EQ(FindErrorInfo(lost).reason, ErrorReason::kLeaseLost) << lost;
  EXPECT_EQ(clock_.waiting_count(), 0u) << "nothing is waited for any more";
}

TEST_F(EnvironmentSessionTest, WhoTakesTheSceneOverEndsIt) {
  auto session = Make();
  ASSERT_TRUE(Join(*session).ok());
  ASSERT_TRUE(Step(*session).ok());
  const auto taken = scene_->TakeLease({"other", true, [](const absl::Status&) {}});
  ASSERT_TRUE(taken.ok());
  EXPECT_EQ(FindErrorInfo(Step(*session).status()).reason, ErrorReason::kLeaseLost);
  session->Leave();
  EXPECT_EQ(scene_->info().holder, "other") << "who left takes nothing along";
}

TEST_F(EnvironmentSessionTest, WhoTakesTheSceneOverEndsTheStepUnderWay) {
  EnvironmentOptions options;
  options.steps_per_action = testing::kEndless;
  auto session = Make(options);
  ASSERT_TRUE(Join(*session).ok());
  ASSERT_TRUE(Step(*session).ok());
  Answer<EnvironmentMoment> running;
  session->Step({}, false, running.Done());
  ASSERT_TRUE(scene_->TakeLease({"other", true, [](const absl::Status&) {}}).ok());
  const ErrorInfo ended = running.GetError(absl::StatusCode::kAborted);
  EXPECT_EQ(ended.reason, ErrorReason::kLeaseLost);
  EXPECT_EQ(scene_->info().step_index, ended.steps_done);
}

TEST_F(EnvironmentSessionTest, OptionsAreBoundedAndAFailedJoinHoldsNothing) {
  const auto field_of = [this](auto change) {
    EnvironmentOptions options;
    change(options);
    auto session = Make(options);
    return FindErrorInfo(Join(*session).status()).field;
  };
  EXPECT_EQ(field_of([](auto& o) { o.max_wait_s = 0.0; }), "settings[max_wait_s]");
  EXPECT_EQ(field_of([](auto& o) { o.bounds.force = -1.0; }), "settings[force_limit]");
  EXPECT_EQ(field_of([](auto& o) { o.bounds.speed = 1e7; }), "settings[speed_limit]");
  EXPECT_EQ(field_of([](auto& o) { o.sequence_steps = -1; }), "settings[sequence_steps]");
  EXPECT_EQ(field_of([](auto& o) { o.end.emplace(); }), "until");
  EXPECT_EQ(field_of([](auto& o) { o.actions = {"body.ball0.push"}; }), "settings[actions]");
  EXPECT_NE(field_of([](auto& o) { o.actions = {"body.nobody.wrench"}; }), "");
  EXPECT_TRUE(StepScene().ok());
}

}  // namespace
}  // namespace talus
