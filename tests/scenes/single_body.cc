#include "tests/scenes/single_body.h"

#include <cmath>

namespace talus::scenes {
namespace {

Vec3 Heading(double angle) { return {std::cos(angle), std::sin(angle), 0.0}; }

BodyDef Ground() {
  BodyDef ground;
  ground.name = "ground";
  ground.kind = BodyKind::kStatic;
  ground.shapes.push_back({Plane{Vec3::UnitZ()}, Pose{}, "surface"});
  return ground;
}

SceneDef SceneOnGround(const Material& material, double time_step_s, double gravity, double slope,
                       double heading, const SolverSettings& solver) {
  SceneDef scene;
  scene.materials.push_back({"surface", material});
  scene.settings.time_step_s = time_step_s;
  scene.settings.gravity_world_m_s2 =
      gravity * (std::sin(slope) * Heading(heading) - std::cos(slope) * Vec3::UnitZ());
  scene.settings.solver = solver;
  scene.bodies.push_back(Ground());
  return scene;
}

}  // namespace

SceneDef BallOnPlane::Build() const {
  SceneDef scene =
      SceneOnGround(material, time_step_s, gravity_m_s2, slope_rad, heading_rad, solver);
  BodyDef ball;
  ball.name = "ball";
  ball.pose_world.position = Vec3(0.0, 0.0, radius_m + height_m);
  ball.linear_velocity_world_m_s =
      speed_m_s * Heading(heading_rad) + vertical_speed_m_s * Vec3::UnitZ();
  // Rolling along d turns the ball about z × d.
  ball.angular_velocity_world_rad_s =
      spin_rad_s * Vec3::UnitZ().cross(Heading(heading_rad)) + vertical_spin_rad_s * Vec3::UnitZ();
  ball.shapes.push_back({Sphere{radius_m}, Pose{}, "surface"});
  ball.mass_kg = mass_kg;
  ball.inertia_body_kg_m2 = inertia_kg_m2 * Mat3::Identity();
  scene.bodies.push_back(ball);
  return scene;
}

BallOnPlane RollingDisk(double time_step_s, double heading_rad) {
  BallOnPlane disk;
  disk.speed_m_s = 1.0;
  disk.spin_rad_s = 1.0;
  disk.heading_rad = heading_rad;
  disk.gravity_m_s2 = 9.8;
  disk.time_step_s = time_step_s;
  disk.material = {0.9, 0.02, 0.0, 0.0};
  disk.solver.tolerance = 1e-13;
  return disk;
}

BallOnPlane SphereOnPlane(double spin_rad_s, double sliding_friction, double rolling_friction_m) {
  BallOnPlane ball;
  ball.radius_m = 0.5;
  ball.mass_kg = 2500.0 * 4.0 / 3.0 * std::acos(-1.0) * 0.125;
  ball.inertia_kg_m2 = 0.4 * ball.mass_kg * 0.25;
  ball.speed_m_s = 2.5;
  ball.spin_rad_s = spin_rad_s;
  ball.time_step_s = 1e-3;
  ball.material = {sliding_friction, rolling_friction_m, 0.0, 0.0};
  ball.solver.tolerance = 1e-13;
  return ball;
}

SceneDef BlockOnPlane::Build() const {
  SceneDef scene =
      SceneOnGround(material, time_step_s, gravity_m_s2, slope_rad, heading_rad, solver);
  BodyDef block;
  block.name = "block";
  block.pose_world.position = Vec3(0.0, 0.0, half_extent_m);
  block.linear_velocity_world_m_s = speed_m_s * Heading(heading_rad);
  block.shapes.push_back({Box{Vec3::Constant(half_extent_m)}, Pose{}, "surface"});
  block.mass_kg = mass_kg;
  scene.bodies.push_back(block);
  return scene;
}

}  // namespace talus::scenes
