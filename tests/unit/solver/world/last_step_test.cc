// What is told of the last step, taken out of a world and put into one that was restored.
#include "solver/world/last_step.h"

#include <gtest/gtest.h>

#include "solver/world/told_contacts.h"
#include "solver/world/world.h"
#include "tests/support/ring.h"

namespace talus {
namespace {

// Three balls on the ground, after three steps.
World BallsAtRest() {
  SceneDef scene = testing::FallingBalls(3);
  for (BodyDef& ball : scene.bodies) ball.pose_world.position.z() = 0.05;
  BodyDef ground;
  ground.kind = BodyKind::kStatic;
  ShapeDef plane;
  plane.geometry = Plane{Vec3::UnitZ()};
  ground.shapes.push_back(plane);
  scene.bodies.push_back(ground);
  World world = testing::MakeWorld(scene);
  WorkerArena alone(1);
  for (int step = 0; step < 3; ++step) EXPECT_TRUE(world.Step(alone).ok());
  return world;
}

void ExpectEqual(const ContactRecord& a, const ContactRecord& b) {
  EXPECT_EQ(a.body_a_row, b.body_a_row);
  EXPECT_EQ(a.body_b_row, b.body_b_row);
  EXPECT_EQ(a.shape_a, b.shape_a);
  EXPECT_EQ(a.shape_b, b.shape_b);
  EXPECT_EQ(a.feature, b.feature);
  EXPECT_EQ(a.mode, b.mode);
  EXPECT_EQ(a.point_world, b.point_world);
  EXPECT_EQ(a.normal_world, b.normal_world);
  EXPECT_EQ(a.gap_m, b.gap_m);
  EXPECT_EQ(a.force_world_n, b.force_world_n);
  EXPECT_EQ(a.torque_world_n_m, b.torque_world_n_m);
  for (int row = 0; row < 6; ++row) EXPECT_EQ(a.wrench_contact[row], b.wrench_contact[row]);
}

TEST(LastStepTest, ARestoredWorldTellsItAgain) {
  const World world = BallsAtRest();
  World restored = World::Restore(world.SaveSnapshot()).value();
  EXPECT_TRUE(restored.Contacts().empty());
  ASSERT_TRUE(restored.RestoreLastStep(world.SaveLastStep()).ok());
  const auto before = world.Contacts();
  const auto after = restored.Contacts();
  ASSERT_EQ(before.size(), 3u);
  ASSERT_EQ(after.size(), 3u);
  for (size_t i = 0; i < 3; ++i) ExpectEqual(after[i], before[i]);
  EXPECT_EQ(restored.last_report().residual, world.last_report().residual);
  EXPECT_EQ(restored.last_report().contact_count, 3);
  EXPECT_EQ(restored.state_hash(), world.state_hash());
  EXPECT_EQ(restored.Fork().Contacts().size(), 3u);
}

TEST(LastStepTest, ContactsFollowTheRowsOfTheirBodiesAndEndWithTheNextStep) {
  World world = BallsAtRest();
  World restored = World::Restore(world.SaveSnapshot()).value();
  ASSERT_TRUE(restored.RestoreLastStep(world.SaveLastStep()).ok());
  for (World* one : {&world, &restored}) {
    const std::vector<BodyId> first = {one->bodies().ids[0]};
    ASSERT_TRUE(one->RemoveBodies(first).ok());
  }
  auto before = world.Contacts();
  auto after = restored.Contacts();
  ASSERT_EQ(before.size(), 2u);
  ASSERT_EQ(after.size(), 2u);
  for (size_t i = 0; i < 2; ++i) ExpectEqual(after[i], before[i]);
  WorkerArena alone(1);
  ASSERT_TRUE(world.Step(alone).ok());
  ASSERT_TRUE(restored.Step(alone).ok());
  EXPECT_EQ(world.state_hash(), restored.state_hash());
  before = world.Contacts();
  after = restored.Contacts();
  ASSERT_EQ(after.size(), before.size());
  for (size_t i = 0; i < after.size(); ++i) ExpectEqual(after[i], before[i]);
}

TEST(LastStepTest, WhatCannotBeOfItIsRefusedAndChangesNothing) {
  const World world = BallsAtRest();
  const LastStep good = world.SaveLastStep();
  World restored = World::Restore(world.SaveSnapshot()).value();
  LastStep bad = good;
  bad.contacts.pop_back();
  EXPECT_EQ(restored.RestoreLastStep(bad).code(), absl::StatusCode::kInvalidArgument);
  bad.contacts = good.contacts + "x";
  EXPECT_EQ(restored.RestoreLastStep(bad).code(), absl::StatusCode::kInvalidArgument);
  bad.contacts.clear();
  EXPECT_EQ(restored.RestoreLastStep(bad).code(), absl::StatusCode::kInvalidArgument);
  auto records = world.Contacts();
  records[1].body_b_row = 4;  // there are four bodies
  bad.contacts = EncodeRecords(records);
  EXPECT_EQ(restored.RestoreLastStep(bad).code(), absl::StatusCode::kInvalidArgument);
  bad.contacts = std::string(8, '\xff');  // a count beyond all bytes
  EXPECT_EQ(restored.RestoreLastStep(bad).code(), absl::StatusCode::kInvalidArgument);
  EXPECT_TRUE(restored.Contacts().empty());
  EXPECT_NE(restored.last_report().contact_count, 3);
}

}  // namespace
}  // namespace talus
