// Bodies set to other poses and velocities between two steps: what is set, what is refused, and
// what a step must not carry over.
#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "solver/base/field_error.h"
#include "tests/support/mechanisms.h"
#include "tests/support/sleeping_worlds.h"

namespace talus {
namespace {

using testing::LockAxes;
using testing::MakeBall;
using testing::MakeBob;
using testing::MakeJoint;
using testing::MakeMechanism;
using testing::MakeWorld;
using testing::StepOnce;
using testing::StepWorld;
using testing::Towers;

BodyUpdate Place(const std::string& name, const Vec3& position) {
  BodyUpdate update;
  update.body = name;
  update.position_world_m = position;
  return update;
}

BodyUpdate Push(const std::string& name, const Vec3& velocity) {
  BodyUpdate update;
  update.body = name;
  update.linear_velocity_world_m_s = velocity;
  return update;
}

// A tower of three cubes under which the ground is called "ground", with a ball in the air.
SceneDef TowerAndBall() {
  SceneDef scene = Towers(1, 0.0);
  scene.bodies.push_back(MakeBall(Vec3(5.0, 0.0, 5.0)));
  scene.bodies.back().name = "ball";
  return scene;
}

TEST(UpdateBodies, SetsWhatIsNamedAtOnceAndNothingElse) {
  World world = MakeWorld(TowerAndBall());
  StepWorld(world, 3);
  const uint64_t hash = world.state_hash();
  const int64_t layout_version = world.layout_version();
  const std::string told = world.SaveLastStep().contacts;
  const Vec3 velocity = world.bodies().linear_velocities[4];
  BodyUpdate ball;
  ball.body = world.bodies().ids[4];
  ball.position_world_m = Vec3(7.0, 1.0, 2.0);
  ball.orientation_world = Quat(0.6, 0.0, 0.0, 0.8 + 1e-9);
  ball.angular_velocity_world_rad_s = Vec3(0.0, 3.0, 0.0);
  ASSERT_TRUE(world.UpdateBodies({&ball, 1}).ok());
  const BodyStateView bodies = world.bodies();
  EXPECT_EQ(bodies.positions[4], Vec3(7.0, 1.0, 2.0));
  EXPECT_NEAR(bodies.orientations[4].norm(), 1.0, 1e-15);
  EXPECT_NEAR(bodies.orientations[4].z(), 0.8, 1e-9);
  EXPECT_EQ(bodies.linear_velocities[4], velocity);
  EXPECT_EQ(bodies.angular_velocities[4], Vec3(0.0, 3.0, 0.0));
  EXPECT_NE(world.state_hash(), hash);
  EXPECT_EQ(world.step_index(), 3);
  EXPECT_EQ(world.layout_version(), layout_version);
  EXPECT_EQ(world.SaveLastStep().contacts, told);
  EXPECT_EQ(world.last_report().state_hash, hash);
  EXPECT_EQ(World::Restore(world.SaveSnapshot())->state_hash(), world.state_hash());
  StepWorld(world, 1);
  EXPECT_NEAR(world.bodies().positions[4].x(), 7.0, 1e-12);
}

struct Refusal {
  BodyUpdate update;
  absl::StatusCode code;
  std::string field;
};

std::vector<Refusal> ListRefusals() {
  using enum absl::StatusCode;
  std::vector<Refusal> refusals;
  const auto add = [&](BodyUpdate update, absl::StatusCode code, const std::string& field) {
    refusals.push_back({std::move(update), code, field});
  };
  BodyUpdate unknown = Place("", Vec3::Zero());
  unknown.body = BodyId{99};
  add(unknown, kNotFound, "updates[1].body_id");
  add(Place("nobody", Vec3::Zero()), kNotFound, "updates[1].body_name");
  add(Place("", Vec3::Zero()), kNotFound, "updates[1].body_name");
  add(Place("ball", Vec3::Zero()), kInvalidArgument, "updates[1].body_name");
  BodyUpdate again = Place("", Vec3::Zero());
  again.body = BodyId{5};
  add(again, kInvalidArgument, "updates[1].body_id");
  BodyUpdate nothing;
  nothing.body = "ground";
  add(nothing, kInvalidArgument, "updates[1].update_mask");
  const double nan = std::numeric_limits<double>::quiet_NaN();
  add(Place("ground", Vec3(0.0, nan, 0.0)), kInvalidArgument,
      "updates[1].values.position_world_m.y");
  add(Place("ground", Vec3(0.0, 0.0, 2e9)), kInvalidArgument,
      "updates[1].values.position_world_m.z");
  BodyUpdate turned;
  turned.body = "ground";
  turned.orientation_world = Quat(0.0, 0.0, 0.0, 0.0);
  add(turned, kInvalidArgument, "updates[1].values.orientation_world");
  add(Push("ground", Vec3(0.0, 0.0, 1.0)), kInvalidArgument,
      "updates[1].values.linear_velocity_world_m_s");
  BodyUpdate spun;
  spun.body = "ground";
  spun.angular_velocity_world_rad_s = Vec3(0.0, 0.0, 1.0);
  add(spun, kInvalidArgument, "updates[1].values.angular_velocity_world_rad_s");
  BodyUpdate fast;
  fast.body = BodyId{2};
  fast.linear_velocity_world_m_s = Vec3(2e6, 0.0, 0.0);
  add(fast, kInvalidArgument, "updates[1].values.linear_velocity_world_m_s.x");
  return refusals;
}

TEST(UpdateBodies, SetsAllOrNone) {
  World world = MakeWorld(TowerAndBall());
  StepWorld(world, 3);
  const uint64_t hash = world.state_hash();
  const std::string bytes = world.SaveSnapshot();
  for (const Refusal& refusal : ListRefusals()) {
    const std::vector<BodyUpdate> updates = {Place("ball", Vec3(9.0, 9.0, 9.0)), refusal.update};
    const absl::Status status = world.UpdateBodies(updates);
    EXPECT_EQ(status.code(), refusal.code) << status;
    const auto parts = GetFieldError(status);
    ASSERT_TRUE(parts.has_value()) << status;
    EXPECT_EQ(parts->field, refusal.field);
    EXPECT_FALSE(parts->value.empty()) << status;
    EXPECT_FALSE(parts->allowed.empty()) << status;
    EXPECT_EQ(world.state_hash(), hash) << status;
    EXPECT_EQ(world.SaveSnapshot(), bytes) << status;
  }
}

// The same key of a contact at another place is another contact: the ball goes on as one that was
// made there, to the bit, though its bristles were bent and its solve had a start.
TEST(UpdateBodies, AMovedBodyTakesNothingOfItsContactsAlong) {
  SceneDef scene;
  scene.materials.push_back({"bristly", {0.8, 0.0, 0.0, 0.0}});
  scene.materials[0].material.elasticity.sliding_stiffness_n_per_m = 1e3;
  BodyDef ground;
  ground.kind = BodyKind::kStatic;
  ground.shapes.push_back({Plane{Vec3(0.0, 0.0, 1.0)}, Pose{}, "bristly"});
  BodyDef ball = MakeBob("ball", Vec3(0.0, 0.0, 0.1));
  ball.shapes[0].material = "bristly";
  scene.bodies = {ground, ball};
  scene.settings.gravity_world_m_s2 = Vec3(3.0, 0.0, -9.81);
  scene.settings.time_step_s = 1e-3;
  World world = MakeWorld(scene);
  StepWorld(world, 50);
  ASSERT_GT(world.Contacts().at(0).force_world_n.norm(), 1.0);
  BodyUpdate update;
  update.body = "ball";
  update.position_world_m = Vec3(-2.0, 1.0, 0.1);
  update.orientation_world = Quat::Identity();
  update.linear_velocity_world_m_s = Vec3::Zero();
  update.angular_velocity_world_rad_s = Vec3::Zero();
  ASSERT_TRUE(world.UpdateBodies({&update, 1}).ok());
  scene.bodies[1].pose_world.position = Vec3(-2.0, 1.0, 0.1);
  World fresh = MakeWorld(scene);
  for (int step = 0; step < 20; ++step) {
    StepWorld(world, 1);
    StepWorld(fresh, 1);
    ASSERT_EQ(world.bodies().positions[1], fresh.bodies().positions[1]) << step;
    ASSERT_EQ(world.bodies().angular_velocities[1], fresh.bodies().angular_velocities[1]) << step;
  }
}

// What bodies carry stays where nothing but velocities were set.
TEST(UpdateBodies, ContactsOfABodyThatIsPushedGoOn) {
  World world = MakeWorld(TowerAndBall());
  StepWorld(world, 20);
  World pushed = world.Fork();
  BodyUpdate update;
  update.body = BodyId{4};
  update.linear_velocity_world_m_s = world.bodies().linear_velocities[3] + Vec3(1e-6, 0.0, 0.0);
  ASSERT_TRUE(pushed.UpdateBodies({&update, 1}).ok());
  World moved = world.Fork();
  update = {};
  update.body = BodyId{4};
  update.position_world_m = world.bodies().positions[3] + Vec3(1e-9, 0.0, 0.0);
  ASSERT_TRUE(moved.UpdateBodies({&update, 1}).ok());
  StepWorld(pushed, 1);
  StepWorld(moved, 1);
  EXPECT_LT(pushed.last_report().sweep_count, moved.last_report().sweep_count);
}

TEST(UpdateBodies, WhatIsSetToWhatItHasIsLeftAsItIs) {
  World world = MakeWorld(TowerAndBall());
  StepWorld(world, 3);
  const std::string bytes = world.SaveSnapshot();
  std::vector<BodyUpdate> updates;
  for (size_t row = 1; row < world.body_count(); ++row) {
    BodyUpdate& update = updates.emplace_back();
    update.body = world.bodies().ids[row];
    update.position_world_m = world.bodies().positions[row];
    update.linear_velocity_world_m_s = world.bodies().linear_velocities[row];
    update.angular_velocity_world_rad_s = world.bodies().angular_velocities[row];
  }
  ASSERT_TRUE(world.UpdateBodies(updates).ok());
  EXPECT_EQ(world.SaveSnapshot(), bytes);
  ASSERT_TRUE(world.UpdateBodies({}).ok());
  EXPECT_EQ(world.SaveSnapshot(), bytes);
}

TEST(UpdateBodies, ABodyThatIsOutOfItsJointIsBroughtBack) {
  SceneDef scene = MakeMechanism(0.01);
  scene.bodies.push_back(MakeBob("bob", Vec3(0.0, 0.0, 0.0)));
  JointDef weld = MakeJoint(nullptr, scene.bodies[0], Vec3::Zero());
  LockAxes(weld);
  scene.joints.push_back(weld);
  World world = MakeWorld(scene);
  StepWorld(world, 2);
  const BodyUpdate update = Place("bob", Vec3(0.5, 0.0, 0.0));
  ASSERT_TRUE(world.UpdateBodies({&update, 1}).ok());
  EXPECT_EQ(world.joint_count(), 1u);
  EXPECT_NEAR(world.Joints()[0].translation_m.x(), 0.5, 1e-12);
  StepWorld(world, 1);
  // Not at once, nor faster than overlaps are undone.
  const double step_m = scene.settings.recovery_speed_m_s * 0.01;
  EXPECT_NEAR(world.bodies().positions[0].x(), 0.5 - step_m, 1e-9);
  StepWorld(world, static_cast<int>(0.5 / step_m) + 50);
  EXPECT_NEAR(world.bodies().positions[0].x(), 0.0, 1e-6);
}

TEST(UpdateBodies, AFaultedSceneRefuses) {
  SceneDef scene = MakeMechanism(1.0, Vec3(0.0, 0.0, -1e6));
  scene.bodies.push_back(MakeBob("bob", Vec3::Zero()));
  World world = MakeWorld(scene);
  WorkerArena workers(1);
  while (world.fault().empty()) (void)world.Step(workers).ok();
  const uint64_t hash = world.state_hash();
  const BodyUpdate update = Place("bob", Vec3::Zero());
  EXPECT_EQ(world.UpdateBodies({&update, 1}).code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(world.state_hash(), hash);
}

}  // namespace
}  // namespace talus
