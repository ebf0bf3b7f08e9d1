// Whether the velocities beneath a problem are ones, and that they are those of its W and q.
#pragma once

#include "absl/status/status.h"
#include "solver/matrix/matrix_problem.h"

namespace talus {

// Where a problem gives W and q beside M, H, f and w: how far they may be from Hᵀ M⁻¹ H and
// Hᵀ M⁻¹ f + w, rows scaled to a W with a diagonal of one; of q as a share of its largest entry.
inline constexpr double kDisagreement = 1e-6;

// INVALID_ARGUMENT naming M, H, f or w: sizes that differ, numbers beyond base/limits.h, M not
// symmetric to kAsymmetry of its largest entry. That M is positive definite is for FormDelassus to
// find, which factorises it.
absl::Status CheckVelocities(const VelocityForm& form, Eigen::Index row_count);

// Of a problem with both: W and q become those that M, H, f and w make, so that sweeps, which take
// whichever is quicker, and the certificate are of one problem. INVALID_ARGUMENT naming an entry of
// W or q that is another one, or what FormDelassus refuses (delassus.h); the problem then stays.
absl::Status UnifyForms(MatrixProblem& problem);

}  // namespace talus
