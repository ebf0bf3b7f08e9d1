// Bodies without shapes: matter that joints hold and nothing touches.
#include <gtest/gtest.h>

#include "solver/rays/ray.h"
#include "tests/support/mechanisms.h"
#include "tests/support/sleeping_worlds.h"

namespace talus {
namespace {

using testing::kBobInertia;
using testing::LockAxes;
using testing::MakeBob;
using testing::MakeJoint;
using testing::MakeMechanism;
using testing::MakeWorld;
using testing::StepWorld;

// A bob that swings from a hinge about y; with or without its ball.
SceneDef SwingingBob(bool shapes) {
  SceneDef scene = MakeMechanism(0.005, Vec3(0.0, 0.0, -9.81));
  BodyDef bob = MakeBob("bob", Vec3(1.0, 0.0, 0.0));
  bob.inertia_body_kg_m2 = kBobInertia * Mat3::Identity();
  if (!shapes) bob.shapes.clear();
  JointDef hinge = MakeJoint(nullptr, bob, Vec3::Zero());
  LockAxes(hinge);
  hinge.axes[4] = JointAxis::Free();
  scene.bodies.push_back(bob);
  scene.joints.push_back(hinge);
  return scene;
}

TEST(ShapelessBody, MovesAsItsMatterDoesToTheBit) {
  World with = MakeWorld(SwingingBob(true));
  World without = MakeWorld(SwingingBob(false));
  StepWorld(with, 200);
  StepWorld(without, 200, 3);
  EXPECT_EQ(testing::PoseBits(without, 0, 1), testing::PoseBits(with, 0, 1));
  EXPECT_LT(without.bodies().positions[0].z(), -0.1);
}

TEST(ShapelessBody, IsSavedAndDescribedAsItIs) {
  World world = MakeWorld(SwingingBob(false));
  StepWorld(world, 20);
  EXPECT_EQ(world.shape_count(0), 0u);
  EXPECT_EQ(world.sphere_radius_m(0), 0.0);
  const BodyDef told = world.DescribeBody(0);
  EXPECT_TRUE(told.shapes.empty());
  EXPECT_EQ(told.mass_kg, testing::kBobMass);
  absl::StatusOr<World> restored = World::Restore(world.SaveSnapshot());
  ASSERT_TRUE(restored.ok()) << restored.status();
  StepWorld(world, 20);
  StepWorld(*restored, 20);
  EXPECT_EQ(restored->state_hash(), world.state_hash());
}

// A snapshot may hold nothing but such bodies, which take fewer bytes than any other.
TEST(ShapelessBody, ManyOfThemComeBackFromASnapshot) {
  SceneDef scene = MakeMechanism(0.005, Vec3(0.0, 0.0, -9.81));
  for (int k = 0; k < 20; ++k) {
    scene.bodies.push_back(MakeBob("", Vec3(k, 0.0, 0.0)));
    scene.bodies.back().shapes.clear();
    scene.bodies.back().inertia_body_kg_m2 = Mat3::Identity();
  }
  World world = MakeWorld(scene);
  StepWorld(world);
  const std::string bytes = world.SaveSnapshot();
  const absl::StatusOr<World> restored = World::Restore(bytes);
  ASSERT_TRUE(restored.ok()) << restored.status();
  EXPECT_EQ(restored->SaveSnapshot(), bytes);
}

TEST(ShapelessBody, TouchesNothingAndIsHitByNoRay) {
  SceneDef scene = MakeMechanism(0.005, Vec3(0.0, 0.0, -9.81));
  BodyDef ghost = MakeBob("ghost", Vec3(0.0, 0.0, 0.5));
  ghost.shapes.clear();
  ghost.inertia_body_kg_m2 = Mat3::Identity();
  BodyDef ground;
  ground.kind = BodyKind::kStatic;
  ground.shapes.resize(1);
  ground.shapes[0].geometry = Plane{};
  // What has shapes stands on both sides of it.
  scene.bodies = {ground, ghost, MakeBob("ball", Vec3(5.0, 0.0, 0.1))};
  World world = MakeWorld(scene);
  StepWorld(world, 100);
  EXPECT_LT(world.bodies().positions[1].z(), -0.5);
  EXPECT_NEAR(world.bodies().positions[2].z(), 0.1, 1e-6);
  RayQuery query;
  query.rays.push_back({Vec3(0.0, 0.0, 3.0), -Vec3::UnitZ(), 100.0});
  const auto hits = world.CastRays(query);
  ASSERT_TRUE(hits.ok());
  EXPECT_EQ((*hits)[0].body, world.bodies().ids[0]);
}

// Its speed counts at the distance its matter is at: a flywheel that turns is not still.
TEST(ShapelessBody, SleepsWhenItsMatterIsStill) {
  SceneDef scene = MakeMechanism(0.005);
  BodyDef wheel = MakeBob("wheel", Vec3::Zero());
  wheel.shapes.clear();
  wheel.inertia_body_kg_m2 = Mat3::Identity();
  wheel.angular_velocity_world_rad_s = Vec3(0.0, 0.0, 1.0);
  scene.bodies.push_back(wheel);
  World turning = testing::MakeSleepyWorld(scene);
  for (int step = 0; step < 50; ++step) {
    EXPECT_EQ(testing::StepOnce(turning).sleeping_body_count, 0);
  }
  scene.bodies[0].angular_velocity_world_rad_s.setZero();
  World still = testing::MakeSleepyWorld(scene);
  testing::StepUntilAsleep(still, 1, 50);
}

TEST(ShapelessBody, NeedsMassAndInertia) {
  SceneDef scene = SwingingBob(false);
  scene.bodies[0].inertia_body_kg_m2.reset();
  EXPECT_EQ(World::Create(scene).status().code(), absl::StatusCode::kInvalidArgument);
  scene.bodies[0].mass_kg.reset();
  scene.bodies[0].density_kg_m3 = 1000.0;
  scene.bodies[0].inertia_body_kg_m2 = Mat3::Identity();
  EXPECT_EQ(World::Create(scene).status().code(), absl::StatusCode::kInvalidArgument);
  scene.bodies[0].density_kg_m3.reset();
  scene.bodies[0].kind = BodyKind::kKinematic;
  scene.joints.clear();
  EXPECT_TRUE(World::Create(scene).ok());
}

TEST(AddModel, IsAddBodiesAndThenAddJoints) {
  const SceneDef pendulum = SwingingBob(false);
  SceneDef empty = MakeMechanism(0.005, Vec3(0.0, 0.0, -9.81));
  empty.settings.solver.solver = SolverKind::kNewton;
  World at_once = MakeWorld(empty);
  World one_by_one = MakeWorld(empty);
  const auto added = at_once.AddModel(pendulum.bodies, {}, pendulum.joints);
  ASSERT_TRUE(added.ok()) << added.status();
  const auto bodies = one_by_one.AddBodies(pendulum.bodies);
  ASSERT_TRUE(bodies.ok());
  const auto joints = one_by_one.AddJoints(pendulum.joints);
  ASSERT_TRUE(joints.ok());
  EXPECT_EQ(added->body_ids, *bodies);
  EXPECT_EQ(added->joint_ids, *joints);
  EXPECT_EQ(at_once.layout_version(), one_by_one.layout_version());
  EXPECT_EQ(at_once.state_hash(), one_by_one.state_hash());
}

TEST(AddModel, AddsAllOrNothing) {
  const SceneDef pendulum = SwingingBob(false);
  SceneDef empty = MakeMechanism(0.005);
  empty.settings.solver.solver = SolverKind::kNewton;
  World world = MakeWorld(empty);
  const uint64_t hash = world.state_hash();
  const int64_t layout = world.layout_version();
  const std::vector<NamedMaterial> steel = {{"steel", {}}};
  std::vector<JointDef> joints = {pendulum.joints[0], pendulum.joints[0]};
  joints[1].body_b = "nobody";
  const absl::Status refused = world.AddModel(pendulum.bodies, steel, joints).status();
  EXPECT_EQ(refused.message(), "joints[1].body_b = \"nobody\" must name a body of the scene");
  EXPECT_EQ(world.state_hash(), hash);
  EXPECT_EQ(world.layout_version(), layout);
  EXPECT_EQ(world.body_count(), 0u);
  EXPECT_FALSE(world.FindMaterial("steel").has_value());
  // A solver without joints takes the bodies alone.
  World plain = MakeWorld(MakeMechanism(0.005));
  EXPECT_EQ(plain.AddModel(pendulum.bodies, {}, pendulum.joints).status().code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(plain.body_count(), 0u);
  EXPECT_TRUE(plain.AddModel(pendulum.bodies, {}, {}).ok());
}

}  // namespace
}  // namespace talus
