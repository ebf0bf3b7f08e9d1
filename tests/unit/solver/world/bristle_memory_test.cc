// What bristles remember from step to step in scenes: beside the same bristles under NCP, of which
// the formulas are in contact/compliance.h, and where an arm vanishes.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "solver/world/world.h"
#include "tests/scenes/single_body.h"
#include "tests/support/worlds.h"

namespace talus {
namespace {

using testing::MakeWorld;
using testing::StepWorld;

// A ball that rolls from the top of a dome on bristles of this stiffness against sliding.
SceneDef BallOnDome(ContactLaw law, double stiffness) {
  SceneDef scene;
  scene.materials.push_back({"dome", {1.0, 0.0, 0.0, 0.0}});
  scene.materials.push_back({"ball", {1.0, 0.0, 0.0, 0.0}});
  if (law == ContactLaw::kNcp) {
    scene.materials[1].material.elasticity.sliding_stiffness_n_per_m = stiffness;
  }
  BodyDef dome;
  dome.kind = BodyKind::kStatic;
  dome.shapes.push_back({Sphere{2.0}, Pose{}, "dome"});
  scene.bodies.push_back(dome);
  BodyDef ball;
  ball.shapes.push_back({Sphere{0.1}, Pose{}, "ball"});
  ball.mass_kg = 1.0;
  ball.pose_world.position.z() = 2.1;
  ball.linear_velocity_world_m_s.x() = 0.5;
  ball.angular_velocity_world_rad_s.y() = 5.0;
  scene.bodies.push_back(ball);
  scene.settings.time_step_s = 1e-3;
  scene.settings.gravity_world_m_s2 = Vec3(0.0, 0.0, -9.81);
  scene.settings.solver.law = law;
  scene.settings.solver.tolerance = 1e-12;
  scene.settings.solver.max_sweeps = 20000;
  scene.settings.solver.bristle_stiffness_n_m = stiffness;
  // Of springs alone: what slips has other axes.
  scene.settings.solver.slip_threshold_m_s = 1e6;
  return scene;
}

// The normal turns by a radian on the way. Under NCP and under BRISTLE the bristles hold all of the
// friction, so that the laws are one.
TEST(BristleMemory, TurnsWithTheNormal) {
  for (const double stiffness : {1e2, 1e3}) {
    World bristle = MakeWorld(BallOnDome(ContactLaw::kBristle, stiffness));
    World ncp = MakeWorld(BallOnDome(ContactLaw::kNcp, stiffness));
    StepWorld(bristle, 600);
    StepWorld(ncp, 600);
    const Vec3 spin = bristle.bodies().angular_velocities[1];
    const Vec3 exact = ncp.bodies().angular_velocities[1];
    RecordProperty("spin", std::to_string(exact.y()));
    EXPECT_GT(exact.y(), 6.0);
    // Solves are to 1e-12 of impulses of 0.01 N s, 600 of them.
    EXPECT_LE((spin - exact).norm(), 1e-7 * exact.norm()) << stiffness << ": " << spin.y();
  }
}

// A snapshot holds the normals: the steps after it are the same.
TEST(BristleMemory, IsSavedWithItsNormals) {
  World world = MakeWorld(BallOnDome(ContactLaw::kBristle, 1e3));
  StepWorld(world, 300);
  absl::StatusOr<World> restored = World::Restore(world.SaveSnapshot());
  ASSERT_TRUE(restored.ok()) << restored.status();
  World fork = world.Fork();
  StepWorld(world, 20);
  StepWorld(*restored, 20);
  StepWorld(fork, 20);
  EXPECT_EQ(restored->state_hash(), world.state_hash());
  EXPECT_EQ(fork.state_hash(), world.state_hash());
}

// Admitted values whose squares are none: no rolling or spinning friction is left, and the floor
// holds.
TEST(BristleMemory, IsNoneOfAnArmThatVanishes) {
  const auto roll = [](double sliding, double rolling, double spinning) {
    scenes::BallOnPlane ball;
    ball.radius_m = 0.5;
    ball.speed_m_s = 1.0;
    ball.spin_rad_s = 1.0;
    ball.vertical_spin_rad_s = 2.0;
    ball.material = {sliding, rolling, spinning, 0.0};
    ball.solver.law = ContactLaw::kBristle;
    ball.solver.tolerance = 1e-10;
    World world = MakeWorld(ball.Build());
    StepWorld(world, 100);
    EXPECT_NEAR(world.bodies().positions[1].z(), 0.5, 1e-9) << rolling << ", " << spinning;
    return world.bodies().linear_velocities[1];
  };
  const Vec3 smooth = roll(0.5, 0.0, 0.0);
  for (const double arm : {1e-300, 1e-160, 1e-100, 1e-61, 1e-59, 1e-30}) {
    EXPECT_LE((roll(0.5, arm, 0.0) - smooth).norm(), 1e-9) << arm;
    EXPECT_LE((roll(0.5, 0.0, arm) - smooth).norm(), 1e-9) << arm;
  }
  roll(1e-300, 1e-300, 1e-300);
  roll(1e6, 1e6, 1e6);
}

}  // namespace
}  // namespace talus
