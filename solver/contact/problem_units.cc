#include "solver/contact/problem_units.h"

#include <limits>

namespace talus {
namespace {

// The power of two at or below `value`; 1 where there is none.
double PowerBelow(double value) {
  if (!(value > 0.0) || !std::isfinite(value)) return 1.0;
  return std::ldexp(1.0, std::ilogb(value));
}

}  // namespace

ProblemUnits ChooseUnits(std::span<const BodyMotion> motions) {
  double inverse_mass = 0.0;
  double inverse_inertia = 0.0;
  double speed = 0.0;
  for (const BodyMotion& motion : motions) {
    inverse_mass = std::max(inverse_mass, motion.inverse_mass);
    inverse_inertia = std::max(inverse_inertia, motion.inverse_inertia);
    for (const double v : motion.linear) speed = std::max(speed, std::abs(v));
  }
  return {PowerBelow(inverse_mass), PowerBelow(std::sqrt(inverse_mass / inverse_inertia)),
          PowerBelow(speed)};
}

bool FitFloats(std::span<const BodyMotion> motions) {
  constexpr double kMostApart = 1e12;
  double least_mass = std::numeric_limits<double>::infinity();
  double least_inertia = least_mass;
  double most_mass = 0.0;
  double most_inertia = 0.0;
  for (const BodyMotion& motion : motions) {
    if (!motion.dynamic()) continue;
    least_mass = std::min(least_mass, motion.inverse_mass);
    most_mass = std::max(most_mass, motion.inverse_mass);
    least_inertia = std::min(least_inertia, motion.inverse_inertia);
    most_inertia = std::max(most_inertia, motion.inverse_inertia);
  }
  return most_mass <= kMostApart * least_mass && most_inertia <= kMostApart * least_inertia;
}

}  // namespace talus
