// What wakes an island, when, and what does not.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/mechanisms.h"
#include "tests/support/sleeping_worlds.h"

namespace talus {
namespace {

using testing::MakeBall;
using testing::MakeSleepyWorld;
using testing::PoseBits;
using testing::StepOnce;
using testing::StepUntilAsleep;
using testing::Towers;

bool TouchesSleeper(const World& world, uint32_t row) {
  return std::ranges::any_of(world.Contacts(), [&](const ContactRecord& contact) {
    return contact.body_a_row == row || contact.body_b_row == row;
  });
}

TEST(WakingTest, AFallingBallWakesATowerInTheStepInWhichTheyMeet) {
  World world = MakeSleepyWorld(Towers(1, 0.0));
  ASSERT_NO_FATAL_FAILURE(StepUntilAsleep(world, 3));
  ASSERT_TRUE(world.AddBodies(std::vector<BodyDef>{MakeBall(Vec3(0, 0, 4.0))}).ok());
  const std::string bits = PoseBits(world, 1, 4);
  int steps = 0;
  while (StepOnce(world).sleeping_body_count == 3) {
    ASSERT_FALSE(TouchesSleeper(world, 4));
    ASSERT_EQ(PoseBits(world, 1, 4), bits);
    ASSERT_LT(++steps, 100);
  }
  // 0.75 m below the place it was let go from.
  EXPECT_NEAR(steps * 0.005, std::sqrt(2 * 0.75 / 9.81), 0.015);
  EXPECT_TRUE(TouchesSleeper(world, 4));
  EXPECT_EQ(world.last_report().sleeping_body_count, 0);
  EXPECT_EQ(world.last_report().sleeping_contact_count, 0);
  // The first step with the contact is solved with all of the tower's contacts.
  EXPECT_EQ(world.last_report().contact_count, 13);
  EXPECT_LE(world.last_report().residual, 1e-4);
  StepOnce(world);
  EXPECT_GE(world.bodies().linear_velocities[4].z(), -1e-2);
}

TEST(WakingTest, TheImpulsesItFellAsleepWithAreTheWarmStart) {
  const auto sweeps_of_waking = [](bool warm_start) {
    SceneDef scene = scenes::Stack({.count = 10});
    scene.settings.solver.tolerance = 1e-6;
    scene.settings.solver.warm_start = warm_start;
    World world = MakeSleepyWorld(scene);
    StepUntilAsleep(world, 10);
    // A ball laid down beside the lowest cube presses on nobody.
    const BodyDef ball = MakeBall(Vec3(0.75 + 1e-6, 0.0, 0.25));
    EXPECT_TRUE(world.AddBodies({&ball, 1}).ok());
    const StepReport report = StepOnce(world);
    EXPECT_EQ(report.sleeping_body_count, 0);
    EXPECT_EQ(report.outcome, SolveOutcome::kConverged);
    return report.sweep_count;
  };
  EXPECT_LT(4 * sweeps_of_waking(true), sweeps_of_waking(false));
}

TEST(WakingTest, OneOfTwoTowersSleepsOn) {
  World world = MakeSleepyWorld(Towers(2, 5.0));
  ASSERT_NO_FATAL_FAILURE(StepUntilAsleep(world, 6));
  const std::string bits = PoseBits(world, 4, 7);
  const BodyDef ball = MakeBall(Vec3(-1.0, 0.0, 2.5), Vec3(4.0, 0.0, 0.0));
  ASSERT_TRUE(world.AddBodies({&ball, 1}).ok());
  for (int step = 0; step < 60; ++step) EXPECT_GE(StepOnce(world).sleeping_body_count, 3);
  EXPECT_EQ(world.last_report().sleeping_body_count, 3);
  EXPECT_EQ(world.last_report().sleeping_contact_count, 12);
  EXPECT_GT(world.bodies().positions[3].x(), 0.001);
  EXPECT_EQ(PoseBits(world, 4, 7), bits);
}

TEST(WakingTest, WhatLostItsSupportFallsAtOnce) {
  for (const bool warm_start : {true, false}) {
    SceneDef scene = Towers(2, 5.0);
    scene.settings.solver.warm_start = warm_start;
    World world = MakeSleepyWorld(scene);
    ASSERT_NO_FATAL_FAILURE(StepUntilAsleep(world, 6));
    const BodyId middle = world.bodies().ids[2];
    ASSERT_TRUE(world.RemoveBodies({&middle, 1}).ok());
    const StepReport report = StepOnce(world);
    EXPECT_EQ(report.sleeping_body_count, 3);
    EXPECT_NEAR(world.bodies().linear_velocities[2].z(), -9.81 * 0.005, 1e-9);
    EXPECT_NEAR(world.bodies().linear_velocities[1].z(), 0.0, 1e-4);
  }
}

TEST(WakingTest, RemovingTheGroundWakesAllThatStoodOnIt) {
  World world = MakeSleepyWorld(Towers(2, 5.0));
  ASSERT_NO_FATAL_FAILURE(StepUntilAsleep(world, 6));
  const std::string ground = "ground";
  ASSERT_TRUE(world.RemoveBodies({}, {&ground, 1}).ok());
  EXPECT_EQ(StepOnce(world).sleeping_body_count, 0);
  for (size_t row = 0; row < 6; ++row) {
    EXPECT_NEAR(world.bodies().linear_velocities[row].z(), -9.81 * 0.005, 1e-6) << row;
  }
}

// It has been still for long enough, and is slow in the first step of its fall.
TEST(WakingTest, WhatLostItsSupportDoesNotFallAsleepInTheAir) {
  World world = MakeSleepyWorld(testing::CubeOnABelt(), testing::kSleepOfShortSteps);
  for (int step = 0; step < 300; ++step) ASSERT_EQ(StepOnce(world).sleeping_body_count, 0);
  const BodyId floor = world.bodies().ids[0];
  ASSERT_TRUE(world.RemoveBodies({&floor, 1}).ok());
  for (int step = 0; step < 200; ++step) ASSERT_EQ(StepOnce(world).sleeping_body_count, 0) << step;
}

TEST(WakingTest, WhatLostItsJointDoesNotFallAsleepInTheAir) {
  SceneDef scene = testing::CubeOnABelt();
  scene.bodies[0] = testing::MakeBob("spindle", Vec3(0.0, 0.0, 2.0));
  scene.bodies[0].kind = BodyKind::kKinematic;
  scene.bodies[0].mass_kg.reset();
  scene.bodies[0].angular_velocity_world_rad_s = Vec3(0.0, 0.0, 1.0);
  scene.bodies[1] = testing::MakeBob("bob", Vec3(0.0, 0.0, 1.0));
  JointDef rod = testing::MakeJoint(&scene.bodies[0], scene.bodies[1], Vec3(0.0, 0.0, 2.0));
  testing::LockAxes(rod, 3);
  scene.joints.push_back(rod);
  World world = MakeSleepyWorld(scene, testing::kSleepOfShortSteps);
  for (int step = 0; step < 300; ++step) ASSERT_EQ(StepOnce(world).sleeping_body_count, 0);
  const JointId joint = world.joint_id(0);
  ASSERT_TRUE(world.RemoveJoints({&joint, 1}).ok());
  for (int step = 0; step < 200; ++step) ASSERT_EQ(StepOnce(world).sleeping_body_count, 0) << step;
}

TEST(WakingTest, ABodyThatIsNotDynamicWakesWhatItIsAddedTo) {
  for (const BodyKind kind : {BodyKind::kStatic, BodyKind::kKinematic}) {
    World world = MakeSleepyWorld(Towers(2, 5.0));
    ASSERT_NO_FATAL_FAILURE(StepUntilAsleep(world, 6));
    BodyDef post = MakeBall(Vec3(-0.7, 0.0, 1.5));
    post.kind = kind;
    post.density_kg_m3.reset();
    ASSERT_TRUE(world.AddBodies({&post, 1}).ok());
    EXPECT_EQ(StepOnce(world).sleeping_body_count, 3);
    for (int step = 0; step < 50; ++step) StepOnce(world);
    EXPECT_GT(world.bodies().positions[2].x(), 0.02);
  }
}

TEST(WakingTest, RemovingWhatTouchesNobodyWakesNobody) {
  SceneDef scene = Towers(1, 0.0);
  // Before the tower, so that its rows move.
  BodyDef ball = MakeBall(Vec3(9.0, 0.0, 0.25));
  ball.name = "ball";
  scene.bodies.insert(scene.bodies.begin() + 1, ball);
  World world = MakeSleepyWorld(scene);
  ASSERT_NO_FATAL_FAILURE(StepUntilAsleep(world, 4));
  const std::string bits = PoseBits(world, 2, 5);
  ASSERT_TRUE(world.RemoveBodies({}, {&ball.name, 1}).ok());
  for (int step = 0; step < 5; ++step) EXPECT_EQ(StepOnce(world).sleeping_body_count, 3);
  EXPECT_EQ(PoseBits(world, 1, 4), bits);
  EXPECT_EQ(world.last_report().sleeping_contact_count, 12);
}

TEST(WakingTest, LeavingTheDomainMovesRowsAndWakesNobodyElse) {
  SceneDef scene = Towers(1, 0.0);
  scene.bodies.insert(scene.bodies.begin() + 1, MakeBall(Vec3(6, 0, 0.25), Vec3(2, 0, 0)));
  scene.domain = Domain{Vec3::Constant(-8.0), Vec3::Constant(8.0)};
  World world = MakeSleepyWorld(scene);
  ASSERT_NO_FATAL_FAILURE(StepUntilAsleep(world, 3));
  ASSERT_EQ(world.body_count(), 5u);
  const std::string bits = PoseBits(world, 2, 5);
  for (int step = 0; step < 300; ++step) EXPECT_EQ(StepOnce(world).sleeping_body_count, 3);
  ASSERT_EQ(world.body_count(), 4u);
  EXPECT_EQ(PoseBits(world, 1, 4), bits);
  EXPECT_EQ(world.Contacts().size(), 12u);
}

TEST(WakingTest, AKinematicBodyInMotionWakesWhatItMeets) {
  SceneDef scene = Towers(2, 8.0);
  BodyDef ram = MakeBall(Vec3(-2.0, 0.0, 1.5), Vec3(1.0, 0.0, 0.0));
  ram.kind = BodyKind::kKinematic;
  ram.density_kg_m3.reset();
  scene.bodies.push_back(ram);
  World world = MakeSleepyWorld(scene);
  ASSERT_NO_FATAL_FAILURE(StepUntilAsleep(world, 6));
  int steps = 0;
  while (StepOnce(world).sleeping_body_count == 6) ASSERT_LT(++steps, 400);
  EXPECT_TRUE(TouchesSleeper(world, 7));
  EXPECT_EQ(world.last_report().sleeping_body_count, 3);
  for (int step = 0; step < 20; ++step) StepOnce(world);
  EXPECT_GT(world.bodies().positions[2].x(), 0.05);
}

TEST(WakingTest, AnEmittersParticleWakesWhatItFallsOn) {
  SceneDef scene = Towers(2, 5.0);
  EmitterDef nozzle = scenes::GravelPile().emitters[0];
  nozzle.material = "";
  nozzle.center_world_m = Vec3(0.0, 0.0, 3.5);
  nozzle.start_time_s = 0.5;
  nozzle.particle_count = 1;
  scene.emitters.push_back(nozzle);
  World world = MakeSleepyWorld(scene);
  ASSERT_NO_FATAL_FAILURE(StepUntilAsleep(world, 6));
  int steps = 0;
  while (StepOnce(world).sleeping_body_count == 6) ASSERT_LT(++steps, 400);
  EXPECT_EQ(world.last_report().sleeping_body_count, 3);
  EXPECT_TRUE(TouchesSleeper(world, 7));
  ASSERT_NO_FATAL_FAILURE(StepUntilAsleep(world, 7));
}

TEST(WakingTest, AStepThatFailsHasWokenNobody) {
  // One ball lies on a box, another falls past it until it is too fast for any state.
  SceneDef scene;
  scene.settings.time_step_s = 1.0;
  scene.settings.gravity_world_m_s2 = Vec3(0, 0, -1e6);
  BodyDef floor;
  floor.kind = BodyKind::kStatic;
  floor.pose_world.position = Vec3(0.0, 0.0, -1.0);
  floor.shapes.resize(1);
  floor.shapes[0].geometry = Box{Vec3::Constant(1.0)};
  scene.bodies = {floor, MakeBall(Vec3(0, 0, 0.25)), MakeBall(Vec3(50, 0, 0))};
  World world = MakeSleepyWorld(scene, {0.005, 3.0});
  WorkerArena workers(1);
  for (int step = 0; step < 1000; ++step) ASSERT_TRUE(world.Step(workers).ok());
  ASSERT_EQ(world.last_report().sleeping_body_count, 1);
  const BodyDef touching = MakeBall(Vec3(0.5, 0, 0.25));
  ASSERT_TRUE(world.AddBodies({&touching, 1}).ok());
  const uint64_t hash = world.state_hash();
  ASSERT_FALSE(world.Step(workers).ok());
  EXPECT_EQ(World::Restore(world.SaveSnapshot())->state_hash(), hash);
}

}  // namespace
}  // namespace talus
