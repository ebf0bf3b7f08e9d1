#include "solver/world/contact_search.h"

#include <gtest/gtest.h>

#include "solver/integrator/free_motion.h"
#include "solver/world/scene_assembly.h"
#include "solver/world/world.h"
#include "tests/scenes/piles.h"

namespace talus {
namespace {

struct Found {
  size_t pairs = 0;
  std::vector<ContactInput> contacts;
  std::vector<ContactKey> keys;
};

Found Search(const SceneState& state, int worker_count = 1) {
  WorkerArena workers(worker_count);
  std::vector<Vec3> linear;
  std::vector<Vec3> angular;
  AdvanceVelocities(workers, state.bodies, state.settings.gravity_world_m_s2,
                    {state.settings.time_step_s}, linear, angular);
  ContactSearch search;
  Found found;
  found.pairs = search.FindPairs(workers, state, {linear, angular});
  ContactSet set;
  search.FindContacts(workers, state, set.contacts, set.marks);
  for (size_t i = 0; i < set.contacts.size(); ++i) {
    found.keys.push_back(set.key(i, state.bodies.ids()));
  }
  found.contacts = set.contacts;
  return found;
}

// Balls of radius 1 at rest in a row along x at the given places; no gravity, h = 0.1 s.
SceneState MakeBalls(const std::vector<double>& places) {
  SceneDef scene;
  scene.settings.gravity_world_m_s2.setZero();
  scene.settings.time_step_s = 0.1;
  for (const double x : places) {
    BodyDef ball;
    ball.pose_world.position.x() = x;
    ball.shapes.resize(1);
    ball.shapes[0].geometry = Sphere{1.0};
    ball.mass_kg = 1.0;
    scene.bodies.push_back(ball);
  }
  return AssembleScene(scene);
}

void SetVelocity(SceneState& state, size_t row, const Vec3& velocity) {
  std::vector<Vec3> x(state.bodies.positions().begin(), state.bodies.positions().end());
  std::vector<Quat> q(state.bodies.orientations().begin(), state.bodies.orientations().end());
  std::vector<Vec3> v(state.bodies.linear_velocities().begin(),
                      state.bodies.linear_velocities().end());
  std::vector<Vec3> w(state.bodies.angular_velocities().begin(),
                      state.bodies.angular_velocities().end());
  v[row] = velocity;
  state.bodies.SwapMotion(x, q, v, w);
}

TEST(ContactSearchTest, BallsAtRestTouchWithinAFractionOfTheirSize) {
  EXPECT_EQ(Search(MakeBalls({0.0, 2.009})).contacts.size(), 1u);
  EXPECT_EQ(Search(MakeBalls({0.0, 2.011})).contacts.size(), 0u);
}

TEST(ContactSearchTest, TheMarginScalesWithTheBodies) {
  // The same gap in metres between balls of 1 mm would be half a diameter: see the fraction above.
  SceneState state = MakeBalls({});
  for (const double x : {0.0, 0.0025}) {
    ShapeRow shape;
    shape.geometry = Sphere{0.001};
    BodyRow row;
    row.mass = 1e-6;
    row.inertia_body = 1e-12 * Mat3::Identity();
    row.pose_world.position.x() = x;
    row.shapes = {&shape, 1};
    state.bodies.Add(row);
  }
  EXPECT_EQ(Search(state).contacts.size(), 0u);
}

TEST(ContactSearchTest, WhatCanCloseWithinTheStepIsAContact) {
  SceneState state = MakeBalls({0.0, 2.9});
  SetVelocity(state, 0, Vec3(10.0, 0, 0));  // 1 m in this step
  const Found found = Search(state);
  ASSERT_EQ(found.contacts.size(), 1u);
  EXPECT_NEAR(found.contacts[0].gap, 0.9, 1e-12);
  EXPECT_TRUE(found.contacts[0].normal.isApprox(Vec3::UnitX()));
  SetVelocity(state, 0, Vec3(8.0, 0, 0));
  EXPECT_EQ(Search(state).contacts.size(), 0u);
}

TEST(ContactSearchTest, BodiesThatFlyTogetherDoNotPair) {
  SceneState state = MakeBalls({0.0, 2.9});
  SetVelocity(state, 0, Vec3(0, 0, -100.0));
  SetVelocity(state, 1, Vec3(0, 0, -100.0));
  EXPECT_EQ(Search(state).pairs, 0u);
}

TEST(ContactSearchTest, AStruckBodyIsLookedAtWithItsNeighbour) {
  // 0 strikes 1, which may then reach 2 although both rest; 3 is out of everybody's reach.
  SceneState state = MakeBalls({0.0, 2.5, 4.9, 10.0});
  SetVelocity(state, 0, Vec3(10.0, 0, 0));
  const Found found = Search(state);
  ASSERT_EQ(found.keys.size(), 2u);
  EXPECT_EQ(found.keys[1].body_a, BodyId{2});
  EXPECT_EQ(found.keys[1].body_b, BodyId{3});
}

TEST(ContactSearchTest, AGravelPileHasFewPairsABody) {
  scenes::PackedSpheresOptions options;
  options.count = 400;
  SceneDef scene = scenes::PackedSpheres(options);
  scene.settings.solver.max_sweeps = 50;
  absl::StatusOr<World> world = World::Create(scene);
  ASSERT_TRUE(world.ok()) << world.status();
  WorkerArena workers(2);
  StepReport report;
  for (int step = 0; step < 60; ++step) report = *world->Step(workers);
  EXPECT_LE(report.pair_count, 8 * report.body_count);
  EXPECT_LE(report.contact_count, 5 * report.body_count);
  EXPECT_GE(2 * report.contact_count, report.body_count);
}

TEST(ContactSearchTest, KeysAreSortedAndUniqueAndTheSameForAnyWorkers) {
  // Towers side by side: enough shapes and pairs for several chunks of work each.
  constexpr size_t kTowers = 100;
  scenes::StackOptions options;
  options.count = 6;
  SceneDef scene = scenes::Stack(options);
  const std::vector<BodyDef> tower(scene.bodies.begin() + 1, scene.bodies.end());
  for (size_t i = 1; i < kTowers; ++i) {
    for (BodyDef block : tower) {
      block.name.clear();
      block.pose_world.position.x() += 3.0 * static_cast<double>(i);
      scene.bodies.push_back(block);
    }
  }
  SceneState state = AssembleScene(scene);
  const Found one = Search(state, 1);
  EXPECT_EQ(one.contacts.size(), kTowers * 24);  // four corners a level
  for (size_t i = 1; i < one.keys.size(); ++i) EXPECT_TRUE(one.keys[i - 1] < one.keys[i]);
  const Found four = Search(state, 4);
  ASSERT_EQ(four.keys, one.keys);
  for (size_t i = 0; i < one.contacts.size(); ++i) {
    EXPECT_EQ(four.contacts[i].point, one.contacts[i].point);
    EXPECT_EQ(four.contacts[i].gap, one.contacts[i].gap);
  }
}

TEST(ContactSearchTest, ATurningPlaneReachesFarBodies) {
  SceneDef scene;
  scene.settings.gravity_world_m_s2.setZero();
  scene.settings.time_step_s = 0.1;
  BodyDef plane;
  plane.kind = BodyKind::kKinematic;
  plane.angular_velocity_world_rad_s = Vec3(0, -1.0, 0);  // lifts the side at +x
  plane.shapes.resize(1);
  plane.shapes[0].geometry = Plane{};
  scene.bodies.push_back(plane);
  BodyDef ball;
  ball.pose_world.position = Vec3(100.0, 0, 6.0);
  ball.shapes.resize(1);
  ball.shapes[0].geometry = Sphere{1.0};
  ball.mass_kg = 1.0;
  scene.bodies.push_back(ball);
  // In one step the plane rises by 10 m under the ball, which is 5 m above it.
  EXPECT_EQ(Search(AssembleScene(scene)).contacts.size(), 1u);
}

}  // namespace
}  // namespace talus
