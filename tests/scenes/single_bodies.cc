#include "tests/scenes/single_bodies.h"

#include <cmath>
#include <utility>

namespace talus::scenes {
namespace {

SceneDef MakePlaneScene(const Material& material, double time_step_s, double gravity) {
  SceneDef scene;
  scene.materials.push_back({"surface", material});
  scene.settings.time_step_s = time_step_s;
  scene.settings.gravity_world_m_s2 = Vec3(0.0, 0.0, -gravity);
  // One body on one plane is solved to round-off at no cost, so that what is left is the law and
  // the step size.
  scene.settings.solver.tolerance = 1e-12;
  BodyDef ground;
  ground.name = "ground";
  ground.kind = BodyKind::kStatic;
  ground.shapes.resize(1);
  ground.shapes[0].geometry = Plane{};
  ground.shapes[0].material = "surface";
  scene.bodies.push_back(ground);
  return scene;
}

Vec3 Heading(double heading_rad) { return Vec3(std::cos(heading_rad), std::sin(heading_rad), 0.0); }

BodyDef MakeBall(double radius) {
  BodyDef ball;
  ball.name = "ball";
  ball.pose_world.position = Vec3(0.0, 0.0, radius);
  ball.shapes.resize(1);
  ball.shapes[0].geometry = Sphere{radius};
  ball.shapes[0].material = "surface";
  return ball;
}

}  // namespace

SceneDef RollingDisk(const RollingDiskOptions& options) {
  SceneDef scene = MakePlaneScene({options.sliding_friction, options.rolling_friction_m, 0.0, 0.0},
                                  options.time_step_s, 9.8);
  BodyDef ball = MakeBall(1.0);
  ball.mass_kg = 10.0;
  ball.inertia_body_kg_m2 = Mat3(4.0 * Mat3::Identity());
  ball.linear_velocity_world_m_s = Heading(options.heading_rad);
  ball.angular_velocity_world_rad_s = Vec3::UnitZ().cross(ball.linear_velocity_world_m_s);
  scene.bodies.push_back(ball);
  return scene;
}

SceneDef SpherePlane(const SpherePlaneOptions& options) {
  SceneDef scene = MakePlaneScene(
      {options.sliding_friction, options.rolling_friction_m, options.spinning_friction_m, 0.0},
      options.time_step_s, 9.81);
  BodyDef ball = MakeBall(0.5);
  ball.density_kg_m3 = 2500.0;
  ball.linear_velocity_world_m_s = options.speed_m_s * Heading(options.heading_rad);
  ball.angular_velocity_world_rad_s =
      options.spin_rad_s * Vec3::UnitZ().cross(Heading(options.heading_rad)) +
      options.vertical_spin_rad_s * Vec3::UnitZ();
  scene.bodies.push_back(ball);
  return scene;
}

SceneDef SlidingBlock(const SlidingBlockOptions& options) {
  SceneDef scene =
      MakePlaneScene({options.sliding_friction, 0.0, 0.0, 0.0}, options.time_step_s, 9.81);
  BodyDef block;
  block.name = "block";
  block.pose_world.position = Vec3(0.0, 0.0, 0.1);
  block.shapes.resize(1);
  block.shapes[0].geometry = Box{Vec3(0.2, 0.2, 0.1)};
  block.shapes[0].material = "surface";
  block.mass_kg = 8.0;
  block.linear_velocity_world_m_s = options.speed_m_s * Heading(options.heading_rad);
  scene.bodies.push_back(block);
  return scene;
}

SceneDef OnSlope(SceneDef scene, double slope_rad, double heading_rad) {
  const double gravity = scene.settings.gravity_world_m_s2.norm();
  scene.settings.gravity_world_m_s2 =
      gravity * (std::sin(slope_rad) * Heading(heading_rad) - std::cos(slope_rad) * Vec3::UnitZ());
  return scene;
}

}  // namespace talus::scenes
