// The alternating direction method of multipliers for CCP, for middle accuracies:
//
//   min ½ ‖v − f‖²_M  subject to  z = H'ᵀ v + w' in the dual of the cones,
//
// after Stellato et al., Math. Prog. Comp. 12, 2020 (OSQP): v from one linear system, whose
// sparse L D Lᵀ is kept while the penalty stays (penalty_system.h), then z and γ in closed form,
// over-relaxed; the penalty follows the ratio of the two residuals. Written in impulses,
//
//   u = (I + p W')⁻¹ W' (γ + p (z − q')) + q',   γ⁺ = Π(γ − p u_α),   z⁺ = u_α + (γ⁺ − γ) / p
//
// with u_α = α u + (1 − α) z. An iteration counts as a sweep.
#pragma once

#include "solver/matrix_solvers/matrix_algorithm.h"

namespace talus::matrix {

class Admm {
 public:
  SolveReport Solve(const ScaledProblem& problem, const SolveLimits& limits,
                    Eigen::VectorXd& impulse) const;
};

static_assert(MatrixAlgorithm<Admm>);

}  // namespace talus::matrix
