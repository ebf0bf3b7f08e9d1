// Spinning friction: a ball turning about the normal is braked by the torque σ m g, and by nothing
// when σ = 0.
#include <cmath>

#include "tests/scenes/single_body.h"
#include "tests/validation/cases.h"
#include "tests/validation/motion.h"

namespace talus::validation {

void AddSpinning(ResultSheet& sheet) {
  scenes::BallOnPlane ball;
  ball.vertical_spin_rad_s = 10.0;
  ball.time_step_s = 0.005;
  ball.material = {0.5, 0.01, 0.03, 0.0};
  ball.solver.tolerance = 1e-13;
  const double braking = 0.03 * ball.mass_kg * 9.81 / ball.inertia_kg_m2;  // rad/s²
  {
    World world = MakeWorld(ball.Build());
    const Moment half = RunUntil(world, 1, 1.0, [](const Moment&) { return false; });
    // Velocities are exact in a uniformly braked motion; only rounding and the solver's tolerance
    // remain.
    sheet.Add({"spin-down-rate", "TA eq. 8", (10.0 - half.spin.z()) / half.time_s, braking, 1e-9,
               "rad/s2"});
    const Moment end =
        RunUntil(world, 1, 30.0, [](const Moment& m) { return std::abs(m.spin.z()) < 1e-9; });
    sheet.Add({"spin-down-stop-time", "TA eq. 8", end.time_s, 10.0 / braking, 0.005, "s"});
    sheet.Add({"spin-down-rest", "TA eq. 8", LargestSpeed(world, 1, 1000), 0.0, 1e-12, "rad/s"});
  }
  ball.material.spinning_friction_m = 0.0;
  World world = MakeWorld(ball.Build());
  const Moment end = RunUntil(world, 1, 5.0, [](const Moment&) { return false; });
  // Rolling friction must not brake a spin about the normal; engines that lock it do so in one
  // step.
  sheet.Add({"spin-free-at-zero-sigma", "TA eq. 8", end.spin.z(), 10.0, 1e-9, "rad/s"});
}

}  // namespace talus::validation
