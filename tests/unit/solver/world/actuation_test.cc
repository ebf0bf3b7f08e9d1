// Driving bodies and joints from outside: what acts, for how long, what keeps it, what is refused.
#include "solver/world/actuation.h"

#include <gtest/gtest.h>

#include <cstring>
#include <limits>

#include "solver/base/field_error.h"
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

const Vec3 kNoGravity = Vec3::Zero();
constexpr double kStep = 0.01;

BodyDef MakeBrick(const std::string& name) {
  BodyDef brick;
  brick.name = name;
  brick.shapes.resize(1);
  brick.shapes[0].geometry = Box{Vec3(0.1, 0.2, 0.3)};
  brick.mass_kg = 2.0;
  return brick;
}

ActuatorDef WrenchOn(const std::string& body) {
  return {.kind = ActuatorKind::kBodyWrench, .id = 0, .name = body, .axis = 0};
}

// Drives, and fails the test when it may not.
void Drive(World& world, const std::vector<ActuatorDef>& actuators,
           const std::vector<double>& values) {
  const absl::StatusOr<ActuatorTargets> targets = world.FindActuators(actuators);
  ASSERT_TRUE(targets.ok()) << targets.status();
  const absl::Status status = world.Actuate(*targets, values);
  ASSERT_TRUE(status.ok()) << status;
}

SceneDef Brick() {
  SceneDef scene = MakeMechanism(kStep, kNoGravity);
  scene.bodies.push_back(MakeBrick("brick"));
  return scene;
}

// A bob that a motor moves along x on a rail, as JOINT kinds see it.
SceneDef Rail(const JointAxis& drive) {
  SceneDef scene = MakeMechanism(kStep, kNoGravity);
  scene.bodies.push_back(MakeBob("bob", Vec3(0.0, 0.0, 0.0)));
  JointDef rail = MakeJoint(nullptr, scene.bodies[0], Vec3::Zero());
  rail.name = "rail";
  LockAxes(rail, 6);
  rail.axes[0] = drive;
  scene.joints.push_back(rail);
  return scene;
}

ActuatorDef OfRail(ActuatorKind kind, int axis = 0) {
  return {.kind = kind, .id = 0, .name = "rail", .axis = axis};
}

TEST(Actuation, AForceAcceleratesUntilItIsTakenAway) {
  World world = MakeWorld(Brick());
  Drive(world, {WrenchOn("brick")}, {3.0, 0.0, -1.0, 0.0, 0.0, 0.0});
  StepWorld(world, 10);
  // v = n h F / m
  EXPECT_NEAR(world.bodies().linear_velocities[0].x(), 10 * kStep * 3.0 / 2.0, 1e-14);
  EXPECT_NEAR(world.bodies().linear_velocities[0].z(), -10 * kStep * 1.0 / 2.0, 1e-14);
  Drive(world, {WrenchOn("brick")}, {0.0, 0.0, 0.0, 0.0, 0.0, 0.0});
  StepWorld(world, 10);
  EXPECT_NEAR(world.bodies().linear_velocities[0].x(), 10 * kStep * 3.0 / 2.0, 1e-14);
}

TEST(Actuation, ATorqueActsThroughTheInertiaInTheWorldFrame) {
  SceneDef scene = Brick();
  // A quarter turn about z: the body's x axis, of the greatest inertia, lies along y.
  scene.bodies[0].pose_world.orientation = Quat(Eigen::AngleAxisd(M_PI / 2, Vec3::UnitZ()));
  World world = MakeWorld(scene);
  Drive(world, {WrenchOn("brick")}, {0.0, 0.0, 0.0, 0.0, 0.5, 0.0});
  StepWorld(world, 1);
  const double inertia_x = 2.0 / 12.0 * (0.4 * 0.4 + 0.6 * 0.6);
  EXPECT_NEAR(world.bodies().angular_velocities[0].y(), kStep * 0.5 / inertia_x, 1e-14);
  EXPECT_NEAR(world.bodies().angular_velocities[0].x(), 0.0, 1e-14);
}

TEST(Actuation, AKinematicBodyMovesAsItIsTold) {
  SceneDef scene = Brick();
  scene.bodies[0].kind = BodyKind::kKinematic;
  World world = MakeWorld(scene);
  const ActuatorDef velocity{
      .kind = ActuatorKind::kBodyVelocity, .id = 0, .name = "brick", .axis = 0};
  Drive(world, {velocity}, {0.5, 0.0, 0.0, 0.0, 0.0, 1.0});
  StepWorld(world, 20);
  EXPECT_NEAR(world.bodies().positions[0].x(), 20 * kStep * 0.5, 1e-12);
  EXPECT_NEAR(world.bodies().orientations[0].z(), std::sin(20 * kStep / 2.0), 1e-6);
}

TEST(Actuation, AMotorFollowsItsNewTarget) {
  World world = MakeWorld(Rail(JointAxis::Motor(0.0)));
  Drive(world, {OfRail(ActuatorKind::kJointVelocity)}, {0.25});
  StepWorld(world, 4);
  EXPECT_NEAR(world.bodies().linear_velocities[0].x(), 0.25, 1e-9);
}

TEST(Actuation, AMotorIsAsStrongAsItIsTold) {
  World world = MakeWorld(Rail(JointAxis::Motor(100.0, 0.0)));
  StepWorld(world, 1);
  EXPECT_EQ(world.bodies().linear_velocities[0].x(), 0.0);
  Drive(world, {OfRail(ActuatorKind::kJointForce)}, {2.0});
  StepWorld(world, 3);
  EXPECT_NEAR(world.bodies().linear_velocities[0].x(), 3 * kStep * 2.0 / testing::kBobMass, 1e-9);
}

TEST(Actuation, ALockMovesToItsNewPlace) {
  World world = MakeWorld(Rail(JointAxis::Spring(0.0, 1000.0)));
  Drive(world, {OfRail(ActuatorKind::kJointPosition)}, {0.02});
  StepWorld(world, 2000);
  EXPECT_NEAR(world.bodies().positions[0].x(), 0.02, 1e-6);
}

TEST(Actuation, ASleepingBodyWakesUnderALoadAndAMotorThatStarts) {
  SceneDef scene = Brick();
  scene.settings.sleep = SleepSettings{};
  World world = MakeWorld(scene);
  StepWorld(world, 200);
  ASSERT_EQ(world.last_report().sleeping_body_count, 1);
  Drive(world, {WrenchOn("brick")}, {1.0, 0.0, 0.0, 0.0, 0.0, 0.0});
  StepWorld(world, 1);
  EXPECT_EQ(world.last_report().sleeping_body_count, 0);
  EXPECT_GT(world.bodies().linear_velocities[0].x(), 0.0);

  SceneDef driven = Rail(JointAxis::Motor(0.0));
  driven.settings.sleep = SleepSettings{};
  World rail = MakeWorld(driven);
  StepWorld(rail, 200);
  ASSERT_EQ(rail.last_report().sleeping_body_count, 1);
  Drive(rail, {OfRail(ActuatorKind::kJointVelocity)}, {0.5});
  StepWorld(rail, 1);
  EXPECT_NEAR(rail.bodies().linear_velocities[0].x(), 0.5, 1e-9);
}

TEST(Actuation, ForksAndRestoredScenesAreDrivenOn) {
  SceneDef scene = Rail(JointAxis::Motor(0.0, 5.0));
  scene.bodies.push_back(MakeBrick("brick"));
  scene.bodies.back().pose_world.position = Vec3(0.0, 3.0, 0.0);
  World world = MakeWorld(scene);
  const uint64_t undriven = world.state_hash();
  Drive(world, {WrenchOn("brick"), OfRail(ActuatorKind::kJointVelocity)},
        {1.0, 2.0, 3.0, 0.1, 0.2, 0.3, 0.75});
  EXPECT_NE(world.state_hash(), undriven);
  World fork = world.Fork();
  const std::string bytes = world.SaveSnapshot();
  absl::StatusOr<World> restored = World::Restore(bytes);
  ASSERT_TRUE(restored.ok()) << restored.status();
  EXPECT_EQ(restored->SaveSnapshot(), bytes);
  EXPECT_EQ(restored->state_hash(), world.state_hash());
  for (World* one : {&world, &fork, &*restored}) StepWorld(*one, 30, one == &fork ? 3 : 1);
  EXPECT_EQ(fork.state_hash(), world.state_hash());
  EXPECT_EQ(restored->state_hash(), world.state_hash());
  EXPECT_GT(world.bodies().linear_velocities[1].x(), 0.1);
}

// Under a fresh seal what is damaged is refused, or a scene that can be saved again and stepped.
TEST(Actuation, ADamagedSnapshotIsRefusedOrSteps) {
  World world = MakeWorld(Brick());
  const size_t plain = world.SaveSnapshot().size();
  Drive(world, {WrenchOn("brick")}, {1.0, 2.0, 3.0, 0.1, 0.2, 0.3});
  const std::string bytes = world.SaveSnapshot();
  ASSERT_GT(bytes.size(), plain);
  int refused = 0;
  for (size_t at = plain - 8; at < bytes.size() - 8; ++at) {
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
  EXPECT_GT(refused, 10);
}

TEST(Actuation, ALoadGoesWithItsBody) {
  World world = MakeWorld(Brick());
  const absl::StatusOr<ActuatorTargets> targets =
      world.FindActuators(std::vector{WrenchOn("brick")});
  ASSERT_TRUE(targets.ok());
  const std::vector<double> values = {1.0, 0.0, 0.0, 0.0, 0.0, 0.0};
  ASSERT_TRUE(world.Actuate(*targets, values).ok());
  ASSERT_TRUE(world.RemoveBodies({}, std::vector<std::string>{"brick"}).ok());
  StepWorld(world, 2);
  const absl::Status gone = world.Actuate(*targets, values);
  EXPECT_EQ(gone.code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(GetFieldError(gone)->field, "actuators[0].id");
}

void ExpectRefused(const World& world, const std::vector<ActuatorDef>& actuators,
                   absl::StatusCode code, const std::string& field) {
  const absl::StatusOr<ActuatorTargets> targets = world.FindActuators(actuators);
  EXPECT_EQ(targets.status().code(), code) << targets.status();
  ASSERT_TRUE(GetFieldError(targets.status()).has_value());
  EXPECT_EQ(GetFieldError(targets.status())->field, field);
}

TEST(Actuation, WhatCannotBeDrivenIsRefused) {
  const World world = MakeWorld(Rail(JointAxis::Motor(0.0)));
  constexpr auto kInvalid = absl::StatusCode::kInvalidArgument;
  constexpr auto kMissing = absl::StatusCode::kNotFound;
  ExpectRefused(world, {WrenchOn("nobody")}, kMissing, "actuators[0].name");
  ExpectRefused(world, {WrenchOn("bob"), {ActuatorKind::kBodyWrench, 99, {}, 0}}, kMissing,
                "actuators[1].id");
  ExpectRefused(world, {WrenchOn("bob"), WrenchOn("bob")}, kInvalid, "actuators[1].name");
  ExpectRefused(world, {WrenchOn("")}, kInvalid, "actuators[0].name");
  ExpectRefused(world, {{ActuatorKind::kBodyWrench, 1, "bob", 0}}, kInvalid, "actuators[0].name");
  ExpectRefused(world, {{ActuatorKind{9}, 0, "bob", 0}}, kInvalid, "actuators[0].kind");
  ExpectRefused(world, {{ActuatorKind::kBodyVelocity, 0, "bob", 0}}, kInvalid, "actuators[0].kind");
  ExpectRefused(world, {{ActuatorKind::kBodyWrench, 0, "bob", 1}}, kInvalid, "actuators[0].axis");
  ExpectRefused(world, {OfRail(ActuatorKind::kJointVelocity, 6)}, kInvalid, "actuators[0].axis");
  ExpectRefused(world, {OfRail(ActuatorKind::kJointVelocity, 1)}, kInvalid, "actuators[0].axis");
  ExpectRefused(world, {OfRail(ActuatorKind::kJointPosition, 0)}, kInvalid, "actuators[0].axis");
}

TEST(Actuation, NoMoreThanTheBoundAtOnce) {
  const World world = MakeWorld(Brick());
  const std::vector<ActuatorDef> many(65'537, WrenchOn("brick"));
  ExpectRefused(world, many, absl::StatusCode::kResourceExhausted, "size(actuators)");
}

// As when a scene is restored from another while it is controlled.
TEST(Actuation, TargetsOfAnotherSceneAreRefusedWhereTheyFindAnotherThing) {
  const World found_in = MakeWorld(Rail(JointAxis::Motor(0.0)));
  SceneDef other = Rail(JointAxis::Locked());
  other.bodies[0].kind = BodyKind::kKinematic;
  other.bodies.push_back(MakeBrick("brick"));
  other.joints[0].body_a = "brick";
  World world = MakeWorld(other);
  const uint64_t before = world.state_hash();
  const auto refuse = [&](const ActuatorDef& actuator, const std::vector<double>& values,
                          const std::string& field) {
    const auto targets = found_in.FindActuators(std::vector{actuator});
    ASSERT_TRUE(targets.ok()) << targets.status();
    const absl::Status status = world.Actuate(*targets, values);
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << status;
    EXPECT_EQ(GetFieldError(status)->field, field);
    EXPECT_EQ(world.state_hash(), before);
    EXPECT_TRUE(World::Restore(world.SaveSnapshot()).ok());
  };
  refuse(WrenchOn("bob"), {1.0, 0.0, 0.0, 0.0, 0.0, 0.0}, "actuators[0].kind");
  refuse(OfRail(ActuatorKind::kJointVelocity), {1.0}, "actuators[0].axis");
  refuse(OfRail(ActuatorKind::kJointForce), {1.0}, "actuators[0].axis");
}

TEST(Actuation, ValuesOutOfRangeChangeNothing) {
  World world = MakeWorld(Rail(JointAxis::Motor(0.0, 1.0)));
  const std::vector<ActuatorDef> actuators = {WrenchOn("bob"), OfRail(ActuatorKind::kJointVelocity),
                                              OfRail(ActuatorKind::kJointForce)};
  const absl::StatusOr<ActuatorTargets> targets = world.FindActuators(actuators);
  ASSERT_TRUE(targets.ok()) << targets.status();
  ASSERT_EQ(targets->value_count, 8u);
  const uint64_t before = world.state_hash();
  const auto refuse = [&](std::vector<double> values, const std::string& field) {
    const absl::Status status = world.Actuate(*targets, values);
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << field;
    EXPECT_EQ(GetFieldError(status)->field, field);
    EXPECT_EQ(world.state_hash(), before);
  };
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  constexpr double kInf = std::numeric_limits<double>::infinity();
  refuse({1.0, 0.0}, "size(values)");
  refuse({1.0, 0.0, 0.0, 0.0, kNan, 0.0, 0.1, 1.0}, "values[4]");
  refuse({2e15, 0.0, 0.0, 0.0, 0.0, 0.0, 0.1, 1.0}, "values[0]");
  refuse({1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 2e6, 1.0}, "values[6]");
  refuse({1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.1, -1.0}, "values[7]");
  refuse({1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.1, kInf}, "values[7]");
}

}  // namespace
}  // namespace talus
