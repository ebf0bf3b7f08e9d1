// Gauss–Seidel sweeps of Alart and Curnier's step with capped momentum (A-AC), for NCP; as
// solvers/alart_curnier.h, of a problem as matrices.
#pragma once

#include "solver/matrix_solvers/matrix_algorithm.h"

namespace talus::matrix {

class AlartCurnier {
 public:
  SolveReport Solve(const ScaledProblem& problem, const SolveLimits& limits,
                    Eigen::VectorXd& impulse) const;
};

static_assert(MatrixAlgorithm<AlartCurnier>);

}  // namespace talus::matrix
