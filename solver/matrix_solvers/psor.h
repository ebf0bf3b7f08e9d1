// The projected successive over-relaxation of [TA] eq. (46), for CCP:
//
//   γ⁺ = λ Π(γ − ω B (W γ + q + K (γ⁺ − γ))) + (1 − λ) γ,
//
// B one over the largest eigenvalue of each diagonal block, K the part of W before the diagonal, so
// that a block sees what the blocks before it have come to (Gauss–Seidel), or nothing (Jacobi).
// With Nesterov's momentum, capped and guarded, it is the accelerated variant. A baseline of the
// matrix form.
#pragma once

#include <optional>

#include "solver/matrix_solvers/matrix_algorithm.h"
#include "solver/matrix_solvers/solve_track.h"
#include "solver/scene/psor_settings.h"

namespace talus::matrix {

class Psor {
 public:
  // `accelerated`: with momentum; sequential only.
  explicit Psor(const PsorSettings& settings, bool accelerated,
                std::optional<SweepForecast> forecast = std::nullopt)
      : settings_(settings), accelerated_(accelerated), forecast_(forecast) {}

  SolveReport Solve(const ScaledProblem& problem, const SolveLimits& limits,
                    Eigen::VectorXd& impulse) const;

 private:
  PsorSettings settings_;
  bool accelerated_;
  std::optional<SweepForecast> forecast_;
};

static_assert(MatrixAlgorithm<Psor>);

}  // namespace talus::matrix
