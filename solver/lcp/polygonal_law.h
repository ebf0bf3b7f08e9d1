// Polygonal friction: Coulomb's disc replaced by a regular polygon within it (Anitescu & Potra,
// Nonlinear Dynamics 14 (1997); Stewart & Trinkle, IJNME 39 (1996)).
//
//   γ_T = Σ_j β_j d_j,  β ≥ 0 ⟂ d_jᵀ u_T + λ ≥ 0,   λ ≥ 0 ⟂ μ γ_n − Σ_j β_j ≥ 0,   γ_n ≥ 0 ⟂ u_n ≥
//   0
//
// d_j = (cos 2πj/k, sin 2πj/k), j = 0 … k − 1: the first along u of the contact frame. λ is the
// speed of sliding. Rolling torques likewise with ρ and the same directions, in N m s and rad/s;
// spinning has the two directions of its axis, and σ. Friction leads away from the sliding
// direction by up to 180°/k. k even, so that each direction has its opposite.
#pragma once

#include <cstdint>

#include "absl/status/statusor.h"
#include "solver/lcp/contact_rows.h"

namespace talus::lcp {

// INVALID_ARGUMENT: facet_count is odd or not in [4, 32].
absl::StatusOr<ContactMlcp> AssemblePolygonalLaw(const MatrixProblem& problem, int32_t facet_count);

}  // namespace talus::lcp
