// Joints that come and go, and what they are beside the solve: collisions, sleep, the state.
#include <gtest/gtest.h>

#include <cstring>

#include "solver/base/state_hash.h"
#include "tests/support/mechanisms.h"

namespace talus {
namespace {

using testing::LockAxes;
using testing::MakeBob;
using testing::MakeJoint;
using testing::MakeMechanism;
using testing::MakeWorld;
using testing::StepWorld;

const Vec3 kJointLifeGravity(0.0, 0.0, -9.81);

// A chain of bobs on ball joints from the origin along x, that falls and swings.
SceneDef Chain(int count) {
  SceneDef scene = MakeMechanism(0.005, kJointLifeGravity);
  for (int k = 0; k < count; ++k) {
    scene.bodies.push_back(MakeBob("bob" + std::to_string(k), Vec3(0.3 * k + 0.3, 0.0, 0.0)));
  }
  for (int k = 0; k < count; ++k) {
    JointDef ball = MakeJoint(k == 0 ? nullptr : &scene.bodies[k - 1], scene.bodies[k],
                              Vec3(0.3 * k, 0.0, 0.0));
    ball.name = "ball" + std::to_string(k);
    LockAxes(ball, 3);
    scene.joints.push_back(ball);
  }
  return scene;
}

TEST(JointLife, StepsToTheSameBitsForAnyWorkerCount) {
  World one = MakeWorld(Chain(5));
  World many = MakeWorld(Chain(5));
  StepWorld(one, 50, 1);
  StepWorld(many, 50, 3);
  EXPECT_EQ(one.state_hash(), many.state_hash());
}

TEST(JointLife, ForksAndRestoresToTheSameBits) {
  World world = MakeWorld(Chain(4));
  StepWorld(world, 20);
  World fork = world.Fork();
  const std::string bytes = world.SaveSnapshot();
  absl::StatusOr<World> restored = World::Restore(bytes);
  ASSERT_TRUE(restored.ok()) << restored.status();
  EXPECT_EQ(restored->state_hash(), world.state_hash());
  EXPECT_EQ(restored->SaveSnapshot(), bytes);
  const JointRecord before = world.Joints()[2];
  EXPECT_EQ(restored->Joints()[2].force_n, before.force_n);
  EXPECT_EQ(restored->Joints()[2].name, "ball2");
  StepWorld(world, 20);
  StepWorld(fork, 20);
  StepWorld(*restored, 20);
  EXPECT_EQ(fork.state_hash(), world.state_hash());
  EXPECT_EQ(restored->state_hash(), world.state_hash());
}

// Under a fresh seal a damaged joint is refused, or a scene that can be saved again and stepped.
TEST(JointLife, ADamagedSnapshotIsRefusedOrSteps) {
  World world = MakeWorld(Chain(2));
  StepWorld(world);
  const std::string bytes = world.SaveSnapshot();
  int refused = 0;
  for (size_t at = bytes.size() / 2; at < bytes.size() - 8; ++at) {
    std::string damaged = bytes;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x41);
    const uint64_t seal = HashBytes(std::string_view(damaged).substr(0, damaged.size() - 8));
    std::memcpy(damaged.data() + damaged.size() - 8, &seal, 8);
    absl::StatusOr<World> restored = World::Restore(damaged);
    refused += restored.ok() ? 0 : 1;
    if (!restored.ok()) continue;
    EXPECT_EQ(restored->SaveSnapshot(), damaged) << at;
    WorkerArena workers(1);
    restored->Step(workers).IgnoreError();
  }
  EXPECT_GT(refused, 50);
}

TEST(JointLife, TheHashKnowsWhatJointsCarry) {
  SceneDef scene = Chain(1);
  World without = MakeWorld(scene);
  scene.joints.clear();
  scene.settings.solver.solver = SolverKind::kNewton;
  World with = MakeWorld(scene);
  EXPECT_NE(without.state_hash(), with.state_hash());
}

TEST(JointLife, JointsComeAndGoByIdAndName) {
  SceneDef scene = Chain(2);
  const std::vector<JointDef> joints = scene.joints;
  scene.joints.clear();
  scene.settings.solver.solver = SolverKind::kNewton;
  World world = MakeWorld(scene);
  const auto ids = world.AddJoints(joints);
  ASSERT_TRUE(ids.ok()) << ids.status();
  EXPECT_EQ(world.joint_count(), 2u);
  EXPECT_EQ(world.joint_def(1).body_a, "bob0");
  EXPECT_EQ(world.AddJoints(joints).status().code(), absl::StatusCode::kAlreadyExists);
  EXPECT_TRUE(world.RemoveJoints({}, std::vector<std::string>{"ball0"}).ok());
  EXPECT_EQ(world.RemoveJoints({}, std::vector<std::string>{"ball0"}).code(),
            absl::StatusCode::kNotFound);
  EXPECT_EQ(world.RemoveJoints(std::vector<JointId>{(*ids)[0]}).code(),
            absl::StatusCode::kNotFound);
  EXPECT_TRUE(world.RemoveJoints(std::vector<JointId>{(*ids)[1]}).ok());
  EXPECT_EQ(world.joint_count(), 0u);
  // Nothing holds them any more.
  StepWorld(world, 10);
  EXPECT_NEAR(world.bodies().linear_velocities[0].z(), -9.81 * 0.05, 1e-12);
  // Ids are not used again.
  const auto again = world.AddJoints(joints);
  ASSERT_TRUE(again.ok());
  EXPECT_EQ(ToInteger((*again)[0]), ToInteger((*ids)[1]) + 1);
}

TEST(JointLife, ASolverThatHoldsNoJointsTakesNone) {
  SceneDef scene = Chain(1);
  scene.settings.solver.solver = SolverKind::kAlartCurnier;
  const absl::Status refused = World::Create(scene).status();
  EXPECT_EQ(refused.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_NE(refused.message().find("settings.solver.solver"), std::string_view::npos) << refused;
  const std::vector<JointDef> joints = scene.joints;
  scene.joints.clear();
  scene.settings.solver.solver = SolverKind::kLawDefault;
  World world = MakeWorld(scene);
  EXPECT_EQ(world.AddJoints(joints).status().code(), absl::StatusCode::kInvalidArgument);
}

TEST(JointLife, AJointGoesWithItsBody) {
  World world = MakeWorld(Chain(3));
  ASSERT_TRUE(world.RemoveBodies({}, std::vector<std::string>{"bob1"}).ok());
  ASSERT_EQ(world.joint_count(), 1u);
  EXPECT_EQ(world.Joints()[0].name, "ball0");
  StepWorld(world, 5);
}

TEST(JointLife, AJointGoesWithABodyThatLeavesTheDomain) {
  SceneDef scene = Chain(2);
  scene.joints.erase(scene.joints.begin());  // both fall, joined to each other
  scene.domain = Domain{Vec3(-10.0, -10.0, -0.05), Vec3(10.0, 10.0, 10.0)};
  World world = MakeWorld(scene);
  StepWorld(world, 40);
  EXPECT_EQ(world.body_count(), 0u);
  EXPECT_EQ(world.joint_count(), 0u);
}

TEST(JointLife, BodiesOfAJointCollideOnlyWhereItSaysSo) {
  for (const bool collide : {false, true}) {
    SceneDef scene = MakeMechanism(0.005);
    const BodyDef a = MakeBob("a", Vec3::Zero());
    const BodyDef b = MakeBob("b", Vec3(0.15, 0.0, 0.0));  // overlapping
    scene.bodies = {a, b};
    JointDef guide = MakeJoint(&a, b, Vec3::Zero());
    LockAxes(guide);
    guide.axes[0] = JointAxis::Free();
    guide.bodies_collide = collide;
    scene.joints = {guide};
    World world = MakeWorld(scene);
    StepWorld(world);
    EXPECT_EQ(world.Contacts().size(), collide ? 1u : 0u);
  }
}

// A bob that a weld holds in the air, and beside it one on a guide.
SceneDef SleepyScene(double motor_velocity) {
  SceneDef scene = MakeMechanism(0.01, kJointLifeGravity);
  scene.settings.sleep = SleepSettings{0.005, 0.1};
  scene.bodies = {MakeBob("welded", Vec3::Zero()), MakeBob("driven", Vec3(5.0, 0.0, 0.0))};
  for (const BodyDef& body : scene.bodies) {
    JointDef weld = MakeJoint(nullptr, body, body.pose_world.position);
    LockAxes(weld);
    scene.joints.push_back(weld);
  }
  scene.joints[1].axes[0] = JointAxis::Motor(motor_velocity, 5.0);
  return scene;
}

TEST(JointLife, HeldBodiesSleepAndDrivenOnesDoNot) {
  World world = MakeWorld(SleepyScene(1e-4));
  const StepReport report = StepWorld(world, 100);
  EXPECT_EQ(report.sleeping_body_count, 1);
  // What sleeps is still carried.
  EXPECT_NEAR(world.Joints()[0].force_n.z(), 9.81, 1e-9);
  EXPECT_NEAR(world.bodies().linear_velocities[1].x(), 1e-4, 1e-12);
  World brake = MakeWorld(SleepyScene(0.0));
  EXPECT_EQ(StepWorld(brake, 100).sleeping_body_count, 2);
}

TEST(JointLife, ABodyWakesWhenItsJointGoes) {
  World world = MakeWorld(SleepyScene(0.0));
  ASSERT_EQ(StepWorld(world, 100).sleeping_body_count, 2);
  const JointId weld = world.Joints()[0].id;
  ASSERT_TRUE(world.RemoveJoints(std::vector<JointId>{weld}).ok());
  EXPECT_EQ(StepWorld(world, 10).sleeping_body_count, 1);
  EXPECT_NEAR(world.bodies().linear_velocities[0].z(), -0.981, 1e-12);
}

TEST(JointLife, BodiesOfAJointSleepAndWakeAsOne) {
  SceneDef scene = SleepyScene(0.0);
  scene.bodies[1].pose_world.position = Vec3(1.0, 0.0, 0.0);
  scene.joints.pop_back();
  JointDef weld = MakeJoint(&scene.bodies[0], scene.bodies[1], Vec3(0.5, 0.0, 0.0));
  LockAxes(weld);
  scene.joints.push_back(weld);
  World world = MakeWorld(scene);
  ASSERT_EQ(StepWorld(world, 100).sleeping_body_count, 2);
  const JointId first = world.Joints()[0].id;
  ASSERT_TRUE(world.RemoveJoints(std::vector<JointId>{first}).ok());
  EXPECT_EQ(StepWorld(world, 1).sleeping_body_count, 0);
}

}  // namespace
}  // namespace talus
