// Spectral projected gradients for CCP: projected steps of Barzilai and Borwein's length on
//
//   f(γ) = ½ γᵀ W' γ + q'ᵀ γ over the cones,
//
// lengthened or shortened along the step to where f is least, and taken where f is below the
// largest of its last values (Birgin, Martínez & Raydan, SIAM J. Optim. 10(4), 2000). A baseline. A
// product with W' counts as a sweep.
#pragma once

#include "solver/matrix_solvers/matrix_algorithm.h"

namespace talus::matrix {

class BarzilaiBorwein {
 public:
  SolveReport Solve(const ScaledProblem& problem, const SolveLimits& limits,
                    Eigen::VectorXd& impulse) const;
};

static_assert(MatrixAlgorithm<BarzilaiBorwein>);

}  // namespace talus::matrix
