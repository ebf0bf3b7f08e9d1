// Friction and restitution of a surface, and how two surfaces combine.
#pragma once

#include <cmath>

namespace talus {

struct Material {
  double sliding_friction = 0.0;     // mu, no unit, >= 0
  double rolling_friction_m = 0.0;   // rho, metres, >= 0
  double spinning_friction_m = 0.0;  // sigma, metres, >= 0
  double restitution = 0.0;          // e, no unit, in [0, 1]

  bool operator==(const Material&) const = default;
};

// The geometric mean of each coefficient: equal materials stay what they are, a zero on either side
// switches the effect off, and the result does not depend on the order.
inline Material CombineMaterials(const Material& a, const Material& b) {
  auto mean = [](double x, double y) { return x == y ? x : std::sqrt(x * y); };
  return {mean(a.sliding_friction, b.sliding_friction),
          mean(a.rolling_friction_m, b.rolling_friction_m),
          mean(a.spinning_friction_m, b.spinning_friction_m), mean(a.restitution, b.restitution)};
}

}  // namespace talus
