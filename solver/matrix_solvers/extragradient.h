// The extragradient method of [AB] §5.1, with adaptive steps: γ̄ = Π(γ − r û(γ)), γ ← Π(γ − r û(γ̄)).
// A baseline, for both laws.
#pragma once

#include "solver/matrix_solvers/matrix_algorithm.h"

namespace talus::matrix {

class Extragradient {
 public:
  SolveReport Solve(const ScaledProblem& problem, const SolveLimits& limits,
                    Eigen::VectorXd& impulse) const;
};

static_assert(MatrixAlgorithm<Extragradient>);

}  // namespace talus::matrix
