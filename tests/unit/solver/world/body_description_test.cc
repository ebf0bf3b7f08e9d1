// What a world tells of a body makes the same body again.
#include <gtest/gtest.h>

#include <vector>

#include "tests/support/worlds.h"

namespace talus {
namespace {

using testing::MakeWorld;
using testing::StepWorld;

NamedMaterial MakeRubber() {
  NamedMaterial rubber{"rubber", {}};
  rubber.material.sliding_friction = 0.7;
  rubber.material.restitution = 0.25;
  return rubber;
}

// One body of each kind and shape; the quaternions have lengths of exactly 1.
SceneDef OneOfEach() {
  SceneDef scene;
  scene.materials = {MakeRubber(), {"ice", {.sliding_friction = 0.01}}};
  BodyDef& ground = scene.bodies.emplace_back();
  ground.name = "ground";
  ground.kind = BodyKind::kStatic;
  ground.shapes.push_back({Plane{Vec3::UnitZ()}, Pose{}, "rubber"});
  BodyDef& tray = scene.bodies.emplace_back();
  tray.kind = BodyKind::kKinematic;
  tray.pose_world = {Vec3(5.0, 0.0, 1.0), Quat(0.5, 0.5, 0.5, 0.5)};
  tray.linear_velocity_world_m_s = Vec3(0.1, 0.0, 0.0);
  tray.shapes.push_back(
      {Container{1.0, 2.0, 0.5, 0.1}, Pose{Vec3(0, 0, 0.1), Quat(0, 0, 0, 1)}, "ice"});
  BodyDef& dumbbell = scene.bodies.emplace_back();
  dumbbell.name = "dumbbell";
  dumbbell.pose_world = {Vec3(0.0, 0.0, 1.0), Quat(0.5, -0.5, 0.5, -0.5)};
  dumbbell.angular_velocity_world_rad_s = Vec3(1.0, 2.0, 3.0);
  dumbbell.density_kg_m3 = 700.0;
  dumbbell.shapes.push_back({Sphere{0.1}, Pose{Vec3(0.2, 0, 0), Quat::Identity()}, "rubber"});
  dumbbell.shapes.push_back({Sphere{0.1}, Pose{Vec3(-0.2, 0, 0), Quat::Identity()}, ""});
  dumbbell.shapes.push_back({Box{Vec3(0.1, 0.02, 0.03)}, Pose{}, "ice"});
  BodyDef& ball = scene.bodies.emplace_back();
  ball.name = "ball";
  ball.pose_world.position = Vec3(1.0, 0.0, 0.2);
  ball.mass_kg = 3.0;
  ball.shapes.push_back({Sphere{0.2}, Pose{}, "rubber"});
  return scene;
}

std::vector<BodyDef> DescribeAll(const World& world) {
  std::vector<BodyDef> bodies;
  for (size_t row = 0; row < world.body_count(); ++row) bodies.push_back(world.DescribeBody(row));
  return bodies;
}

TEST(BodyDescription, MakesAWorldOfTheSameBits) {
  const SceneDef scene = OneOfEach();
  World world = MakeWorld(scene);
  SceneDef again = scene;
  again.bodies = DescribeAll(world);
  World second = MakeWorld(again);
  EXPECT_EQ(second.state_hash(), world.state_hash());
  EXPECT_EQ(second.SaveSnapshot(), world.SaveSnapshot());
  StepWorld(world, 60);
  StepWorld(second, 60);
  EXPECT_EQ(second.state_hash(), world.state_hash());
}

TEST(BodyDescription, FillsInWhatTheSolverHas) {
  const World world = MakeWorld(OneOfEach());
  const std::vector<BodyDef> bodies = DescribeAll(world);
  ASSERT_EQ(bodies.size(), 4u);
  EXPECT_EQ(bodies[0].name, "ground");
  EXPECT_EQ(bodies[0].kind, BodyKind::kStatic);
  EXPECT_FALSE(bodies[0].mass_kg.has_value());
  EXPECT_FALSE(bodies[0].inertia_body_kg_m2.has_value());
  EXPECT_EQ(bodies[1].name, "");
  EXPECT_EQ(bodies[1].linear_velocity_world_m_s, Vec3(0.1, 0.0, 0.0));
  ASSERT_EQ(bodies[1].shapes.size(), 5u);
  EXPECT_EQ(world.shape_count(1), 5u);
  for (const ShapeDef& box : bodies[1].shapes) {
    EXPECT_TRUE(std::holds_alternative<Box>(box.geometry));
    EXPECT_EQ(box.material, "ice");
  }
  EXPECT_TRUE(bodies[2].mass_kg.has_value());
  EXPECT_FALSE(bodies[2].density_kg_m3.has_value());
  EXPECT_EQ(bodies[2].shapes[0].pose_body.position, Vec3(0.2, 0.0, 0.0));
  EXPECT_EQ(bodies[2].shapes[1].material, "");
  EXPECT_EQ(bodies[3].mass_kg, 3.0);
  EXPECT_NEAR((*bodies[3].inertia_body_kg_m2)(1, 1), 0.4 * 3.0 * 0.04, 1e-15);
}

TEST(BodyDescription, TellsWhereABodyIsNow) {
  World world = MakeWorld(OneOfEach());
  StepWorld(world, 10);
  const BodyDef body = world.DescribeBody(2);
  EXPECT_EQ(body.pose_world.position, world.bodies().positions[2]);
  EXPECT_EQ(body.pose_world.orientation.coeffs(), world.bodies().orientations[2].coeffs());
  EXPECT_EQ(body.linear_velocity_world_m_s, world.bodies().linear_velocities[2]);
  EXPECT_EQ(body.angular_velocity_world_rad_s, world.bodies().angular_velocities[2]);
}

TEST(BodyDescription, FindsTheMaterialsThatShapesName) {
  World world = MakeWorld(OneOfEach());
  ASSERT_TRUE(world.FindMaterial("rubber").has_value());
  EXPECT_EQ(world.FindMaterial("rubber")->restitution, 0.25);
  EXPECT_EQ(world.FindMaterial("wood"), std::nullopt);
}

}  // namespace
}  // namespace talus
