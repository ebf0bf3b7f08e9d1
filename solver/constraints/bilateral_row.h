// A locked axis: ψ = position − target is to be zero at the end of the step.
//
//   ψ/h + J v + E γ = 0,   γ unbounded,   E = c / h²
//
// c, the compliance of a spring (m/N, rad/(N m)), makes it F = γ/h = −(ψ + h J v) / c: the spring's
// force where the step ends. Rigid rows, c = 0, undo at most `recovery` (m/s, rad/s) of a ψ that is
// not zero, as contacts do: it may come from a description that does not fit.
#pragma once

#include <algorithm>
#include <limits>

#include "solver/constraints/joint_rows.h"
#include "solver/scene/joint_def.h"

namespace talus {

inline JointRow MakeBilateralRow(const JointAxis& axis, double position, double h,
                                 double recovery) {
  constexpr double kUnbounded = std::numeric_limits<double>::infinity();
  const double correction = (position - axis.position) / h;
  if (axis.compliance > 0.0) {
    return {correction, -kUnbounded, kUnbounded, axis.compliance / (h * h)};
  }
  return {std::clamp(correction, -recovery, recovery), -kUnbounded, kUnbounded, 0.0};
}

}  // namespace talus
