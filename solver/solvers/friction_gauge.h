// How much of its friction a contact uses, by the law's own set of admissible impulses.
//
// The gauge of a set: the factor by which it has to grow to hold (x, y). Where the set of the law
// is that of coefficient c and impulse γ_n, a part is at its limit where its gauge is c γ_n.
//
//   box         max(|x|, |y|)
//   polygonal   max_j (x, y)·m_j / cos(π/k), m_j = (cos, sin)((2j + 1) π/k), its sides' normals
//   others      ‖(x, y)‖: Coulomb's disc, which is that of slipping bristles too
#pragma once

#include <cstdint>

#include "solver/scene/solver_settings.h"

namespace talus {

// Of two tangential impulses in the contact frame, N s, or two rolling torques, N m s.
double GaugeFriction(ContactLaw law, int32_t facet_count, double x, double y);

}  // namespace talus
