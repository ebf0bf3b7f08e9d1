// [TA] §6.1: a disk (here a ball with the paper's inertia) rolls to rest under rolling friction.
//
//   a = ρ M g R / (J + M R²) = 0.14 m/s²,   stops after v₀ / a = 7.142857 s and v₀² / (2a)
//   = 3.571429 m.
//
// Positions advance with the velocity at the end of the step, v_k = v₀ − k a h. With v₀ / (a h) = n
// + f, 0 ≤ f < 1, the ball makes n moving steps and x = a h² (n²/2 + n f − n/2), short of the exact
// distance by h v₀ / 2 − a h² f (1 − f) / 2: at most by h v₀ / 2, and by no less than h v₀ / 2 − a
// h² / 8. Rounding and the solver's tolerance of 10⁻¹³ over some thousand steps stay below 10⁻⁹ m.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "tests/scenes/single_body.h"
#include "tests/validation/cases.h"
#include "tests/validation/motion.h"

namespace talus::validation {

void AddRollingDisk(ResultSheet& sheet) {
  constexpr double kDeceleration = 0.02 * 10.0 * 9.8 * 1.0 / (4.0 + 10.0);
  constexpr double kSpeed = 1.0;
  constexpr double kDistance = kSpeed * kSpeed / (2.0 * kDeceleration);
  constexpr double kRounding = 1e-9;
  double error_coarse = 0.0;
  double fastest_at_rest = 0.0;
  for (const double h : {0.01, 0.005, 0.001}) {
    World world = MakeWorld(scenes::RollingDisk(h).Build());
    const Moment end = RunUntil(world, 1, 8.0, [](const Moment&) { return false; });
    const double first_order = 0.5 * h * kSpeed;
    const double error = kDistance - end.position.x();
    char id[64];
    std::snprintf(id, sizeof(id), "TA-6.1-disk-distance-h%g", h);
    sheet.Add({id, "TA §6.1", end.position.x(), kDistance, first_order + kRounding, "m"});
    // The first-order error itself: the scheme does what it says. The middle of its range, ± half.
    const double stop_in_step = kDeceleration * h * h / 8.0;
    std::snprintf(id, sizeof(id), "TA-6.1-disk-first-order-h%g", h);
    sheet.Add({id, "TA §6.1", error, first_order - 0.5 * stop_in_step,
               0.5 * stop_in_step + kRounding, "m"});
    if (h == 0.01) error_coarse = error;
    // The order from two steps: each error is off h v₀ / 2 by less than a h / (4 v₀) of itself.
    if (h == 0.005) {
      sheet.Add({"TA-6.1-disk-order", "TA §6.1", std::log2(error_coarse / error), 1.0,
                 kDeceleration * 0.01 / (4.0 * kSpeed) / std::log(2.0), "-"});
    }
    // At rest for good: 10 s more.
    fastest_at_rest = std::max(fastest_at_rest, LargestSpeed(world, 1, std::llround(10.0 / h)));
  }
  sheet.Add({"TA-6.1-disk-rest", "TA §6.1", fastest_at_rest, 0.0, 1e-12, "m/s"});
}

}  // namespace talus::validation
