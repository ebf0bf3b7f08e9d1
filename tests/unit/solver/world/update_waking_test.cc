// What wakes when a body is set to another pose or velocity by hand, and what sleeps on.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/support/mechanisms.h"
#include "tests/support/sleeping_worlds.h"

namespace talus {
namespace {

using testing::LockAxes;
using testing::MakeBall;
using testing::MakeBob;
using testing::MakeJoint;
using testing::MakeSleepyWorld;
using testing::PoseBits;
using testing::StepOnce;
using testing::StepUntilAsleep;
using testing::Towers;

constexpr double kFallOfAStep = -9.81 * 0.005;

BodyUpdate MoveTo(BodyId body, const Vec3& position) {
  BodyUpdate update;
  update.body = body;
  update.position_world_m = position;
  return update;
}

void Move(World& world, size_t row, const Vec3& position) {
  const BodyUpdate update = MoveTo(world.bodies().ids[row], position);
  const absl::Status status = world.UpdateBodies({&update, 1});
  ASSERT_TRUE(status.ok()) << status;
}

TEST(UpdateWaking, WhatLostItsSupportFallsAtOnceAndTheOtherTowerSleepsOn) {
  for (const bool warm_start : {true, false}) {
    SceneDef scene = Towers(2, 5.0);
    scene.settings.solver.warm_start = warm_start;
    World world = MakeSleepyWorld(scene);
    ASSERT_NO_FATAL_FAILURE(StepUntilAsleep(world, 6));
    const std::string bits = PoseBits(world, 4, 7);
    ASSERT_NO_FATAL_FAILURE(Move(world, 2, Vec3(0.0, 20.0, 8.0)));
    EXPECT_EQ(StepOnce(world).sleeping_body_count, 3);
    EXPECT_NEAR(world.bodies().linear_velocities[3].z(), kFallOfAStep, 1e-9);
    EXPECT_NEAR(world.bodies().linear_velocities[2].z(), kFallOfAStep, 1e-9);
    EXPECT_NEAR(world.bodies().linear_velocities[1].z(), 0.0, 1e-4);
    EXPECT_EQ(PoseBits(world, 4, 7), bits);
  }
}

TEST(UpdateWaking, ADynamicBodyWakesWhatItIsSetDownOn) {
  SceneDef scene = Towers(2, 5.0);
  scene.bodies.push_back(MakeBall(Vec3(0.0, 20.0, 0.25)));
  World world = MakeSleepyWorld(scene);
  ASSERT_NO_FATAL_FAILURE(StepUntilAsleep(world, 7));
  ASSERT_NO_FATAL_FAILURE(Move(world, 7, Vec3(0.0, 0.0, 3.25)));
  EXPECT_EQ(StepOnce(world).sleeping_body_count, 3);
}

TEST(UpdateWaking, TheGroundThatIsTakenAwayWakesAllThatStoodOnIt) {
  World world = MakeSleepyWorld(Towers(2, 5.0));
  ASSERT_NO_FATAL_FAILURE(StepUntilAsleep(world, 6));
  ASSERT_NO_FATAL_FAILURE(Move(world, 0, Vec3(0.0, 0.0, -50.0)));
  EXPECT_EQ(StepOnce(world).sleeping_body_count, 0);
  for (size_t row = 1; row < 7; ++row) {
    EXPECT_NEAR(world.bodies().linear_velocities[row].z(), kFallOfAStep, 1e-6) << row;
  }
}

// Neither a static nor a resting kinematic body is of any island: nobody else would notice.
TEST(UpdateWaking, ABodyThatIsNotDynamicWakesWhatItTouchesNow) {
  for (const BodyKind kind : {BodyKind::kStatic, BodyKind::kKinematic}) {
    SceneDef scene = Towers(2, 5.0);
    scene.bodies.push_back(MakeBall(Vec3(0.0, 20.0, 0.25)));
    scene.bodies.back().kind = kind;
    scene.bodies.back().density_kg_m3.reset();
    World world = MakeSleepyWorld(scene);
    ASSERT_NO_FATAL_FAILURE(StepUntilAsleep(world, 6));
    ASSERT_NO_FATAL_FAILURE(Move(world, 7, Vec3(0.0, 10.0, 1.5)));
    EXPECT_EQ(StepOnce(world).sleeping_body_count, 6);
    ASSERT_NO_FATAL_FAILURE(Move(world, 7, Vec3(-0.7, 0.0, 1.5)));
    EXPECT_EQ(StepOnce(world).sleeping_body_count, 3);
    for (int step = 0; step < 50; ++step) StepOnce(world);
    EXPECT_GT(world.bodies().positions[2].x(), 0.02);
  }
}

TEST(UpdateWaking, WhatSleepsAndIsSetToWhatItHasSleepsOn) {
  World world = MakeSleepyWorld(Towers(1, 0.0));
  ASSERT_NO_FATAL_FAILURE(StepUntilAsleep(world, 3));
  const uint64_t hash = world.state_hash();
  BodyUpdate update = MoveTo(world.bodies().ids[2], world.bodies().positions[2]);
  update.linear_velocity_world_m_s = Vec3::Zero();
  ASSERT_TRUE(world.UpdateBodies({&update, 1}).ok());
  EXPECT_EQ(world.state_hash(), hash);
  EXPECT_EQ(StepOnce(world).sleeping_body_count, 3);
  update.position_world_m.reset();
  update.linear_velocity_world_m_s = Vec3(0.0, 0.0, 0.5);
  ASSERT_TRUE(world.UpdateBodies({&update, 1}).ok());
  EXPECT_EQ(StepOnce(world).sleeping_body_count, 0);
}

// A joint to what is not dynamic joins no islands.
TEST(UpdateWaking, AnAnchorThatMovesWakesWhatHangsOnIt) {
  SceneDef scene;
  scene.settings.gravity_world_m_s2 = Vec3(0.0, 0.0, -9.81);
  BodyDef anchor = MakeBob("anchor", Vec3(0.0, 0.0, 2.0));
  anchor.kind = BodyKind::kStatic;
  anchor.mass_kg.reset();
  scene.bodies = {anchor, MakeBob("bob", Vec3(0.0, 0.0, 1.0))};
  JointDef rod = MakeJoint(&scene.bodies[0], scene.bodies[1], Vec3(0.0, 0.0, 2.0));
  LockAxes(rod, 3);
  scene.joints.push_back(rod);
  World world = MakeSleepyWorld(scene);
  ASSERT_NO_FATAL_FAILURE(StepUntilAsleep(world, 1));
  ASSERT_NO_FATAL_FAILURE(Move(world, 0, Vec3(0.3, 0.0, 2.0)));
  EXPECT_EQ(StepOnce(world).sleeping_body_count, 0);
  EXPECT_GT(world.bodies().linear_velocities[1].norm(), 1e-3);
}

// Everything sleeps, so that steps are repeated; what is set ends that.
TEST(UpdateWaking, AStandstillEnds) {
  SceneDef scene = Towers(1, 0.0);
  scene.bodies.push_back(MakeBall(Vec3(0.0, 20.0, 0.25)));
  scene.bodies.back().kind = BodyKind::kKinematic;
  scene.bodies.back().density_kg_m3.reset();
  World world = MakeSleepyWorld(scene);
  ASSERT_NO_FATAL_FAILURE(StepUntilAsleep(world, 3));
  StepOnce(world);
  StepOnce(world);
  BodyUpdate update;
  update.body = world.bodies().ids[4];
  update.linear_velocity_world_m_s = Vec3(0.0, 1.0, 0.0);
  ASSERT_TRUE(world.UpdateBodies({&update, 1}).ok());
  StepOnce(world);
  EXPECT_NEAR(world.bodies().positions[4].y(), 20.005, 1e-12);
}

TEST(UpdateWaking, NothingFallsAsleepInTheAir) {
  World world = MakeSleepyWorld(testing::CubeOnABelt(), testing::kSleepOfShortSteps);
  for (int step = 0; step < 300; ++step) ASSERT_EQ(StepOnce(world).sleeping_body_count, 0);
  BodyUpdate update = MoveTo(world.bodies().ids[0], Vec3(0.0, 0.0, -50.0));
  update.linear_velocity_world_m_s = Vec3::Zero();
  ASSERT_TRUE(world.UpdateBodies({&update, 1}).ok());
  for (int step = 0; step < 200; ++step) ASSERT_EQ(StepOnce(world).sleeping_body_count, 0) << step;
}

}  // namespace
}  // namespace talus
