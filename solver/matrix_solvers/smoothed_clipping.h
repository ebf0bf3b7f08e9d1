// A law's map with its corners rounded: for Newton's method far from the answer, where which
// contacts touch, stick and slip is still to be found.
//
// With the rounded positive part p(a) = (a + √(a² + 4 ν²)) / 2, of a contact
//
//   γ_n = p(x_n),   γ_T = m γ_n x_T / (m γ_n + p_m(‖x_T‖ − m γ_n))   of each friction part,
//
// m its coefficient, p_m with min(m, 5) ν for ν and ‖x_T‖ with that beside it; as ν → 0 this is
// ClipToCone. Bounds: x + p(lower − x) − p(x − upper), row by row.
#pragma once

#include "solver/matrix/block_law.h"

namespace talus::matrix {

struct SmoothedMap {
  Wrench value = Wrench::Zero();
  Matrix6 derivative = Matrix6::Zero();      // J
  Matrix6 complement = Matrix6::Identity();  // I − J, whose digits a difference would lose
};

// `rounding`: ν > 0, an impulse in scaled unknowns.
SmoothedMap MapSmoothly(const BlockLaw& law, const Wrench& x, double rounding);

// (I − J + ε J)⁻¹, with numbers that are not finite where there is none. `compliance`: ε ≥ 0.
Matrix6 InvertComplement(const SmoothedMap& map, double compliance);

}  // namespace talus::matrix
