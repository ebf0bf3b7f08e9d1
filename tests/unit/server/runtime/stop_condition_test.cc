// When a StepUntil ends, and what it refuses.
#include "server/runtime/stop_condition.h"

#include <gtest/gtest.h>

#include <limits>

#include "tests/support/ring.h"

namespace talus {
namespace {

using testing::Answer;
using testing::FallingBalls;
using testing::Stage;

// Two balls above a floor: the first from 1 cm, the second from 1 m.
SceneDef BallsAboveFloor() {
  SceneDef scene = FallingBalls(2);
  scene.settings.time_step_s = 0.005;
  scene.bodies[0].pose_world.position.z() = 0.06;
  scene.bodies[1].pose_world.position.z() = 1.05;
  BodyDef floor;
  floor.name = "floor";
  floor.kind = BodyKind::kStatic;
  floor.shapes.resize(1);
  floor.shapes[0].geometry = Plane{Vec3::UnitZ()};
  scene.bodies.push_back(floor);
  return scene;
}

absl::StatusOr<StepAnswer> StepUntil(SceneActor& scene, const StopCondition& until,
                                     int64_t most = 10'000) {
  StepCall call;
  call.step_count = most;
  call.until = until;
  Answer<StepAnswer> answer;
  scene.Step(call, nullptr, answer.Done());
  return answer.Get();
}

TEST(StopCondition, ATimeIsReachedWithinHalfAStep) {
  Stage stage;
  auto scene = stage.MakeActor(BallsAboveFloor());
  StopCondition until;
  until.time_s = 0.1004;
  auto answer = StepUntil(*scene, until);
  ASSERT_TRUE(answer.ok()) << answer.status();
  EXPECT_EQ(answer->stop, StopReason::kTime);
  EXPECT_EQ(answer->frame->step_index, 20);
  // Reached already: no step.
  answer = StepUntil(*scene, until);
  ASSERT_TRUE(answer.ok());
  EXPECT_EQ(answer->stop, StopReason::kTime);
  EXPECT_EQ(answer->steps_done, 0);
}

TEST(StopCondition, AContactOfTheTwoNamedOrOfOneWithAnything) {
  Stage stage;
  auto scene = stage.MakeActor(BallsAboveFloor());
  StopCondition until;
  until.contact = ContactCondition{"ball0", ""};
  auto answer = StepUntil(*scene, until);
  ASSERT_TRUE(answer.ok()) << answer.status();
  EXPECT_EQ(answer->stop, StopReason::kContact);
  // sqrt(2 · 0.01 / g) = 45 ms, and the step in which it is caught.
  EXPECT_NEAR(answer->frame->time_s, 0.045, 0.0101);
  until.contact = ContactCondition{"floor", "ball1"};
  answer = StepUntil(*scene, until);
  ASSERT_TRUE(answer.ok());
  EXPECT_EQ(answer->stop, StopReason::kContact);
  EXPECT_NEAR(answer->frame->time_s, 0.4515, 0.0101);
}

TEST(StopCondition, RestLastsAWhile) {
  Stage stage;
  auto scene = stage.MakeActor(BallsAboveFloor());
  StopCondition until;
  until.rest = RestCondition{};
  const auto answer = StepUntil(*scene, until);
  ASSERT_TRUE(answer.ok());
  EXPECT_EQ(answer->stop, StopReason::kRest);
  // After the second ball has landed and lain still for 0.1 s.
  EXPECT_GT(answer->frame->time_s, 0.4515 + 0.1);
  EXPECT_LT(answer->frame->time_s, 2.0);
}

TEST(StopCondition, TheStepsRunOutFirst) {
  Stage stage;
  auto scene = stage.MakeActor(BallsAboveFloor());
  StopCondition until;
  until.time_s = 1.0;
  const auto answer = StepUntil(*scene, until, 10);
  ASSERT_TRUE(answer.ok());
  EXPECT_EQ(answer->stop, StopReason::kNone);
  EXPECT_EQ(answer->steps_done, 10);
}

TEST(StopCondition, TheLastStepCountsToo) {
  Stage stage;
  auto scene = stage.MakeActor(BallsAboveFloor());
  StopCondition until;
  until.time_s = 0.05;
  const auto answer = StepUntil(*scene, until, 10);
  ASSERT_TRUE(answer.ok());
  EXPECT_EQ(answer->stop, StopReason::kTime);
  EXPECT_EQ(answer->steps_done, 10);
}

TEST(StopCondition, WhatCannotHoldIsRefused) {
  Stage stage;
  auto scene = stage.MakeActor(BallsAboveFloor());
  const auto refuse = [&](const StopCondition& until, const std::string& field,
                          absl::StatusCode code = absl::StatusCode::kInvalidArgument) {
    const auto answer = StepUntil(*scene, until);
    EXPECT_EQ(answer.status().code(), code) << field;
    EXPECT_EQ(FindErrorInfo(answer.status()).field, field);
    EXPECT_EQ(scene->info().step_index, 0);
  };
  StopCondition until;
  refuse(until, "until");
  until.time_s = std::numeric_limits<double>::quiet_NaN();
  refuse(until, "until.time_s");
  until = {};
  until.rest = RestCondition{.speed_m_s = 0.0, .angular_speed_rad_s = 1.0, .for_s = 0.0};
  refuse(until, "until.rest.speed_m_s");
  until.rest = RestCondition{.speed_m_s = 1.0, .angular_speed_rad_s = -1.0, .for_s = 0.0};
  refuse(until, "until.rest.angular_speed_rad_s");
  until.rest = RestCondition{.speed_m_s = 1.0, .angular_speed_rad_s = 1.0, .for_s = -1.0};
  refuse(until, "until.rest.for_s");
  until = {};
  until.contact = ContactCondition{"", "floor"};
  refuse(until, "until.contact.body_a");
  until.contact = ContactCondition{"floor", "floor"};
  refuse(until, "until.contact.body_b");
  until.contact = ContactCondition{"floor", "nobody"};
  refuse(until, "until.contact.body_b", absl::StatusCode::kNotFound);
}

// It is a moment of its own: the frame of the one before, which is still held, has another hash.
TEST(StopCondition, WhatIsDrivenWithoutAStepIsInTheAnswer) {
  Stage stage;
  auto scene = stage.MakeActor(BallsAboveFloor());
  StepCall call;
  call.until = StopCondition{};
  call.until->time_s = 0.0;
  Answer<StepAnswer> looked;
  scene->Step(call, nullptr, looked.Done());
  const auto before = looked.Get();
  ASSERT_TRUE(before.ok()) << before.status();
  ActuatorDef push;
  push.kind = ActuatorKind::kBodyWrench;
  push.id = 1;
  call.actuation = Actuation{{push}, nullptr, {1.0, 0.0, 0.0, 0.0, 0.0, 0.0}};
  Answer<StepAnswer> answer;
  scene->Step(call, nullptr, answer.Done());
  const auto driven = answer.Get();
  ASSERT_TRUE(driven.ok()) << driven.status();
  EXPECT_EQ(driven->steps_done, 0);
  EXPECT_EQ(driven->frame->state_hash, scene->info().state_hash);
  EXPECT_NE(driven->frame->state_hash, before->frame->state_hash);
  EXPECT_GT(driven->frame->moment, before->frame->moment);
}

}  // namespace
}  // namespace talus
