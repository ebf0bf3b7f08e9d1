// The projected successive over-relaxation of [TA] eq. (46), for CCP: γ_i ← Π(γ_i − (ω/λ_i) u_i)
// block after block, λ_i the largest eigenvalue of the block; with Nesterov's momentum, capped and
// guarded, it is the accelerated variant. A baseline of the matrix form.
#pragma once

#include "solver/matrix_solvers/matrix_algorithm.h"

namespace talus::matrix {

class Psor {
 public:
  // `relaxation`: ω, in (0, 2).
  explicit Psor(double relaxation, bool accelerated)
      : relaxation_(relaxation), accelerated_(accelerated) {}

  SolveReport Solve(const ScaledProblem& problem, const SolveLimits& limits,
                    Eigen::VectorXd& impulse) const;

 private:
  double relaxation_;
  bool accelerated_;
};

static_assert(MatrixAlgorithm<Psor>);

}  // namespace talus::matrix
