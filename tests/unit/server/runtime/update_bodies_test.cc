// Bodies that are set by hand: in its turn among the changes, told at once, recorded.
#include <string>
#include <thread>

#include "gtest/gtest.h"
#include "tests/support/ring.h"

namespace talus {
namespace {

using testing::Answer;
using testing::FallingBalls;
using testing::Gate;
using testing::HoldAt;
using testing::RunawayBall;
using testing::Stage;
using testing::Steps;

BodyUpdate Raise(const std::string& name, double height) {
  BodyUpdate update;
  update.body = name;
  update.position_world_m = Vec3(0.0, 0.0, height);
  return update;
}

double HeightOf(SceneActor& scene) {
  Answer<ReadAnswer> answer;
  scene.Read({.parts = {.positions = true}}, nullptr, answer.Done());
  return answer.Get()->frame->positions_world_m.at(2);
}

TEST(UpdateBodiesTest, IsToldAtOnceAtTheSameStepAndLayout) {
  Stage stage;
  auto scene = stage.MakeActor(FallingBalls(2));
  Answer<StepAnswer> stepped;
  scene->Step(Steps(3), nullptr, stepped.Done());
  ASSERT_TRUE(stepped.Get().ok());
  const SceneInfo before = scene->info();
  Answer<SceneInfo> updated;
  scene->UpdateBodies({Raise("ball0", 55.0)}, nullptr, updated.Done());
  const auto info = updated.Get();
  ASSERT_TRUE(info.ok()) << info.status();
  EXPECT_EQ(info->step_index, 3);
  EXPECT_EQ(info->layout_version, before.layout_version);
  EXPECT_NE(info->state_hash, before.state_hash);
  EXPECT_EQ(scene->info().state_hash, info->state_hash);
  EXPECT_EQ(HeightOf(*scene), 55.0);
}

// A watcher is due a frame, as for each change by hand, though no step was made.
TEST(UpdateBodiesTest, IsAFrameForWatchers) {
  Stage stage;
  auto scene = stage.MakeActor(FallingBalls(1));
  WatchOptions options;
  options.parts.positions = true;
  auto watching = scene->Watch(options, [] {});
  ASSERT_TRUE(watching.ok()) << watching.status();
  const auto next_height = [&]() -> double {
    const auto until = std::chrono::steady_clock::now() + testing::kPatience;
    while (std::chrono::steady_clock::now() < until) {
      if (const auto taken = (*watching)->Take()) return taken->frame->positions_world_m.at(2);
      std::this_thread::yield();
    }
    return 0.0;
  };
  EXPECT_EQ(next_height(), 10.0);
  Answer<SceneInfo> updated;
  scene->UpdateBodies({Raise("ball0", 55.0)}, nullptr, updated.Done());
  ASSERT_TRUE(updated.Get().ok());
  EXPECT_EQ(next_height(), 55.0);
}

TEST(UpdateBodiesTest, TakesItsTurnBehindTheStepsBefore) {
  Stage stage;
  auto scene = stage.MakeActor(FallingBalls(1));
  auto gate = std::make_shared<Gate>();
  HoldAt(*scene, gate);
  Answer<StepAnswer> stepped;
  Answer<SceneInfo> updated;
  scene->Step(Steps(20), nullptr, stepped.Done());
  scene->UpdateBodies({Raise("ball0", 55.0)}, nullptr, updated.Done());
  gate->Open();
  ASSERT_TRUE(stepped.Get().ok());
  const auto info = updated.Get();
  ASSERT_TRUE(info.ok());
  EXPECT_EQ(info->step_index, 20);
  EXPECT_EQ(HeightOf(*scene), 55.0);
}

TEST(UpdateBodiesTest, IsRefusedByAFaultedScene) {
  Stage stage;
  auto scene = stage.MakeActor(RunawayBall());
  Answer<StepAnswer> stepped;
  scene->Step(Steps(10'000), nullptr, stepped.Done());
  EXPECT_FALSE(stepped.Get().ok());
  Answer<SceneInfo> updated;
  scene->UpdateBodies({Raise("ball0", 55.0)}, nullptr, updated.Done());
  EXPECT_EQ(updated.GetError(absl::StatusCode::kFailedPrecondition).reason,
            ErrorReason::kSceneFaulted);
}

TEST(UpdateBodiesTest, EndsWithTheScene) {
  Stage stage;
  auto scene = stage.MakeActor(FallingBalls(1));
  auto gate = std::make_shared<Gate>();
  HoldAt(*scene, gate);
  Answer<SceneInfo> updated;
  scene->UpdateBodies({Raise("ball0", 55.0)}, nullptr, updated.Done());
  scene->Delete([] {});
  gate->Open();
  EXPECT_EQ(updated.GetError(absl::StatusCode::kAborted).reason, ErrorReason::kSceneDeleted);
}

TEST(UpdateBodiesTest, IsRefusedByASceneThatDrains) {
  Stage stage;
  auto scene = stage.MakeActor(FallingBalls(1));
  scene->Drain([] {});
  Answer<SceneInfo> updated;
  scene->UpdateBodies({Raise("ball0", 55.0)}, nullptr, updated.Done());
  EXPECT_EQ(updated.GetError(absl::StatusCode::kUnavailable).reason, ErrorReason::kDraining);
}

}  // namespace
}  // namespace talus
