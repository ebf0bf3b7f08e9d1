// Alart and Curnier's step of one block, for NCP: the normal first, then each friction part with
// the velocity that the parts before it have left, clipped to the bound of the present normal.
//
// Here for the sweeps to hold in registers: block waits for block, and each number that went to
// memory and back would be waited for. Number by number: rows in pairs would wait for what has just
// been written in other pairs, and only the velocities that a part needs are brought up to date.
#pragma once

#include <algorithm>
#include <cmath>

#include "solver/matrix_solvers/block_steps.h"

namespace talus::matrix {

// Shortens (x, y) to `bound`. Within it, where most contacts that stick are, without a root.
inline void Shorten(double bound, double& x, double& y) {
  const double squared = x * x + y * y;
  if (squared <= bound * bound) return;
  const double share = bound / std::sqrt(squared);
  x *= share;
  y *= share;
}

inline Wrench StepAlartCurnier(const BlockLaw& law, const Matrix6& w, const PartSteps& steps,
                               const Wrench& impulse, const Wrench& velocity) {
  if (law.kind == BlockLawKind::kBounds) return StepWithinBounds(law, w, impulse, velocity);
  const double normal = std::max(0.0, impulse[0] - steps.normal * velocity[0]);
  const double pressed = normal - impulse[0];
  const auto velocity_at = [&](int row) { return velocity[row] + w(row, 0) * pressed; };

  double x = impulse[1] - steps.sliding * velocity_at(1);
  double y = impulse[2] - steps.sliding * velocity_at(2);
  Shorten(law.cone.sliding * normal, x, y);
  const double slid_x = x - impulse[1];
  const double slid_y = y - impulse[2];
  const auto velocity_after = [&](int row) {
    return velocity_at(row) + (w(row, 1) * slid_x + w(row, 2) * slid_y);
  };

  double across = impulse[4] - steps.rolling * velocity_after(4);
  double along = impulse[5] - steps.rolling * velocity_after(5);
  Shorten(law.cone.rolling * normal, across, along);
  const double turned =
      velocity_after(3) + (w(3, 4) * (across - impulse[4]) + w(3, 5) * (along - impulse[5]));
  const double bound = law.cone.spinning * normal;
  const double spun = std::clamp(impulse[3] - steps.spinning * turned, -bound, bound);
  return {normal, x, y, spun, across, along};
}

}  // namespace talus::matrix
