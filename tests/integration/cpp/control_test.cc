// Lock-step control and the other calls that make time pass, through the C++ client.
#include "clients/cpp/control.h"

#include <gtest/gtest.h>
#include <signal.h>

#include <vector>

#include "tests/integration/cpp/live_server.h"

namespace talus::client::testing {
namespace {

class ControlCalls : public LiveServerTest {
 protected:
  void SetUp() override { StartServer({"--workers", "2"}); }
  static v1::ControlOpen For(const Scene& scene) {
    v1::ControlOpen open;
    open.set_scene(scene.name());
    open.set_holder("cpp");
    v1::Actuator& push = *open.add_actuators();
    push.set_kind(v1::ACTUATOR_KIND_BODY_WRENCH);
    push.set_name("ball");
    return open;
  }
};

TEST_F(ControlCalls, LockStepGivesTheBitsOfStep) {
  Scene scene = Create("ball", FallingBall());
  Scene other = Create("other", FallingBall());
  Result<Control> control = Control::Open(client(), For(scene));
  ASSERT_TRUE(control) << control.error().ToString();
  EXPECT_EQ(control->opened().value_count(), 6);
  for (int64_t step = 1; step <= 20; ++step) {
    const Result<v1::ControlStepped> answer = control->Step();
    ASSERT_TRUE(answer) << answer.error().ToString();
    EXPECT_EQ(answer->frame().step_index(), step);
  }
  EXPECT_TRUE(control->Close());
  EXPECT_FALSE(control->is_open());
  EXPECT_EQ(control->Step().code(), Code::kCancelled);
  ASSERT_TRUE(other.Step(20));
  EXPECT_EQ(Hash(scene), Hash(other));
}

TEST_F(ControlCalls, AMistakeLeavesItOpenAndAPipelineKeepsItsOrder) {
  Scene scene = Create("ball", FallingBall());
  Result<Control> control = Control::Open(client(), For(scene));
  ASSERT_TRUE(control);
  const std::vector<double> few = {1.0};
  const Result<v1::ControlStepped> refused = control->Step(few);
  EXPECT_EQ(refused.code(), Code::kInvalidArgument);
  EXPECT_EQ(refused.error().detail.field(), "size(values)");
  EXPECT_TRUE(control->is_open());
  for (int request = 0; request < 10; ++request) ASSERT_TRUE(control->Send({}));
  for (int64_t step = 1; step <= 10; ++step) {
    const Result<v1::ControlStepped> answer = control->Receive();
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->frame().step_index(), step);
  }
}

TEST_F(ControlCalls, OthersComeUnderTheLease) {
  Scene scene = Create("ball", FallingBall());
  Result<Control> control = Control::Open(client(), For(scene));
  ASSERT_TRUE(control);
  const Result<v1::StepResponse> refused = scene.Step(1);
  EXPECT_EQ(refused.code(), Code::kFailedPrecondition);
  EXPECT_EQ(refused.error().detail.reason(), v1::ERROR_REASON_LEASE_HELD);
  EXPECT_EQ(refused.error().detail.value(), "cpp");
  StepOptions options;
  options.call.lease = control->lease();
  EXPECT_TRUE(scene.Step(1, options));
  const Result<Control> second = Control::Open(client(), For(scene));
  EXPECT_EQ(second.code(), Code::kFailedPrecondition);
  control->Cancel();
  EXPECT_EQ(control->Step().code(), Code::kCancelled);
}

TEST_F(ControlCalls, WhatCannotBeOpenedSaysWhy) {
  Scene scene = Create("ball", FallingBall());
  v1::ControlOpen open = For(scene);
  open.mutable_actuators(0)->set_name("nobody");
  const Result<Control> refused = Control::Open(client(), open);
  EXPECT_EQ(refused.code(), Code::kNotFound);
  EXPECT_EQ(refused.error().detail.field(), "actuators[0].name");
}

TEST_F(ControlCalls, AFrozenServerEndsIt) {
  Scene scene = Create("ball", FallingBall());
  ClientOptions hasty;
  hasty.ping_interval = milliseconds{1000};
  hasty.ping_timeout = milliseconds{1000};
  CallOptions patience;  // what would end it if nothing noticed
  Result<Control> control = Control::Open(Client(server().address(), hasty), For(scene), patience);
  ASSERT_TRUE(control) << control.error().ToString();
  ASSERT_TRUE(control->Step());
  ASSERT_EQ(::kill(server().pid(), SIGSTOP), 0);
  Result<v1::ControlStepped> answer = control->Step();
  while (answer) answer = control->Step();  // one or two may still come
  EXPECT_EQ(answer.code(), Code::kUnavailable);
  EXPECT_FALSE(control->is_open());
  EXPECT_EQ(::kill(server().pid(), SIGCONT), 0);
}

TEST_F(ControlCalls, StepsUntilRunsAndComesBack) {
  Scene scene = Create("ball", FallingBall());
  const uint64_t origin = Hash(scene);
  v1::StepUntilRequest until;
  until.set_scene(scene.name());
  until.mutable_until()->set_time_s(1.0);
  const auto reached = client().StepUntil(until);
  ASSERT_TRUE(reached);
  EXPECT_EQ(reached->stop_reason(), v1::STOP_REASON_TIME);
  v1::BatchStepRequest batch;
  batch.add_steps()->set_scene(scene.name());
  batch.add_steps()->set_scene("scenes/nowhere");
  const auto results = client().BatchStep(batch);
  ASSERT_TRUE(results);
  EXPECT_TRUE(results->results(0).has_step());
  EXPECT_EQ(results->results(1).error().detail().reason(), v1::ERROR_REASON_NOT_FOUND);
  v1::RunRequest run;
  run.set_scene(scene.name());
  ASSERT_TRUE(client().Run(run));
  EXPECT_EQ(scene.Step(1).code(), Code::kFailedPrecondition);
  v1::PauseRequest pause;
  pause.set_scene(scene.name());
  ASSERT_TRUE(client().Pause(pause));
  v1::ResetSceneRequest reset;
  reset.set_scene(scene.name());
  ASSERT_TRUE(client().ResetScene(reset));
  EXPECT_EQ(Hash(scene), origin);
}

}  // namespace
}  // namespace talus::client::testing
