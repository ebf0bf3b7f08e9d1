// A scene that would have more contacts than the server takes: it stays where it is and is whole.
#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "tests/scenes/single_body.h"
#include "tests/support/ring.h"

namespace talus {
namespace {

using testing::Answer;
using testing::Stage;
using testing::Steps;

constexpr int64_t kBalls = 3;

// All lie on the ground but the last one, which arrives later.
SceneDef BallsOnPlane() {
  SceneDef scene = scenes::BallOnPlane{}.Build();
  const BodyDef ball = scene.bodies[1];
  for (int64_t i = 1; i < kBalls; ++i) {
    BodyDef next = ball;
    next.name = "ball" + std::to_string(i);
    next.pose_world.position.x() += 3.0 * static_cast<double>(i);
    next.pose_world.position.z() += i == kBalls - 1 ? 0.2 : 0.0;
    scene.bodies.push_back(next);
  }
  return scene;
}

class ContactLimitTest : public ::testing::Test {
 protected:
  std::shared_ptr<SceneActor> MakeScene(int64_t most_contacts) {
    stage_.limits.contacts_per_scene = most_contacts;
    return stage_.MakeActor(BallsOnPlane());
  }
  absl::StatusOr<StepAnswer> Step(SceneActor& scene, int64_t count) {
    Answer<StepAnswer> answer;
    scene.Step(Steps(count), nullptr, answer.Done());
    return answer.Get();
  }

  Stage stage_;
};

TEST_F(ContactLimitTest, AsManyAsTheLimitAreTaken) {
  const auto scene = MakeScene(kBalls);
  EXPECT_TRUE(Step(*scene, 100).ok());
}

TEST_F(ContactLimitTest, TheStepThatFindsMoreIsNotMade) {
  const auto scene = MakeScene(kBalls - 1);
  const auto refused = Step(*scene, 100);
  EXPECT_EQ(refused.status().code(), absl::StatusCode::kResourceExhausted);
  const ErrorInfo info = FindErrorInfo(refused.status());
  EXPECT_EQ(info.reason, ErrorReason::kLimitReached);
  EXPECT_EQ(info.limit_name, "contacts_per_scene");
  EXPECT_EQ(info.limit_value, kBalls - 1);
  EXPECT_EQ(info.value, std::to_string(kBalls));
  EXPECT_GT(info.steps_done, 5);
  EXPECT_LT(info.steps_done, 100);
  const SceneInfo before = scene->info();
  EXPECT_EQ(before.step_index, info.steps_done);
  EXPECT_EQ(before.fault, "");
  EXPECT_EQ(FindErrorInfo(Step(*scene, 1).status()).steps_done, 0);
  EXPECT_EQ(scene->info().state_hash, before.state_hash);
  // With the ball gone that was one too many it goes on.
  Answer<std::shared_ptr<const Layout>> removed;
  scene->RemoveBodies({{}, {"ball" + std::to_string(kBalls - 1)}}, nullptr, removed.Done());
  ASSERT_TRUE(removed.Get().ok());
  EXPECT_TRUE(Step(*scene, 10).ok());
}

TEST_F(ContactLimitTest, WhatIsToldOfContactsDoesNotDependOnWhoStillHoldsAFrame) {
  const auto read = [](SceneActor& scene) {
    Answer<ReadAnswer> answer;
    scene.Read({.parts = {.contacts = true}}, nullptr, answer.Done());
    return answer.Get()->frame;
  };
  const auto scene = MakeScene(kBalls - 1);
  const int64_t steps = FindErrorInfo(Step(*scene, 100).status()).steps_done;
  const auto other = MakeScene(kBalls - 1);
  ASSERT_TRUE(Step(*other, steps).ok());
  const FramePtr held = read(*other);
  ASSERT_EQ(held->contacts.size(), static_cast<size_t>(kBalls - 1));
  EXPECT_FALSE(Step(*other, 1).ok());
  EXPECT_TRUE(read(*scene)->contacts.empty());
  EXPECT_TRUE(read(*other)->contacts.empty());
}

TEST_F(ContactLimitTest, ASceneThatRunsOnItsOwnStopsThere) {
  const auto scene = MakeScene(kBalls - 1);
  Answer<SceneInfo> run;
  scene->Run({}, nullptr, run.Done());
  ASSERT_TRUE(run.Get().ok());
  const auto until = std::chrono::steady_clock::now() + testing::kPatience;
  while (scene->info().run.running && std::chrono::steady_clock::now() < until) {
    std::this_thread::yield();
  }
  const SceneInfo info = scene->info();
  EXPECT_FALSE(info.run.running);
  EXPECT_EQ(info.fault, "");
  EXPECT_GT(info.step_index, 5);
  EXPECT_LT(info.step_index, 100);
}

}  // namespace
}  // namespace talus
