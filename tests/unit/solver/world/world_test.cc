#include "solver/world/world.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/scenes/piles.h"
#include "tests/scenes/single_bodies.h"

namespace talus {
namespace {

World MustCreate(const SceneDef& scene) {
  absl::StatusOr<World> world = World::Create(scene);
  EXPECT_TRUE(world.ok()) << world.status();
  return *std::move(world);
}

StepReport MustStep(World& world, WorkerArena& workers, int count) {
  StepReport last;
  for (int step = 0; step < count; ++step) {
    absl::StatusOr<StepReport> report = world.Step(workers);
    EXPECT_TRUE(report.ok()) << report.status();
    last = *report;
  }
  return last;
}

TEST(WorldTest, ABallFallsFreelyByTheSumOfTheSteps) {
  SceneDef scene = scenes::SpherePlane();
  scene.bodies[1].pose_world.position.z() = 1000.0;
  scene.bodies[1].linear_velocity_world_m_s.setZero();
  World world = MustCreate(scene);
  WorkerArena workers(1);
  const StepReport report = MustStep(world, workers, 100);
  // x_n = x_0 - g h^2 n (n + 1) / 2 for the semi-implicit step.
  EXPECT_NEAR(world.bodies().positions[1].z(), 1000.0 - 9.81 * 1e-6 * 100 * 101 / 2, 1e-9);
  EXPECT_EQ(report.contact_count, 0);
  EXPECT_EQ(report.step_index, 100);
  EXPECT_DOUBLE_EQ(report.time_s, 0.1);
}

TEST(WorldTest, TheRollingDiskStopsWhereThePaperSaysAndStaysThere) {
  World world = MustCreate(scenes::RollingDisk());
  WorkerArena workers(1);
  MustStep(world, workers, 800);
  EXPECT_NEAR(world.bodies().positions[1].x(), 3.571429, 0.5 * 0.01 * 1.0 + 1e-6);
  EXPECT_LE(world.bodies().linear_velocities[1].norm(), 1e-12);
  EXPECT_LE(world.bodies().angular_velocities[1].norm(), 1e-12);
}

TEST(WorldTest, AGravelPileGrows) {
  scenes::GravelPileOptions options;
  options.particles = 200;
  World world = MustCreate(scenes::GravelPile(options));
  WorkerArena workers(2);
  const StepReport report = MustStep(world, workers, 200);
  EXPECT_EQ(world.body_count(), 201u);
  EXPECT_EQ(world.particles_pending(), 0);
  EXPECT_GT(report.contact_count, 200);
}

}  // namespace
}  // namespace talus
