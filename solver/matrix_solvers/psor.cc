#include "solver/matrix_solvers/psor.h"

#include <vector>

#include "solver/matrix_solvers/block_steps.h"
#include "solver/matrix_solvers/gauss_seidel.h"

namespace talus::matrix {

namespace {
constexpr int32_t kPatience = 2000;
}  // namespace

SolveReport Psor::Solve(const ScaledProblem& problem, const SolveLimits& limits,
                        Eigen::VectorXd& impulse) const {
  SolveTrack track(problem, limits, kPatience);
  if (forecast_) track.GiveUpByForecast(*forecast_);
  if (track.Note(impulse, VelocityOf(problem, impulse), 0)) return track.Finish(impulse);
  const std::vector<double> lengths = ProjectedStepLengths(problem, relaxation_);
  const auto step = [&](size_t i, const Wrench& gamma, const Wrench& velocity) {
    return StepProjected(problem.laws[i], problem.delassus.Diagonal(i), lengths[i], gamma,
                         velocity);
  };
  if (accelerated_) {
    SweepWithMomentum(problem, step, limits.tolerance, limits.max_sweeps, track, impulse);
  } else {
    SweepPlainly(problem, step, track, impulse);
  }
  return track.Finish(impulse);
}

}  // namespace talus::matrix
