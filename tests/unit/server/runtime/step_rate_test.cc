// How many steps a scene may make a second, by a clock that the test turns: who is refused, who
// waits, what is done meanwhile.
#include "server/runtime/step_rate.h"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "server/runtime/control_session.h"
#include "server/runtime/environment_session.h"
#include "tests/support/ring.h"

namespace talus {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::Answer;
using testing::FallingBalls;
using testing::Stage;
using testing::Steps;

constexpr int64_t kRate = 10;

void ExpectRefused(const absl::Status& status, int64_t retry_after_ms) {
  EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted);
  const ErrorInfo info = FindErrorInfo(status);
  EXPECT_EQ(info.reason, ErrorReason::kLimitReached);
  EXPECT_EQ(info.limit_name, "steps_per_second");
  EXPECT_EQ(info.limit_value, kRate);
  EXPECT_EQ(info.steps_done, 0);
  EXPECT_EQ(info.retry_after_ms, retry_after_ms);
}

class StepRateTest : public ::testing::Test {
 protected:
  std::shared_ptr<SceneActor> MakeScene() {
    stage_.limits.steps_per_second = kRate;
    return stage_.MakeActor(FallingBalls(1));
  }
  absl::Status Step(SceneActor& scene, StepCall call) {
    Answer<StepAnswer> answer;
    scene.Step(std::move(call), nullptr, answer.Done());
    return answer.Get().status();
  }

  ManualClock clock_;
  Stage stage_{2, &clock_};
};

TEST_F(StepRateTest, NoLimitRefusesNothing) {
  StepRate rate(0);
  for (int i = 0; i < 1000; ++i) {
    EXPECT_TRUE(rate.Admit({}).ok());
    rate.NoteStep();
  }
}

TEST_F(StepRateTest, TheStepsOfASecondAtOnceThenAtTheRate) {
  const auto scene = MakeScene();
  for (int64_t i = 0; i < kRate; ++i) ASSERT_TRUE(Step(*scene, Steps(1)).ok()) << i;
  ExpectRefused(Step(*scene, Steps(1)), 100);
  clock_.Advance(milliseconds(99));
  ExpectRefused(Step(*scene, Steps(1)), 1);
  EXPECT_EQ(scene->info().step_index, kRate);
  clock_.Advance(milliseconds(1));
  EXPECT_TRUE(Step(*scene, Steps(1)).ok());
  ExpectRefused(Step(*scene, Steps(1)), 100);
  clock_.Advance(seconds(3600));
  for (int64_t i = 0; i < kRate; ++i) EXPECT_TRUE(Step(*scene, Steps(1)).ok()) << i;
  ExpectRefused(Step(*scene, Steps(1)), 100);
}

TEST_F(StepRateTest, ALongCallIsMadeWholeAndOwedFor) {
  const auto scene = MakeScene();
  ASSERT_TRUE(Step(*scene, Steps(3 * kRate)).ok());
  EXPECT_EQ(scene->info().step_index, 3 * kRate);
  ExpectRefused(Step(*scene, Steps(1)), 2100);
  clock_.Advance(milliseconds(2100));
  EXPECT_TRUE(Step(*scene, Steps(1)).ok());
}

TEST_F(StepRateTest, WhatIsRefusedDoesNothingAndItsRepeatIsTaken) {
  const auto scene = MakeScene();
  ASSERT_TRUE(Step(*scene, Steps(kRate)).ok());
  const uint64_t hash = scene->info().state_hash;
  StepCall call = Steps(1);
  call.request_id = "once";
  call.actuation =
      Actuation{{{ActuatorKind::kBodyWrench, 0, "ball0", 0}}, nullptr, {9, 0, 0, 0, 0, 0}};
  ExpectRefused(Step(*scene, call), 100);
  EXPECT_EQ(scene->info().state_hash, hash);
  clock_.Advance(milliseconds(100));
  EXPECT_TRUE(Step(*scene, call).ok());
  EXPECT_TRUE(Step(*scene, call).ok()) << "a repeat makes no step, so none is counted";
  EXPECT_EQ(scene->info().step_index, kRate + 1);
}

TEST_F(StepRateTest, EachSceneHasItsOwn) {
  const auto first = MakeScene();
  const auto second = stage_.MakeActor(FallingBalls(1), "second");
  ASSERT_TRUE(Step(*first, Steps(kRate)).ok());
  EXPECT_FALSE(Step(*first, Steps(1)).ok());
  EXPECT_TRUE(Step(*second, Steps(1)).ok());
}

TEST_F(StepRateTest, AControllerIsToldInItsAnswerAndGoesOn) {
  const auto scene = MakeScene();
  ControlOptions options;
  options.holder = "test";
  auto session = ControlSession::Make(scene, clock_, options, [](const absl::Status& why) {
    ADD_FAILURE() << "the session ended: " << why;
  });
  Answer<ControlOpening> opening;
  session->Open(opening.Done());
  ASSERT_TRUE(opening.Get().ok());
  const auto submit = [&](int64_t steps) {
    ControlCall call;
    call.step_count = steps;
    Answer<ControlAnswer> answer;
    session->Submit(call, answer.Done());
    return answer.Get().status();
  };
  EXPECT_TRUE(submit(kRate).ok());
  ExpectRefused(submit(1), 100);
  clock_.Advance(milliseconds(100));
  EXPECT_TRUE(submit(1).ok());
  session->Close();
}

TEST_F(StepRateTest, AnAgentIsToldAndItsSequenceGoesOn) {
  const auto scene = MakeScene();
  EnvironmentOptions options;
  options.holder = "agent";
  options.steps_per_action = kRate;
  auto session = EnvironmentSession::Make(scene, clock_, options);
  Answer<EnvironmentWorldPtr> world;
  session->Join(world.Done());
  ASSERT_TRUE(world.Get().ok());
  const auto step = [&] {
    Answer<EnvironmentMoment> moment;
    session->Step({}, false, moment.Done());
    return moment.Get().status();
  };
  EXPECT_TRUE(step().ok()) << "the first makes no step";
  EXPECT_TRUE(step().ok());
  ExpectRefused(step(), 100);
  EXPECT_TRUE(session->running());
  clock_.Advance(milliseconds(100));
  EXPECT_TRUE(step().ok());
  EXPECT_EQ(scene->info().step_index, 2 * kRate);
  session->Leave();
}

TEST_F(StepRateTest, ASceneThatRunsOnItsOwnGoesNoFaster) {
  const auto scene = MakeScene();
  Answer<SceneInfo> run;
  scene->Run({}, nullptr, run.Done());
  ASSERT_TRUE(run.Get().ok());
  for (int64_t step = kRate; step < kRate + 5; ++step) {
    const auto until = std::chrono::steady_clock::now() + testing::kPatience;
    while (scene->info().step_index < step && std::chrono::steady_clock::now() < until) {
      // The turn that made a step asks to be woken after it has told of the step.
      clock_.Advance({});
      std::this_thread::yield();
    }
    ASSERT_EQ(scene->info().step_index, step);
    // A read is answered in a turn of its own, which makes no step that is not due.
    Answer<ReadAnswer> read;
    scene->Read({}, nullptr, read.Done());
    ASSERT_TRUE(read.Get().ok());
    clock_.Advance(milliseconds(99));
    EXPECT_EQ(scene->info().step_index, step);
    clock_.Advance(milliseconds(1));
  }
  Answer<SceneInfo> pause;
  scene->Pause(nullptr, pause.Done());
  const auto paused = pause.Get();
  ASSERT_TRUE(paused.ok());
  EXPECT_EQ(paused->fault, "");
}

}  // namespace
}  // namespace talus
