#include "solver/matrix_solvers/psor.h"

#include <vector>

#include "solver/matrix_solvers/block_steps.h"
#include "solver/matrix_solvers/gauss_seidel.h"

namespace talus::matrix {

namespace {

// Each block from the velocities of the last iteration, until the track ends.
template <typename Step>
void IterateTogether(const ScaledProblem& problem, const Step& step, SolveTrack& track,
                     Eigen::VectorXd& impulse) {
  Eigen::VectorXd velocity = VelocityOf(problem, impulse);
  do {
    for (size_t i = 0; i < problem.block_count(); ++i) {
      const auto at = 6 * static_cast<Eigen::Index>(i);
      const Wrench gamma = impulse.segment<6>(at);
      impulse.segment<6>(at) = step(i, gamma, velocity.segment<6>(at));
    }
    velocity = VelocityOf(problem, impulse);
  } while (!track.Note(impulse, velocity, 1));
}

}  // namespace

SolveReport Psor::Solve(const ScaledProblem& problem, const SolveLimits& limits,
                        Eigen::VectorXd& impulse) const {
  SolveTrack track(problem, limits);
  if (forecast_) track.GiveUpByForecast(*forecast_);
  if (track.Note(impulse, VelocityOf(problem, impulse), 0)) return track.Finish(impulse);
  const std::vector<double> lengths = ProjectedStepLengths(problem, settings_.relaxation);
  const auto step = [&](size_t i, const Wrench& gamma, const Wrench& velocity) {
    const Wrench projected =
        StepProjected(problem.laws[i], problem.delassus.Diagonal(i), lengths[i], gamma, velocity);
    return Wrench(gamma + settings_.averaging * (projected - gamma));
  };
  if (!settings_.sequential) {
    IterateTogether(problem, step, track, impulse);
  } else if (accelerated_) {
    SweepWithMomentum(problem, step, limits.tolerance, limits.max_sweeps, track, impulse);
  } else {
    SweepPlainly(problem, step, track, impulse);
  }
  return track.Finish(impulse);
}

}  // namespace talus::matrix
