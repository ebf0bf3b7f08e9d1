// The projected fixed point iteration of [AB] §5.1, with adaptive steps: γ ← Π(γ − r û(γ)). A
// baseline, for both laws.
#pragma once

#include "solver/matrix_solvers/matrix_algorithm.h"

namespace talus::matrix {

class FixedPoint {
 public:
  SolveReport Solve(const ScaledProblem& problem, const SolveLimits& limits,
                    Eigen::VectorXd& impulse) const;
};

static_assert(MatrixAlgorithm<FixedPoint>);

}  // namespace talus::matrix
