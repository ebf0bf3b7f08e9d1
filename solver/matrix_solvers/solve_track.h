// What every iteration keeps while it runs: the best impulses so far, the history of residuals,
// and whether it is over.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "solver/matrix/scaled_problem.h"
#include "solver/solvers/solve_limits.h"
#include "solver/solvers/solve_report.h"

namespace talus::matrix {

// When sweeps are given up although they get on: from `first` on, where their way since a third as
// many says that the tolerance is more than `horizon` sweeps away, and more than were made.
struct SweepForecast {
  int32_t first = 0;
  int32_t horizon = 0;
};

class SolveTrack {
 public:
  static constexpr int32_t kPatience = 2000;
  static constexpr double kImprovement = 0.95;  // of a residual

  // `patience`: this many sweeps without an improvement are a stall.
  SolveTrack(const ScaledProblem& problem, const SolveLimits& limits, int32_t patience = kPatience);

  void GiveUpByForecast(const SweepForecast& forecast) { forecast_ = forecast; }

  // Notes impulses and their velocities after another `sweeps`; true when the solve is over.
  // Impulses that are not admissible may be noted: their residual says so.
  bool Note(const Eigen::VectorXd& impulse, const Eigen::VectorXd& velocity, int32_t sweeps);

  // Between two looks at the residual, `unnoted` sweeps after the last: whether the sweeps are used
  // up or somebody asks to stop. The next look then ends the solve.
  bool IsOver(int32_t unnoted);
  // Whether another `sweeps` would be more than there may be.
  bool HasRoomFor(int32_t sweeps) const {
    return report_.sweep_count + sweeps <= limits_.max_sweeps;
  }
  // Ends a solve whose next step would take more sweeps than are left, after another `sweeps`.
  void EndAtLimit(int32_t sweeps);

  // What has been made so far is not held against the patience: it led away from the answer on
  // purpose.
  void Excuse() { mark_sweep_ = report_.sweep_count; }

  double residual() const { return residual_; }  // of what was noted last
  double best_residual() const { return report_.residual; }
  const Eigen::VectorXd& best() const { return best_; }
  int32_t sweep_count() const { return report_.sweep_count; }
  int32_t limit() const { return limits_.max_sweeps; }
  // Somebody wants to see every residual.
  bool keeps_history() const { return limits_.residual_history; }

  // Stops a solve that knows that it cannot go on.
  void Stall() { report_.outcome = SolveOutcome::kStalled; }

  // Hands over the best impulses.
  SolveReport Finish(Eigen::VectorXd& impulse);

 private:
  bool IsTooFar();
  void KeepHistory();

  const ScaledProblem& problem_;
  SolveLimits limits_;
  int32_t patience_;
  Eigen::VectorXd best_;
  double residual_ = 0.0;
  double mark_residual_;  // what an improvement is measured from
  int32_t mark_sweep_ = 0;
  bool stopped_ = false;
  std::optional<SweepForecast> forecast_;
  std::vector<std::pair<int32_t, double>> way_;  // sweeps made, least residual by then
  SolveReport report_;
};

}  // namespace talus::matrix
