// A seal: dry friction of given strength, a box constraint. [TA] §6.2
//
//   J v = 0 where |γ| < h F;  J v ≤ 0 at γ = h F, J v ≥ 0 at −h F
//
// F in N or N m: it holds below F and slips at F, whatever presses.
#pragma once

#include "solver/constraints/joint_rows.h"
#include "solver/scene/joint_def.h"

namespace talus {

inline JointRow MakeFrictionRow(const JointAxis& axis, double h) {
  return {0.0, -h * axis.max_force, h * axis.max_force, 0.0};
}

}  // namespace talus
