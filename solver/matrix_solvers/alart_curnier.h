// Gauss–Seidel sweeps of Alart and Curnier's step with capped momentum (A-AC), for NCP; as
// solvers/alart_curnier.h, of a problem as matrices.
#pragma once

#include <optional>

#include "solver/matrix_solvers/matrix_algorithm.h"
#include "solver/matrix_solvers/solve_track.h"

namespace talus::matrix {

class AlartCurnier {
 public:
  explicit AlartCurnier(std::optional<SweepForecast> forecast = std::nullopt)
      : forecast_(forecast) {}

  SolveReport Solve(const ScaledProblem& problem, const SolveLimits& limits,
                    Eigen::VectorXd& impulse) const;

 private:
  std::optional<SweepForecast> forecast_;
};

static_assert(MatrixAlgorithm<AlartCurnier>);

}  // namespace talus::matrix
