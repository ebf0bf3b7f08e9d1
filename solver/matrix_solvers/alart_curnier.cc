#include "solver/matrix_solvers/alart_curnier.h"

#include <vector>

#include "solver/matrix_solvers/alart_curnier_step.h"
#include "solver/matrix_solvers/gauss_seidel.h"

namespace talus::matrix {

namespace {
constexpr int32_t kAlartCurnierPatience = 1000;
}  // namespace

SolveReport AlartCurnier::Solve(const ScaledProblem& problem, const SolveLimits& limits,
                                Eigen::VectorXd& impulse) const {
  SolveTrack track(problem, limits, kAlartCurnierPatience);
  if (forecast_) track.GiveUpByForecast(*forecast_);
  if (track.Note(impulse, VelocityOf(problem, impulse), 0)) return track.Finish(impulse);
  const std::vector<PartSteps> steps = PartStepsOfBlocks(problem);
  const auto step = [&](size_t i, const Wrench& gamma, const Wrench& velocity) {
    return StepAlartCurnier(problem.laws[i], problem.delassus.Diagonal(i), steps[i], gamma,
                            velocity);
  };
  SweepWithMomentum(problem, step, limits.tolerance, limits.max_sweeps, track, impulse);
  return track.Finish(impulse);
}

}  // namespace talus::matrix
