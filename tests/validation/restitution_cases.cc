// Newton impacts: the relative normal velocity after is e times that before, whatever the step or
// the gap when it happens.
#include <cmath>

#include "tests/scenes/single_body.h"
#include "tests/validation/cases.h"
#include "tests/validation/motion.h"

namespace talus::validation {
namespace {

// Two balls of the given masses meet head-on in empty space; returns their velocities.
std::pair<double, double> Collide(double mass_a, double mass_b, double restitution) {
  SceneDef scene;
  scene.materials.push_back({"bouncy", {0.0, 0.0, 0.0, restitution}});
  scene.settings.gravity_world_m_s2 = Vec3::Zero();
  scene.settings.solver.tolerance = 1e-13;
  for (const double side : {-1.0, 1.0}) {
    BodyDef ball;
    ball.shapes.push_back({Sphere{0.1}, Pose{}, "bouncy"});
    ball.mass_kg = side < 0.0 ? mass_a : mass_b;
    ball.pose_world.position = Vec3(0.317 * side, 0.0, 0.0);
    ball.linear_velocity_world_m_s = Vec3(side < 0.0 ? 2.0 : -1.0, 0.0, 0.0);
    scene.bodies.push_back(ball);
  }
  World world = MakeWorld(scene);
  StepWorld(world, 100);
  return {BodyMoment(world, 0).velocity.x(), BodyMoment(world, 1).velocity.x()};
}

}  // namespace

void AddRestitution(ResultSheet& sheet) {
  for (const double e : {0.0, 0.5, 1.0}) {
    const auto [a, b] = Collide(1.0, 3.0, e);
    const std::string id = "impact-e" + std::to_string(e).substr(0, 3);
    // Exact up to the solver's tolerance of 10⁻¹³.
    sheet.Add({id + "-separation", "Newton", b - a, e * 3.0, 1e-11, "m/s"});
    sheet.Add(
        {id + "-momentum", "Newton", 1.0 * a + 3.0 * b, 1.0 * 2.0 - 3.0 * 1.0, 1e-12, "kg m/s"});
  }
  // A ball dropped from 1 m rebounds to e² of the height; the step (h 10⁻³ s) resolves the impact
  // speed to g h.
  scenes::BallOnPlane ball;
  ball.height_m = 1.0;
  ball.time_step_s = 1e-3;
  ball.material = {0.5, 0.0, 0.0, 0.6};
  World world = MakeWorld(ball.Build());
  RunUntil(world, 1, 2.0, [](const Moment& m) { return m.velocity.z() > 0.0; });
  const Moment top = RunUntil(world, 1, 2.0, [](const Moment& m) { return m.velocity.z() <= 0.0; });
  const double impact_speed = std::sqrt(2.0 * 9.81);
  sheet.Add({"drop-rebound-height", "Newton", top.position.z() - 1.0, 0.36,
             0.36 * 2.0 * 2.0 * 9.81 * 1e-3 / impact_speed, "m"});
}

}  // namespace talus::validation
