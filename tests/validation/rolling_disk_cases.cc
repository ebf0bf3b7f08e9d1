// [TA] §6.1: a disk (here a ball with the paper's inertia) rolls to rest under rolling friction.
//
//   a = ρ M g R / (J + M R²) = 0.14 m/s²,   stops after v₀ / a = 7.142857 s and v₀² / (2a)
//   = 3.571429 m.
//
// Positions advance with the velocity at the end of the step, v_k = v₀ − k a h, so the distance is
// short by h v₀ / 2, plus at most a h² / 8 from where in its step the stop falls: that is the
// tolerance, and the expected value is the exact one.
#include <cmath>
#include <cstdio>

#include "tests/scenes/single_body.h"
#include "tests/validation/cases.h"
#include "tests/validation/motion.h"

namespace talus::validation {

void AddRollingDisk(ResultSheet& sheet) {
  constexpr double kDeceleration = 0.02 * 10.0 * 9.8 * 1.0 / (4.0 + 10.0);
  constexpr double kDistance = 1.0 / (2.0 * kDeceleration);
  double error_coarse = 0.0;
  for (const double h : {0.01, 0.005, 0.001}) {
    World world = MakeWorld(scenes::RollingDisk(h).Build());
    const Moment end = RunUntil(world, 1, 8.0, [](const Moment&) { return false; });
    const double first_order = 0.5 * h * 1.0;
    char id[64];
    std::snprintf(id, sizeof(id), "TA-6.1-disk-distance-h%g", h);
    sheet.Add(
        {id, "TA §6.1", end.position.x(), kDistance, first_order + kDeceleration * h * h, "m"});
    // The first-order error itself, to rounding and the stop's place in its step: the scheme does
    // what it says.
    std::snprintf(id, sizeof(id), "TA-6.1-disk-first-order-h%g", h);
    sheet.Add(
        {id, "TA §6.1", kDistance - end.position.x(), first_order, kDeceleration * h * h, "m"});
    if (h == 0.01) {
      error_coarse = kDistance - end.position.x();
      // At rest for good: 10 s more without a speed above 10⁻¹² m/s.
      sheet.Add({"TA-6.1-disk-rest", "TA §6.1", LargestSpeed(world, 1, 1000), 0.0, 1e-12, "m/s"});
    } else if (h == 0.005) {
      sheet.Add({"TA-6.1-disk-order", "TA §6.1",
                 std::log2(error_coarse / (kDistance - end.position.x())), 1.0, 0.01, "-"});
    }
  }
}

}  // namespace talus::validation
