// Bodies and joints a page at a time, while others come and go.
#include "server/runtime/scene_lists.h"

#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "tests/support/ring.h"

namespace talus {
namespace {

using testing::Answer;
using testing::FallingBalls;
using testing::Gate;
using testing::HoldAt;
using testing::MakeWorld;
using testing::RunawayBall;
using testing::Stage;
using testing::Steps;

std::vector<uint64_t> Numbers(const std::vector<BodyId>& ids) {
  std::vector<uint64_t> numbers;
  for (const BodyId id : ids) numbers.push_back(ToInteger(id));
  return numbers;
}

using Ids = std::vector<uint64_t>;

TEST(SceneListsTest, PagesStayRightWhenBodiesComeAndGo) {
  World world = MakeWorld(FallingBalls(6));
  const BodyPage first = MakeBodyPage(world, {.size = 3, .after = 0});
  EXPECT_EQ(Numbers(first.ids), (Ids{1, 2, 3}));
  EXPECT_FALSE(first.last);
  // One that was told, the one the page ended with, and one that is to come.
  ASSERT_TRUE(world.RemoveBodies(std::vector{BodyId{1}, BodyId{3}, BodyId{5}}).ok());
  BodyDef more = FallingBalls(1).bodies[0];
  more.name = "more";
  ASSERT_TRUE(world.AddBodies(std::vector{more}).ok());
  const BodyPage second = MakeBodyPage(world, {.size = 3, .after = 3});
  EXPECT_EQ(Numbers(second.ids), (Ids{4, 6, 7}));
  EXPECT_EQ(second.bodies[2].name, "more");
  EXPECT_TRUE(second.last);
  const BodyPage none = MakeBodyPage(world, {.size = 3, .after = 7});
  EXPECT_TRUE(none.ids.empty());
  EXPECT_TRUE(none.last);
}

TEST(SceneListsTest, APageEndsWhereItsShapesAreTooMany) {
  SceneDef scene;
  BodyDef body;
  body.kind = BodyKind::kStatic;
  for (int k = 0; k < 64; ++k) body.shapes.push_back({Container{1.0, 1.0, 1.0, 0.1}, Pose{}, ""});
  scene.bodies.assign(100, body);
  const World world = MakeWorld(scene);
  ASSERT_EQ(world.shape_count(0), 320u);
  const BodyPage page = MakeBodyPage(world, {.size = 1000, .after = 0});
  EXPECT_EQ(page.ids.size(), kMostShapesOfPage / 320);
  EXPECT_FALSE(page.last);
  EXPECT_EQ(MakeBodyPage(world, {.size = 1000, .after = 90}).ids.size(), 10u);
}

TEST(SceneListsTest, MaterialsAreThoseThePageNames) {
  SceneDef scene = FallingBalls(4);
  scene.materials = {{"wood", {.sliding_friction = 0.5}},
                     {"ice", {.sliding_friction = 0.1}},
                     {"steel", {.sliding_friction = 0.2}}};
  scene.bodies[0].shapes[0].material = "wood";
  scene.bodies[1].shapes[0].material = "ice";
  scene.bodies[2].shapes[0].material = "wood";
  scene.bodies[3].shapes[0].material = "steel";
  const BodyPage page = MakeBodyPage(MakeWorld(scene), {.size = 3, .after = 0});
  ASSERT_EQ(page.materials.size(), 2u);
  EXPECT_EQ(page.materials[0].name, "ice");
  EXPECT_EQ(page.materials[1].name, "wood");
  EXPECT_EQ(page.materials[1].material.sliding_friction, 0.5);
}

TEST(SceneListsTest, JointsComeByIdAndPage) {
  SceneDef scene = FallingBalls(3);
  for (int k = 0; k < 3; ++k) {
    JointDef joint;
    joint.name = "joint" + std::to_string(k);
    joint.body_b = "ball" + std::to_string(k);
    joint.axes[2] = JointAxis::Motor(0.5);
    scene.joints.push_back(joint);
  }
  World world = MakeWorld(scene);
  ASSERT_TRUE(world.RemoveJoints(std::vector{JointId{2}}).ok());
  const JointPage first = MakeJointPage(world, {.size = 1, .after = 0});
  ASSERT_EQ(first.ids, std::vector{JointId{1}});
  EXPECT_FALSE(first.last);
  const JointPage second = MakeJointPage(world, {.size = 2, .after = 1});
  ASSERT_EQ(second.ids, std::vector{JointId{3}});
  EXPECT_EQ(second.joints[0].name, "joint2");
  EXPECT_EQ(second.joints[0].axes[2].velocity, 0.5);
  EXPECT_TRUE(second.last);
}

TEST(SceneListsTest, TellTheMomentBetweenTwoStepsOfALongCall) {
  Stage stage;
  auto scene = stage.MakeActor(FallingBalls(3));
  auto gate = std::make_shared<Gate>();
  HoldAt(*scene, gate);
  Answer<StepAnswer> stepped;
  Answer<BodyPage> bodies;
  Answer<JointPage> joints;
  scene->Step(Steps(20), nullptr, stepped.Done());
  scene->ListBodies({.size = 2, .after = 1}, nullptr, bodies.Done());
  scene->ListJoints({.size = 2, .after = 0}, nullptr, joints.Done());
  gate->Open();
  const auto page = bodies.Get();
  ASSERT_TRUE(page.ok()) << page.status();
  EXPECT_EQ(Numbers(page->ids), (Ids{2, 3}));
  EXPECT_EQ(page->layout_version, 1);
  EXPECT_LE(page->step_index, 20);
  // Heights tell the moment: after n steps v = -g h n.
  const double h = StepSettings{}.time_step_s;
  EXPECT_NEAR(page->bodies[0].linear_velocity_world_m_s.z(),
              -9.81 * h * static_cast<double>(page->step_index), 1e-9);
  ASSERT_TRUE(joints.Get().ok());
  EXPECT_TRUE(stepped.Get().ok());
}

TEST(SceneListsTest, TellTheLastGoodStateOfAFaultedScene) {
  Stage stage;
  auto scene = stage.MakeActor(RunawayBall());
  Answer<StepAnswer> stepped;
  scene->Step(Steps(10'000), nullptr, stepped.Done());
  EXPECT_FALSE(stepped.Get().ok());
  ASSERT_FALSE(scene->info().fault.empty());
  Answer<BodyPage> bodies;
  scene->ListBodies({.size = 1, .after = 0}, nullptr, bodies.Done());
  const auto page = bodies.Get();
  ASSERT_TRUE(page.ok()) << page.status();
  ASSERT_EQ(page->ids.size(), 1u);
  EXPECT_EQ(page->step_index, scene->info().step_index);
}

TEST(SceneListsTest, EndWithTheScene) {
  Stage stage;
  auto scene = stage.MakeActor(FallingBalls(1));
  auto gate = std::make_shared<Gate>();
  HoldAt(*scene, gate);
  Answer<BodyPage> bodies;
  Answer<JointPage> joints;
  scene->ListBodies({.size = 1, .after = 0}, nullptr, bodies.Done());
  scene->ListJoints({.size = 1, .after = 0}, nullptr, joints.Done());
  scene->Delete([] {});
  gate->Open();
  EXPECT_EQ(bodies.GetError(absl::StatusCode::kAborted).reason, ErrorReason::kSceneDeleted);
  EXPECT_EQ(joints.GetError(absl::StatusCode::kAborted).reason, ErrorReason::kSceneDeleted);
}

TEST(SceneListsTest, LayoutVersionsGrowOverARestore) {
  Stage stage;
  auto scene = stage.MakeActor(FallingBalls(2));
  Answer<SceneInfo> restored;
  scene->Restore(MakeWorld(FallingBalls(3)), nullptr, restored.Done());
  const auto info = restored.Get();
  ASSERT_TRUE(info.ok());
  Answer<BodyPage> bodies;
  scene->ListBodies({.size = 10, .after = 0}, nullptr, bodies.Done());
  const auto page = bodies.Get();
  ASSERT_TRUE(page.ok());
  EXPECT_EQ(page->ids.size(), 3u);
  EXPECT_EQ(page->layout_version, info->layout_version);
  EXPECT_GT(page->layout_version, 1);
}

}  // namespace
}  // namespace talus
