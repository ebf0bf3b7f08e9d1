#include "solver/matrix_solvers/solve_track.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace talus::matrix {

SolveTrack::SolveTrack(const ScaledProblem& problem, const SolveLimits& limits, int32_t patience)
    : problem_(problem),
      limits_(limits),
      patience_(patience),
      mark_residual_(std::numeric_limits<double>::infinity()) {
  report_.residual = std::numeric_limits<double>::infinity();
}

bool SolveTrack::Note(const Eigen::VectorXd& impulse, const Eigen::VectorXd& velocity,
                      int32_t sweeps) {
  residual_ = ComputeResidual(problem_, limits_.law, impulse, velocity);
  report_.sweep_count += sweeps;
  KeepHistory();
  if (residual_ < report_.residual || best_.size() == 0) {
    report_.residual = residual_;
    best_ = impulse;
  }
  if (residual_ < kImprovement * mark_residual_) {
    mark_residual_ = residual_;
    mark_sweep_ = report_.sweep_count;
  }
  if (report_.residual <= limits_.tolerance) {
    report_.outcome = SolveOutcome::kConverged;
  } else if (IsOver(0)) {
    report_.outcome = SolveOutcome::kSweepLimit;
  } else if (!std::isfinite(residual_) || report_.sweep_count - mark_sweep_ >= patience_ ||
             IsTooFar()) {
    report_.outcome = SolveOutcome::kStalled;
  }
  return report_.outcome != SolveOutcome::kNone;
}

void SolveTrack::EndAtLimit(int32_t sweeps) {
  report_.sweep_count += sweeps;
  report_.outcome = SolveOutcome::kSweepLimit;
  KeepHistory();
}

// One for each sweep: those that are looked at together have one residual.
void SolveTrack::KeepHistory() {
  if (!limits_.residual_history) return;
  report_.residual_history.resize(static_cast<size_t>(report_.sweep_count), residual_);
}

bool SolveTrack::IsOver(int32_t unnoted) {
  if (report_.sweep_count + unnoted >= limits_.max_sweeps) return true;
  stopped_ = stopped_ || limits_.IsStopped();
  return stopped_;
}

bool SolveTrack::IsTooFar() {
  if (!forecast_) return false;
  const int32_t sweeps = report_.sweep_count;
  way_.emplace_back(sweeps, report_.residual);
  if (sweeps < forecast_->first) return false;
  const auto since =
      std::ranges::lower_bound(way_, sweeps / 3, {}, &std::pair<int32_t, double>::first);
  // Sweeps lower the logarithm of the residual, one time with another, by the same.
  const double fall = std::log(since->second / report_.residual);
  const double left = std::log(report_.residual / limits_.tolerance);
  const double horizon = std::max(sweeps, forecast_->horizon);
  return left * (sweeps - since->first) > horizon * fall;
}

SolveReport SolveTrack::Finish(Eigen::VectorXd& impulse) {
  impulse = std::move(best_);
  return std::move(report_);
}

}  // namespace talus::matrix
