// What every iteration keeps while it runs: the best impulses so far, the history of residuals,
// and whether it is over.
#pragma once

#include <Eigen/Core>

#include "solver/matrix/scaled_problem.h"
#include "solver/solvers/solve_limits.h"
#include "solver/solvers/solve_report.h"

namespace talus::matrix {

class SolveTrack {
 public:
  // `patience`: this many sweeps without an improvement by 5 % are a stall.
  SolveTrack(const ScaledProblem& problem, const SolveLimits& limits, int32_t patience);

  // Notes impulses and their velocities after another `sweeps`; true when the solve is over.
  // Impulses that are not admissible may be noted: their residual says so.
  bool Note(const Eigen::VectorXd& impulse, const Eigen::VectorXd& velocity, int32_t sweeps);

  double residual() const { return residual_; }  // of what was noted last
  double best_residual() const { return report_.residual; }
  const Eigen::VectorXd& best() const { return best_; }
  int32_t sweep_count() const { return report_.sweep_count; }

  // Stops a solve that knows that it cannot go on.
  void Stall() { report_.outcome = SolveOutcome::kStalled; }

  // Hands over the best impulses.
  SolveReport Finish(Eigen::VectorXd& impulse);

 private:
  const ScaledProblem& problem_;
  SolveLimits limits_;
  int32_t patience_;
  Eigen::VectorXd best_;
  double residual_ = 0.0;
  double mark_residual_;  // what an improvement is measured from
  int32_t mark_sweep_ = 0;
  SolveReport report_;
};

}  // namespace talus::matrix
