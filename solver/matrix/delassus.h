// The Delassus operator of a problem that is given by velocities: W = Hᵀ M⁻¹ H, q = Hᵀ M⁻¹ f + w.
//
// M falls apart into the rows of single bodies, or of what is coupled in it; each part is
// factorised by itself, so that the work is that of what is in touch with it.
#pragma once

#include "absl/status/status.h"
#include "solver/matrix/matrix_problem.h"

namespace talus {

// From problem.velocities, which must be there, to problem.delassus and problem.free_rows.
// INVALID_ARGUMENT: what CheckVelocities refuses (velocity_form.h), or M not positive definite.
// RESOURCE_EXHAUSTED: a part of M, W or the work of forming it beyond base/limits.h.
absl::Status FormDelassus(MatrixProblem& problem);

}  // namespace talus
