#include "solver/matrix_solvers/fixed_point.h"

#include "solver/matrix_solvers/projected_step.h"

namespace talus::matrix {

SolveReport FixedPoint::Solve(const ScaledProblem& problem, const SolveLimits& limits,
                              Eigen::VectorXd& impulse) const {
  SolveTrack track(problem, limits);
  ProjectedStep step(problem, limits.law);
  Eigen::VectorXd velocity;
  Eigen::VectorXd paired = step.LawVelocities(impulse, velocity);
  Eigen::VectorXd target;
  Eigen::VectorXd target_paired;
  int32_t products = 1;
  while (!track.Note(impulse, velocity, products)) {
    products = 0;
    const auto found = step.Find(impulse, paired, track, target, target_paired, products);
    if (found == ProjectedStep::Found::kEndOfSolve) track.EndAtLimit(products);
    if (found == ProjectedStep::Found::kNoneShortEnough) track.Stall();
    if (found != ProjectedStep::Found::kStep) break;
    impulse.swap(target);
    paired.swap(target_paired);
    velocity = step.velocity();
  }
  return track.Finish(impulse);
}

}  // namespace talus::matrix
