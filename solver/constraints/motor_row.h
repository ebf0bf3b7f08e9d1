// A driven axis: J v is to be the target velocity, as far as the force allows.
//
//   J v − v_target = 0 where |γ| < h F_max;  slower at γ = h F_max, faster at −h F_max
//
// F_max in N or N m; an infinite one prescribes the velocity. A target out of reach makes it a
// constant force F_max.
#pragma once

#include "solver/constraints/joint_rows.h"
#include "solver/scene/joint_def.h"

namespace talus {

inline JointRow MakeMotorRow(const JointAxis& axis, double h) {
  return {-axis.velocity, -h * axis.max_force, h * axis.max_force, 0.0};
}

}  // namespace talus
