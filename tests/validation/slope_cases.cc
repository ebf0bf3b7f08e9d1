// A block stays on a slope iff tan α ≤ μ, a ball iff tan α ≤ ρ / R (given enough μ). The critical
// slope is found by bisection between 0.9 and 1.1 times the exact one, and must be met within 1 %
// on both sides; above it the acceleration is checked.
#include <cmath>

#include "tests/scenes/single_body.h"
#include "tests/validation/cases.h"
#include "tests/validation/motion.h"

namespace talus::validation {
namespace {

constexpr double kG = 9.81;

SceneDef BlockAt(double tangent) {
  scenes::BlockOnPlane block;
  block.slope_rad = std::atan(tangent);
  block.material = {0.4, 0.0, 0.0, 0.0};
  block.solver.tolerance = 1e-12;
  block.solver.max_sweeps = 20000;
  return block.Build();
}

SceneDef BallAt(double tangent) {
  scenes::BallOnPlane ball;
  ball.slope_rad = std::atan(tangent);
  ball.material = {0.6, 0.05, 0.05, 0.0};
  ball.solver.tolerance = 1e-13;
  return ball.Build();
}

// How far the body goes in one second.
template <typename Build>
double Travel(const Build& build, double tangent) {
  World world = MakeWorld(build(tangent));
  return RunUntil(world, 1, 1.0, [](const Moment&) { return false; }).position.x();
}

// The steepest slope it stays on, within 0.1 % after eight halvings. The least steep that moves
// there is 0.04 % above the exact one, and takes a ball (5/7) g · 2·10⁻⁵ t² / 2 = 7·10⁻⁵ m far; one
// that stays moves by what the solver's tolerance leaves, below 10⁻⁹ m. A micrometre lies between.
template <typename Build>
double CriticalTangent(const Build& build, double exact) {
  double stays = 0.9 * exact;
  double moves = 1.1 * exact;
  for (int halving = 0; halving < 8; ++halving) {
    const double middle = 0.5 * (stays + moves);
    (std::abs(Travel(build, middle)) < 1e-6 ? stays : moves) = middle;
  }
  return 0.5 * (stays + moves);
}

}  // namespace

void AddSlopes(ResultSheet& sheet) {
  sheet.Add({"slope-slide", "Coulomb", CriticalTangent(BlockAt, 0.4), 0.4, 0.01 * 0.4, "-"});
  sheet.Add({"slope-roll", "TA §2", CriticalTangent(BallAt, 0.05), 0.05, 0.01 * 0.05, "-"});
  for (const bool rolls : {false, true}) {
    const double critical = rolls ? 0.05 : 0.4;
    const double below = rolls ? Travel(BallAt, 0.99 * critical) : Travel(BlockAt, 0.99 * critical);
    const double above = rolls ? Travel(BallAt, 1.5 * critical) : Travel(BlockAt, 1.5 * critical);
    const double alpha = std::atan(1.5 * critical);
    // The driving force in excess of friction, and for the ball 5/7 of it: J = 2/5 M R².
    const double acceleration =
        kG * (std::sin(alpha) - critical * std::cos(alpha)) * (rolls ? 5.0 / 7.0 : 1.0);
    const double h = rolls ? 0.01 : 0.005;
    // At rest a step leaves 10⁻¹² (the tolerance) of g h, a hundredfold for the block's four
    // contacts: 10⁻¹¹ m in a second.
    sheet.Add({rolls ? "slope-roll-rest" : "slope-slide-rest", "Coulomb", below, 0.0, 1e-9, "m"});
    // x = a t (t + h) / 2 for v_k = k a h: beyond the exact a t² / 2 by a t h / 2.
    sheet.Add({rolls ? "slope-roll-travel" : "slope-slide-travel", "Coulomb", above,
               0.5 * acceleration, 0.5 * acceleration * h * 1.01, "m"});
  }
}

}  // namespace talus::validation
