// Nonsmooth Gauss–Seidel of [AB] §5.2: block after block solved with its neighbours held. A
// baseline, for both laws.
#pragma once

#include "solver/matrix_solvers/matrix_algorithm.h"

namespace talus::matrix {

class Nsgs {
 public:
  SolveReport Solve(const ScaledProblem& problem, const SolveLimits& limits,
                    Eigen::VectorXd& impulse) const;
};

static_assert(MatrixAlgorithm<Nsgs>);

}  // namespace talus::matrix
