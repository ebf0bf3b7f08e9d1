// Who falls asleep and who does not, and what sleeping is.
#include "solver/world/sleepers.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/scenes/heaps.h"
#include "tests/scenes/single_body.h"
#include "tests/support/allocation_counter.h"
#include "tests/support/sleeping_worlds.h"

namespace talus {
namespace {

using testing::kShortSleep;
using testing::MakeBall;
using testing::MakeSleepyWorld;
using testing::PoseBits;
using testing::StepOnce;
using testing::StepUntilAsleep;
using testing::Towers;

// Whether anything sleeps within so many steps.
bool FallsAsleep(const SceneDef& scene, int steps, const SleepSettings& sleep = SleepSettings()) {
  World world = MakeSleepyWorld(scene, sleep);
  for (int step = 0; step < steps; ++step) {
    if (StepOnce(world).sleeping_body_count > 0) return true;
  }
  return false;
}

SceneDef HeapWithWanderer(bool wanderer) {
  SceneDef scene = scenes::Heap({.stones = 150});
  // Far away, without friction, on the same ground: it slides on for ever and keeps the step from
  // being repeated.
  if (wanderer) {
    scene.bodies.push_back(scenes::MakeStone(Vec3(50.0, 0.0, scenes::kGravelRadius)));
    scene.bodies.back().shapes[0].material = "";
    scene.bodies.back().linear_velocity_world_m_s = Vec3(1.0, 0.0, 0.0);
  }
  return scene;
}

class SleepingHeapTest : public ::testing::TestWithParam<bool> {};

TEST_P(SleepingHeapTest, AHeapThatSettlesDoesNotMoveABitAnyMore) {
  World world = MakeSleepyWorld(HeapWithWanderer(GetParam()));
  ASSERT_NO_FATAL_FAILURE(StepUntilAsleep(world, 150));
  const std::string bits = PoseBits(world, 1, 151);
  for (size_t row = 1; row < 151; ++row) {
    EXPECT_EQ(world.bodies().linear_velocities[row], Vec3::Zero());
    EXPECT_EQ(world.bodies().angular_velocities[row], Vec3::Zero());
  }
  const Energy energy = StepOnce(world).energy;
  for (int step = 0; step < 1000; ++step) {
    const StepReport report = StepOnce(world);
    ASSERT_EQ(report.sleeping_body_count, 150);
    ASSERT_NEAR(report.energy.kinetic_translation_j, energy.kinetic_translation_j, 1e-12);
    ASSERT_EQ(report.energy.potential_j, energy.potential_j);
    if (GetParam()) continue;
    ASSERT_EQ(report.contact_count, 0);
    ASSERT_EQ(report.outcome, SolveOutcome::kConverged);
  }
  EXPECT_EQ(PoseBits(world, 1, 151), bits);
  for (size_t row = 1; row < 151; ++row) {
    EXPECT_EQ(world.bodies().linear_velocities[row], Vec3::Zero());
  }
}

INSTANTIATE_TEST_SUITE_P(Steps, SleepingHeapTest, ::testing::Bool(), [](const auto& wanderer) {
  return wanderer.param ? "Computed" : "Repeated";
});

TEST(SleepersTest, NothingSleepsUnlessAsked) {
  absl::StatusOr<World> world = World::Create(Towers(1, 0.0));
  ASSERT_TRUE(world.ok());
  for (int step = 0; step < 300; ++step) EXPECT_EQ(StepOnce(*world).sleeping_body_count, 0);
  EXPECT_EQ(world->last_report().sleeping_contact_count, 0);
  EXPECT_EQ(world->last_report().contact_count, 12);
}

TEST(SleepersTest, ContactsKeepTheImpulsesThatWereSolvedLast) {
  for (const bool warm_start : {true, false}) {
    SceneDef scene = Towers(2, 5.0);
    scene.settings.solver.warm_start = warm_start;
    World world = MakeSleepyWorld(scene);
    ASSERT_NO_FATAL_FAILURE(StepUntilAsleep(world, 6));
    const std::vector<ContactRecord> solved = world.Contacts();
    ASSERT_EQ(solved.size(), 24u);
    for (int step = 0; step < 3; ++step) {
      const StepReport report = StepOnce(world);
      EXPECT_EQ(report.contact_count, 0);
      EXPECT_EQ(report.sleeping_contact_count, 24);
      const std::vector<ContactRecord> kept = world.Contacts();
      ASSERT_EQ(kept.size(), solved.size());
      for (size_t index = 0; index < kept.size(); ++index) {
        EXPECT_EQ(kept[index].body_a_row, solved[index].body_a_row);
        EXPECT_EQ(kept[index].body_b_row, solved[index].body_b_row);
        EXPECT_EQ(kept[index].feature, solved[index].feature);
        EXPECT_EQ(kept[index].point_world, solved[index].point_world);
        EXPECT_EQ(kept[index].gap_m, solved[index].gap_m);
        EXPECT_EQ(kept[index].force_world_n, solved[index].force_world_n);
        EXPECT_EQ(kept[index].torque_world_n_m, solved[index].torque_world_n_m);
        EXPECT_NEAR(kept[index].wrench_contact[0], solved[index].wrench_contact[0], 1e-9);
        EXPECT_EQ(kept[index].mode, kContactClosed);
      }
    }
  }
}

TEST(SleepersTest, WhatIsAwakeBesideSleepersIsSolved) {
  World world = MakeSleepyWorld(Towers(1, 0.0));
  ASSERT_NO_FATAL_FAILURE(StepUntilAsleep(world, 3));
  // It comes down after the tower fell asleep, and its spin keeps it awake.
  BodyDef ball = MakeBall(Vec3(5.0, 0.0, 0.251));
  ball.angular_velocity_world_rad_s = Vec3(0.0, 0.0, 0.5);
  ASSERT_TRUE(world.AddBodies({&ball, 1}).ok());
  for (int step = 0; step < 20; ++step) EXPECT_EQ(StepOnce(world).sleeping_body_count, 3);
  EXPECT_EQ(world.last_report().contact_count, 1);
  const std::vector<ContactRecord> contacts = world.Contacts();
  ASSERT_EQ(contacts.size(), 13u);
  const auto landed = std::ranges::find(contacts, 4u, &ContactRecord::body_b_row);
  ASSERT_NE(landed, contacts.end());
  const double weight = 1000.0 * 4.0 / 3.0 * std::acos(-1.0) * std::pow(0.25, 3) * 9.81;
  EXPECT_NEAR(landed->force_world_n.z(), weight, 1e-6 * weight);
  EXPECT_NEAR(landed->wrench_contact[0], weight, 1e-6 * weight);
}

TEST(SleepersTest, KeptPosesKeepTheSignOfZero) {
  SceneState state;
  state.settings.sleep = SleepSettings();
  BodyRow row;
  row.pose_world.position = Vec3(-0.0, 0.0, 1.0);
  row.mass = 1.0;
  row.inertia_body = Mat3::Identity();
  row.still_steps = BodyStore::kAsleep;
  state.bodies.Add(row);
  Sleepers sleepers;
  sleepers.FindSleepers(state, {});
  EXPECT_TRUE(sleepers.asleep(0));
  EXPECT_TRUE(sleepers.all_asleep());
  WorkerArena workers(1);
  std::vector<Vec3> zero(1, Vec3::Zero());
  sleepers.FallAsleep(workers, state, zero, zero);
  std::vector<Vec3> positions = {Vec3(0.0, 0.0, 1.0)};
  std::vector<Quat> orientations = {Quat::Identity()};
  sleepers.KeepPoses(state.bodies, positions, orientations);
  EXPECT_TRUE(std::signbit(positions[0].x()));
  EXPECT_FALSE(std::signbit(positions[0].y()));
}

TEST(SleepersTest, ATowerSleepsWhenTheTimeIsOverAndNotBefore) {
  World world = MakeSleepyWorld(Towers(1, 0.0), {0.005, 0.1});
  // Still after the first step; 0.1 s later are twenty steps more.
  for (int step = 0; step < 20; ++step) EXPECT_EQ(StepOnce(world).sleeping_body_count, 0) << step;
  EXPECT_EQ(StepOnce(world).sleeping_body_count, 3);
}

TEST(SleepersTest, OneRestlessBodyKeepsItsIslandAwake) {
  SceneDef scene = Towers(2, 5.0);
  // A ball that spins about the vertical on top of the second tower, without friction.
  BodyDef ball = MakeBall(Vec3(5.0, 0.0, 3.25));
  ball.angular_velocity_world_rad_s = Vec3(0.0, 0.0, 0.5);
  scene.bodies.push_back(ball);
  World world = MakeSleepyWorld(scene);
  ASSERT_NO_FATAL_FAILURE(StepUntilAsleep(world, 3));
  for (int step = 0; step < 100; ++step) EXPECT_EQ(StepOnce(world).sleeping_body_count, 3);
  EXPECT_EQ(world.last_report().sleeping_contact_count, 12);
  EXPECT_EQ(world.last_report().contact_count, 13);
}

TEST(SleepersTest, ABlockOnASlopeSleepsBelowTheAngleOfFrictionOnly) {
  scenes::BlockOnPlane block;
  block.material.sliding_friction = 0.5;
  block.slope_rad = std::atan(0.5) - 0.005;
  EXPECT_TRUE(FallsAsleep(block.Build(), 200));
  // It gains about 0.05 m/s each second: ten times what the settings take for rest.
  block.slope_rad = std::atan(0.5) + 0.005;
  EXPECT_FALSE(FallsAsleep(block.Build(), 600));
}

TEST(SleepersTest, ASlowBallRollsOn) {
  scenes::BallOnPlane ball;
  ball.material.sliding_friction = 0.5;
  // The top of the ball is twice as fast as its centre.
  ball.speed_m_s = ball.spin_rad_s = 0.003;
  EXPECT_FALSE(FallsAsleep(ball.Build(), 300));
  ball.speed_m_s = ball.spin_rad_s = 0.002;
  EXPECT_TRUE(FallsAsleep(ball.Build(), 300));
}

TEST(SleepersTest, NobodyFallsAsleepWhereHeTurnsRound) {
  // Up a slope of a degree, and down again.
  scenes::BallOnPlane ball;
  ball.material.sliding_friction = 0.5;
  ball.slope_rad = -0.0175;
  ball.speed_m_s = ball.spin_rad_s = 0.1;
  EXPECT_FALSE(FallsAsleep(ball.Build(), 400));
  // Thrown up, with settings that are as close to the turn as the gate allows.
  scenes::BallOnPlane thrown;
  thrown.time_step_s = 0.001;
  thrown.height_m = 1.0;
  for (const double speed : {1.0, 1.003, 1.0071}) {
    thrown.vertical_speed_m_s = speed;
    EXPECT_FALSE(FallsAsleep(thrown.Build(), 300, {0.5, 1.0 / 9.81 + 1e-9})) << speed;
  }
}

TEST(SleepersTest, NothingSleepsOnWhatMoves) {
  // A block held in place by a wall while a belt slides along below it.
  SceneDef scene = scenes::BlockOnPlane().Build();
  BodyDef wall;
  wall.kind = BodyKind::kStatic;
  wall.pose_world.position = Vec3(0.75, 0.0, 0.5);
  wall.shapes.resize(1);
  wall.shapes[0].geometry = Box{Vec3::Constant(0.5)};
  scene.bodies.push_back(wall);
  scene.bodies[0].kind = BodyKind::kKinematic;
  EXPECT_TRUE(FallsAsleep(scene, 200));
  scene.bodies[0].linear_velocity_world_m_s = Vec3(0.5, 0.0, 0.0);
  EXPECT_FALSE(FallsAsleep(scene, 200));
}

TEST(SleepersTest, AStepAmongSleepersAllocatesNothing) {
  SceneDef scene = HeapWithWanderer(true);
  World world = MakeSleepyWorld(scene);
  ASSERT_NO_FATAL_FAILURE(StepUntilAsleep(world, 150));
  WorkerArena workers(1);
  for (int step = 0; step < 10; ++step) ASSERT_TRUE(world.Step(workers).ok());
  for (int step = 0; step < 20; ++step) {
    const size_t before = testing::AllocationCount();
    ASSERT_TRUE(world.Step(workers).ok());
    EXPECT_EQ(testing::AllocationCount() - before, 0u) << step;
  }
}

}  // namespace
}  // namespace talus
