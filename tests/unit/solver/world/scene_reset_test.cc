// Putting parts of a scene back to its origin.
#include "solver/world/scene_reset.h"

#include <gtest/gtest.h>

#include "tests/support/mechanisms.h"

namespace talus {
namespace {

using testing::LockAxes;
using testing::MakeBob;
using testing::MakeJoint;
using testing::MakeMechanism;
using testing::MakeWorld;
using testing::StepWorld;

const Vec3 kSceneResetGravity(0.0, 0.0, -9.81);

EmitterDef MakeSource(const std::string& name) {
  EmitterDef source;
  source.name = name;
  source.center_world_m = Vec3(0.0, 0.0, 20.0);
  source.nozzle_radius_m = 1.0;
  source.rate_per_s = 50.0;
  source.particle_count = 20;
  source.radius_min_m = source.radius_max_m = 0.05;
  source.density_kg_m3 = 1000.0;
  return source;
}

// A pendulum whose pivot is driven, a ball that falls, and a source of particles.
SceneDef Scene() {
  SceneDef scene = MakeMechanism(0.01, kSceneResetGravity);
  scene.bodies.push_back(MakeBob("bob", Vec3(1.0, 0.0, 5.0)));
  scene.bodies.push_back(MakeBob("ball", Vec3(3.0, 0.0, 5.0), Vec3(1.0, 0.0, 0.0)));
  JointDef pivot = MakeJoint(nullptr, scene.bodies[0], Vec3(0.0, 0.0, 5.0));
  pivot.name = "pivot";
  LockAxes(pivot, 5);
  pivot.axes[5] = JointAxis::Motor(0.5, 10.0);
  scene.joints.push_back(pivot);
  scene.emitters.push_back(MakeSource("source"));
  return scene;
}

class SceneReset : public ::testing::Test {
 protected:
  void Reset(const ResetScope& scope) {
    const absl::Status status = world_.Reset(origin_, scope);
    ASSERT_TRUE(status.ok()) << status;
    // Whatever was put back can be saved and brought back.
    const std::string bytes = world_.SaveSnapshot();
    const absl::StatusOr<World> restored = World::Restore(bytes);
    ASSERT_TRUE(restored.ok()) << restored.status();
    EXPECT_EQ(restored->state_hash(), world_.state_hash());
  }
  void AddLatecomers() {
    ASSERT_TRUE(world_.AddBodies(std::vector{MakeBob("late", Vec3(-3.0, 0.0, 5.0))}).ok());
    ASSERT_TRUE(world_.AddEmitters(std::vector{MakeSource("late-source")}).ok());
    JointDef joint =
        MakeJoint(nullptr, MakeBob("late", Vec3(-3.0, 0.0, 5.0)), Vec3(-3.0, 0.0, 6.0));
    joint.name = "late-joint";
    LockAxes(joint, 3);
    ASSERT_TRUE(world_.AddJoints(std::vector{joint}).ok());
  }

  World world_ = MakeWorld(Scene());
  const std::string origin_ = world_.SaveSnapshot();
  const uint64_t origin_hash_ = world_.state_hash();
};

TEST_F(SceneReset, AllThreePartsBringTheOriginBack) {
  World fresh = MakeWorld(Scene());
  StepWorld(world_, 30);
  AddLatecomers();
  StepWorld(world_, 10);
  Reset({.time = true, .state = true, .spawned = true});
  EXPECT_EQ(world_.body_count(), 2u);
  EXPECT_EQ(world_.step_index(), 0);
  EXPECT_EQ(world_.joint_count(), 1u);
  EXPECT_EQ(world_.emitter_count(), 1u);
  for (size_t row = 0; row < 2; ++row) {
    EXPECT_EQ(world_.bodies().positions[row], fresh.bodies().positions[row]);
    EXPECT_EQ(world_.bodies().linear_velocities[row], fresh.bodies().linear_velocities[row]);
  }
  // It goes the way it went, but for the ids that were used up.
  StepWorld(world_, 30);
  StepWorld(fresh, 30);
  ASSERT_EQ(world_.body_count(), fresh.body_count());
  for (size_t row = 0; row < world_.body_count(); ++row) {
    EXPECT_EQ(world_.bodies().positions[row], fresh.bodies().positions[row]) << row;
  }
}

TEST_F(SceneReset, TimeAlonePutsTheStepIndexBackAndOwesNothingTwice) {
  StepWorld(world_, 10);
  const size_t bodies = world_.body_count();
  const int64_t pending = world_.particles_pending();
  const Vec3 ball = world_.bodies().positions[1];
  Reset({.time = true});
  EXPECT_EQ(world_.step_index(), 0);
  EXPECT_EQ(world_.time_s(), 0.0);
  EXPECT_EQ(world_.bodies().positions[1], ball);
  EXPECT_EQ(world_.body_count(), bodies);
  StepWorld(world_, 4);
  // 50 a second: two in four steps of 10 ms.
  EXPECT_EQ(world_.particles_pending(), pending - 2);
}

TEST_F(SceneReset, StateAlonePutsBodiesBackAndKeepsLatecomers) {
  const absl::StatusOr<ActuatorTargets> targets = world_.FindActuators(std::vector<ActuatorDef>{
      {ActuatorKind::kBodyWrench, 0, "ball", 0}, {ActuatorKind::kJointVelocity, 0, "pivot", 5}});
  ASSERT_TRUE(targets.ok());
  ASSERT_TRUE(
      world_.Actuate(*targets, std::vector<double>{0.0, 9.0, 0.0, 0.0, 0.0, 0.0, 2.0}).ok());
  StepWorld(world_, 10);
  AddLatecomers();
  const size_t bodies = world_.body_count();
  Reset({.state = true});
  EXPECT_EQ(world_.step_index(), 10);
  EXPECT_EQ(world_.body_count(), bodies);
  EXPECT_EQ(world_.joint_count(), 2u);
  EXPECT_EQ(world_.bodies().positions[1], Vec3(3.0, 0.0, 5.0));
  EXPECT_EQ(world_.bodies().linear_velocities[1], Vec3(1.0, 0.0, 0.0));
  EXPECT_EQ(world_.joint_def(0).axes[5].velocity, 0.5);
  // No load any more: nothing pushes it along y.
  StepWorld(world_, 1);
  EXPECT_EQ(world_.bodies().linear_velocities[1].y(), 0.0);
}

TEST_F(SceneReset, SpawnedGoes) {
  StepWorld(world_, 10);
  AddLatecomers();
  const Vec3 ball = world_.bodies().positions[1];
  const int64_t version = world_.layout_version();
  Reset({.spawned = true});
  EXPECT_EQ(world_.body_count(), 2u);
  EXPECT_EQ(world_.joint_count(), 1u);
  EXPECT_EQ(world_.emitter_count(), 1u);
  EXPECT_EQ(world_.particles_pending(), 20);
  EXPECT_EQ(world_.step_index(), 10);
  EXPECT_EQ(world_.bodies().positions[1], ball);
  EXPECT_GT(world_.layout_version(), version);
}

TEST_F(SceneReset, WhatIsGoneStaysGone) {
  ASSERT_TRUE(world_.RemoveBodies({}, std::vector<std::string>{"ball"}).ok());
  Reset({.time = true, .state = true, .spawned = true});
  EXPECT_EQ(world_.body_count(), 1u);
}

TEST_F(SceneReset, AFaultIsForgottenWithTheState) {
  SceneDef scene = Scene();
  scene.emitters.clear();
  scene.joints.clear();
  scene.settings.time_step_s = 1.0;
  scene.settings.gravity_world_m_s2 = Vec3(0.0, 0.0, -1e6);
  World world = MakeWorld(scene);
  const std::string origin = world.SaveSnapshot();
  WorkerArena workers(1);
  while (world.Step(workers).ok()) {
  }
  EXPECT_EQ(world.Reset(origin, {.time = true}).code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(world.Reset("no snapshot", {.state = true}).code(), absl::StatusCode::kInvalidArgument);
  EXPECT_FALSE(world.fault().empty());
  ASSERT_TRUE(world.Reset(origin, {.state = true}).ok());
  EXPECT_TRUE(world.Step(workers).ok());
}

}  // namespace
}  // namespace talus
