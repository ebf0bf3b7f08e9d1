// Rays through the façade: shapes as they stand after steps, containers, and that looking leaves
// the state as it is.
#include <gtest/gtest.h>

#include "solver/parallel/worker_arena.h"
#include "solver/world/world.h"

namespace talus {
namespace {

BodyDef RayTarget(const std::string& name, BodyKind kind, const Geometry& geometry,
                  const Vec3& position) {
  BodyDef body;
  body.name = name;
  body.kind = kind;
  body.shapes.push_back({geometry, Pose{}, ""});
  body.pose_world.position = position;
  if (kind == BodyKind::kDynamic) body.density_kg_m3 = 1000.0;
  return body;
}

SceneDef TrayAndBall() {
  SceneDef scene;
  scene.settings.time_step_s = 0.01;
  scene.bodies = {RayTarget("tray", BodyKind::kStatic, Container{2.0, 2.0, 0.5, 0.1}, Vec3::Zero()),
                  RayTarget("ball", BodyKind::kDynamic, Sphere{0.25}, Vec3(0, 0, 3))};
  return scene;
}

RayHit CastDown(const World& world, double x) {
  RayQuery query;
  query.rays.push_back({Vec3(x, 0, 10), -Vec3::UnitZ()});
  const auto hits = world.CastRays(query);
  EXPECT_TRUE(hits.ok());
  return hits->front();
}

TEST(WorldRaysTest, HitTheBoxesOfAContainer) {
  const World world = *World::Create(TrayAndBall());
  const RayHit floor = CastDown(world, 0.5);
  EXPECT_EQ(floor.body, BodyId{1});
  EXPECT_EQ(floor.shape, 0u);
  EXPECT_NEAR(floor.contact.distance, 10.0, 1e-14);
  EXPECT_EQ(floor.contact.normal, Vec3::UnitZ());
  const RayHit wall = CastDown(world, 1.05);
  EXPECT_EQ(wall.body, BodyId{1});
  EXPECT_GT(wall.shape, 0u);
  EXPECT_NEAR(wall.contact.distance, 9.5, 1e-14);
  EXPECT_FALSE(CastDown(world, 1.2).hit);
}

TEST(WorldRaysTest, SeeTheStateOfNowAndLeaveIt) {
  World world = *World::Create(TrayAndBall());
  World unseen = world.Fork();
  WorkerArena workers(1);
  for (int step = 0; step < 20; ++step) {
    const RayHit ball = CastDown(world, 0.0);
    EXPECT_EQ(ball.body, BodyId{2});
    EXPECT_NEAR(ball.contact.distance, 10.0 - 0.25 - world.bodies().positions[1].z(), 1e-14);
    EXPECT_EQ(world.state_hash(), unseen.state_hash());
    ASSERT_TRUE(world.Step(workers).ok());
    ASSERT_TRUE(unseen.Step(workers).ok());
  }
  EXPECT_EQ(world.SaveSnapshot(), unseen.SaveSnapshot());
  EXPECT_LT(world.bodies().positions[1].z(), 3.0);
}

}  // namespace
}  // namespace talus
