// A locked axis: ψ = position − target is to be zero at the end of the step.
//
//   ψ/h + J v + E γ = 0,   γ unbounded
//
// A spring of compliance c (m/N, rad/(N m)) has ψ/(θh) + J v + E γ = 0 with E = c/(θh²), which
// makes it F = γ/h = −(ψ + θ h J v) / c: the spring's force at the share θ of the step, at θ = 1
// where it ends. A step of θ makes an oscillation of frequency ω shrink in the plane of position
// and velocity by 1/(1 + θω²h²), since positions go on with the velocity at the end. Rigid rows, c
// = 0, undo at most `recovery` (m/s, rad/s) of a ψ that is not zero, as contacts do: it may come
// from a description that does not fit.
#pragma once

#include <algorithm>
#include <limits>

#include "solver/constraints/joint_rows.h"
#include "solver/scene/joint_def.h"

namespace talus {

inline JointRow MakeBilateralRow(const JointAxis& axis, double position, double h, double recovery,
                                 double theta = 1.0) {
  constexpr double kUnbounded = std::numeric_limits<double>::infinity();
  const double correction = (position - axis.position) / h;
  if (axis.compliance > 0.0) {
    return {correction / theta, -kUnbounded, kUnbounded, axis.compliance / (theta * h * h)};
  }
  return {std::clamp(correction, -recovery, recovery), -kUnbounded, kUnbounded, 0.0};
}

}  // namespace talus
