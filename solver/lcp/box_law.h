// Box friction: each friction row is bounded by itself (Lacoursière, Ghosts and Machines, 2007).
//
//   γ_n ≥ 0 ⟂ u_n ≥ 0,   |γ_u| ≤ μ γ_n,  |γ_w| ≤ μ γ_n,  |τ_n| ≤ σ γ_n,  |τ_u| ≤ ρ γ_n,  |τ_w| ≤ ρ
//   γ_n
//
// and in each friction row u ≥ 0 at the lower bound, u ≤ 0 at the upper, u = 0 between: friction
// acts against the velocity of its own axis. The pyramid stands on the axes u and w of the contact
// frame (NOTATION §2), so that friction of a contact that slides along a diagonal is √2 times what
// Coulomb's law gives, and leads away from it by up to 45°. Bounds follow the normal impulse of
// the same step. Units as in matrix/matrix_problem.h.
#pragma once

#include "solver/lcp/contact_rows.h"

namespace talus::lcp {

ContactMlcp AssembleBoxLaw(const MatrixProblem& problem);

}  // namespace talus::lcp
