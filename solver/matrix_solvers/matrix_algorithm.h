// The concept behind which the algorithms for contact problems as matrices stand: improve the
// impulses of a scaled problem within limits, say how it went.
//
// `impulse` holds scaled impulses, admissible or not; on return the best met, by the residual of
// matrix/scaled_problem.h. A sweep of SolveLimits and SolveReport is what an algorithm repeats:
// once over all blocks, or one product with W. The answer depends on the arguments alone.
#pragma once

#include <Eigen/Core>
#include <concepts>

#include "solver/matrix/scaled_problem.h"
#include "solver/solvers/solve_limits.h"
#include "solver/solvers/solve_report.h"

namespace talus::matrix {

template <typename T>
concept MatrixAlgorithm = requires(T algorithm, const ScaledProblem& problem,
                                   const SolveLimits& limits, Eigen::VectorXd& impulse) {
  { algorithm.Solve(problem, limits, impulse) } -> std::same_as<SolveReport>;
};

}  // namespace talus::matrix
