#include "solver/matrix_solvers/extragradient.h"

#include "solver/matrix_solvers/projected_step.h"

namespace talus::matrix {

SolveReport Extragradient::Solve(const ScaledProblem& problem, const SolveLimits& limits,
                                 Eigen::VectorXd& impulse) const {
  SolveTrack track(problem, limits);
  ProjectedStep step(problem, limits.law);
  Eigen::VectorXd velocity;
  Eigen::VectorXd paired = step.LawVelocities(impulse, velocity);
  Eigen::VectorXd target;
  Eigen::VectorXd target_paired;
  int32_t products = 1;
  while (!track.Note(impulse, velocity, products)) {
    products = 1;  // that of the step after the one that is found
    if (!track.HasRoomFor(products + 1)) {
      track.EndAtLimit(0);
      break;
    }
    const auto found = step.Find(impulse, paired, track, target, target_paired, products);
    if (found == ProjectedStep::Found::kEndOfSolve) track.EndAtLimit(products - 1);
    if (found == ProjectedStep::Found::kNoneShortEnough) track.Stall();
    if (found != ProjectedStep::Found::kStep) break;
    impulse = step.Move(impulse, target_paired);
    paired = step.LawVelocities(impulse, velocity);
  }
  return track.Finish(impulse);
}

}  // namespace talus::matrix
