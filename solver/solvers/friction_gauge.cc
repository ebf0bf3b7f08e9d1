#include "solver/solvers/friction_gauge.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace talus {

double GaugeFriction(ContactLaw law, int32_t facet_count, double x, double y) {
  if (law == ContactLaw::kBox) return std::max(std::abs(x), std::abs(y));
  if (law != ContactLaw::kPolygonal) return std::hypot(x, y);
  const double half_side = std::numbers::pi / facet_count;
  double largest = 0.0;
  for (int32_t j = 0; j < facet_count; ++j) {
    const double angle = (2 * j + 1) * half_side;
    largest = std::max(largest, x * std::cos(angle) + y * std::sin(angle));
  }
  return largest / std::cos(half_side);
}

}  // namespace talus
