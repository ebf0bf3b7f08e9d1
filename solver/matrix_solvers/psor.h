// The projected successive over-relaxation of [TA] eq. (46), for CCP: γ_i ← Π(γ_i − (ω/λ_i) u_i)
// block after block, λ_i the largest eigenvalue of the block; with Nesterov's momentum, capped and
// guarded, it is the accelerated variant. A baseline of the matrix form.
#pragma once

#include <optional>

#include "solver/matrix_solvers/matrix_algorithm.h"
#include "solver/matrix_solvers/solve_track.h"

namespace talus::matrix {

class Psor {
 public:
  // `relaxation`: ω, in (0, 2).
  explicit Psor(double relaxation, bool accelerated,
                std::optional<SweepForecast> forecast = std::nullopt)
      : relaxation_(relaxation), accelerated_(accelerated), forecast_(forecast) {}

  SolveReport Solve(const ScaledProblem& problem, const SolveLimits& limits,
                    Eigen::VectorXd& impulse) const;

 private:
  double relaxation_;
  bool accelerated_;
  std::optional<SweepForecast> forecast_;
};

static_assert(MatrixAlgorithm<Psor>);

}  // namespace talus::matrix
