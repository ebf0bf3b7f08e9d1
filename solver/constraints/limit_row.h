// A limited axis: ψ = position stays between `lower` and `upper`.
//
//   0 ≤ γ ⟂ J v + (ψ − lower)/h ≥ 0   or   0 ≥ γ ⟂ J v − (upper − ψ)/h ≤ 0
//
// for the limit that is nearer at the start of the step: the other one is asked for in the next
// step, when it has become the nearer. As the gap of a contact, the distance to a limit may be
// used up within the step, and at most `recovery` (m/s, rad/s) of an overshoot is undone.
#pragma once

#include <algorithm>
#include <limits>

#include "solver/constraints/joint_rows.h"
#include "solver/scene/joint_def.h"

namespace talus {

inline JointRow MakeLimitRow(const JointAxis& axis, double position, double h, double recovery) {
  constexpr double kUnbounded = std::numeric_limits<double>::infinity();
  const double above_lower = position - axis.lower;
  const double below_upper = axis.upper - position;
  if (above_lower <= below_upper) {
    return {std::max(above_lower / h, -recovery), 0.0, kUnbounded, 0.0};
  }
  return {-std::max(below_upper / h, -recovery), -kUnbounded, 0.0, 0.0};
}

}  // namespace talus
