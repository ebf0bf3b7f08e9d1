// θ in scenes: what it does to springs of joints and to free rotation, beside closed forms.
#include <gtest/gtest.h>

#include <cmath>

#include "solver/state/snapshot.h"
#include "solver/world/world.h"
#include "tests/support/mechanisms.h"

namespace talus {
namespace {

using testing::MakeWorld;
using testing::StepWorld;

// A mass on a spring along x; ω = 20 1/s, h = 5 ms.
World Oscillate(double theta, double position, double speed, int steps) {
  SceneDef scene;
  BodyDef body;
  body.name = "mass";
  body.shapes.push_back({Sphere{0.1}, Pose{}, ""});
  body.mass_kg = 2.0;
  body.pose_world.position.x() = position;
  body.linear_velocity_world_m_s.x() = speed;
  scene.bodies.push_back(body);
  JointDef spring;
  spring.body_b = "mass";
  spring.axes[0] = JointAxis::Spring(0.0, 800.0);
  scene.joints.push_back(spring);
  scene.settings.gravity_world_m_s2.setZero();
  scene.settings.solver.tolerance = 1e-13;
  scene.settings.theta = theta;
  World world = MakeWorld(scene);
  StepWorld(world, steps);
  return world;
}

// The area that two solutions span shrinks by 1/(1 + θω²h²) a step: v⁺ = v − ω²h (x + θ h v⁺),
// x⁺ = x + h v⁺.
TEST(Theta, SpringsLoseWhatTheirFormulaSays) {
  for (const double theta : {0.5, 0.75, 1.0}) {
    const int steps = 200;
    const World a = Oscillate(theta, 1.0, 0.0, steps);
    const World b = Oscillate(theta, 0.0, 1.0, steps);
    const auto x = [](const World& world) { return world.bodies().positions[0].x(); };
    const auto v = [](const World& world) { return world.bodies().linear_velocities[0].x(); };
    const double area = x(a) * v(b) - x(b) * v(a);
    const double exact = std::pow(1.0 + theta * 20.0 * 20.0 * 0.005 * 0.005, -steps);
    // The solves leave 10⁻¹³ of what drives them in each step.
    EXPECT_NEAR(area, exact, 1e-9) << theta;
  }
}

// A free symmetric top, I₁ = I₂: in its own axes ω_x + iω_y turns by (I₃ − I₁)/I₁ ω₃ per second.
double TopError(double theta, double h) {
  const Vec3 inertia(1.0, 1.0, 1.6);
  const Vec3 start(0.8, 0.0, 5.0);
  SceneDef scene;
  BodyDef body;
  body.shapes.push_back({Sphere{0.1}, Pose{}, ""});
  body.mass_kg = 2.0;
  body.inertia_body_kg_m2 = Mat3(inertia.asDiagonal());
  body.angular_velocity_world_rad_s = start;
  scene.bodies.push_back(body);
  scene.settings.gravity_world_m_s2.setZero();
  scene.settings.time_step_s = h;
  scene.settings.theta = theta;
  World world = MakeWorld(scene);
  StepWorld(world, static_cast<int>(std::lround(2.0 / h)));
  const Vec3 spin =
      world.bodies().orientations[0].conjugate() * world.bodies().angular_velocities[0];
  const double turned = 0.6 * 5.0 * 2.0;
  return (spin - Vec3(0.8 * std::cos(turned), 0.8 * std::sin(turned), 5.0)).norm();
}
TEST(Theta, HalfWayATopIsOfSecondOrder) {
  EXPECT_NEAR(TopError(1.0, 2e-3) / TopError(1.0, 1e-3), 2.0, 0.05);
  EXPECT_NEAR(TopError(0.5, 2e-3) / TopError(0.5, 1e-3), 4.0, 0.05);
  EXPECT_LT(TopError(0.5, 1e-3), 0.01 * TopError(1.0, 1e-3));
}

// A tumble about the middle axis, 5000 steps: at θ = 1 energy goes in first order of h, at 1/2 it
// stays, and so does the length of the momentum.
TEST(Theta, HalfWayATumbleKeepsItsEnergy) {
  const Vec3 inertia(1.0, 2.0, 3.0);
  const auto lost = [&](double theta) {
    SceneDef scene;
    BodyDef body;
    body.shapes.push_back({Sphere{0.1}, Pose{}, ""});
    body.mass_kg = 2.0;
    body.inertia_body_kg_m2 = Mat3(inertia.asDiagonal());
    body.angular_velocity_world_rad_s = Vec3(0.01, 5.0, 0.01);
    scene.bodies.push_back(body);
    scene.settings.gravity_world_m_s2.setZero();
    scene.settings.time_step_s = 5e-3;
    scene.settings.theta = theta;
    World world = MakeWorld(scene);
    const double before = world.ComputeEnergy().kinetic_rotation_j;
    StepWorld(world, 5000);
    return 1.0 - world.ComputeEnergy().kinetic_rotation_j / before;
  };
  EXPECT_GT(lost(1.0), 1e-3);
  // Rounding, of 5000 steps of a few operations.
  EXPECT_LT(std::abs(lost(0.5)), 1e-11);
}

TEST(Theta, IsValidatedAndSaved) {
  SceneDef scene;
  for (const double theta : {0.49, 1.01, std::nan("")}) {
    scene.settings.theta = theta;
    const absl::Status status = World::Create(scene).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    EXPECT_EQ(std::string(status.message()).find("settings.theta = "), 0u) << status;
  }
  const World world = Oscillate(0.75, 1.0, 0.0, 3);
  const std::string bytes = world.SaveSnapshot();
  absl::StatusOr<World> restored = World::Restore(bytes);
  ASSERT_TRUE(restored.ok()) << restored.status();
  EXPECT_EQ(restored->settings().theta, 0.75);
  EXPECT_EQ(restored->SaveSnapshot(), bytes);
}

}  // namespace
}  // namespace talus
