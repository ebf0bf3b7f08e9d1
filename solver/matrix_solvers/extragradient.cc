#include "solver/matrix_solvers/extragradient.h"

#include "solver/matrix_solvers/projected_step.h"
#include "solver/matrix_solvers/solve_track.h"

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
    products = 1;
    if (!step.Find(impulse, paired, target, target_paired, products)) {
      track.Stall();
      break;
    }
    impulse = step.Move(impulse, target_paired);
    paired = step.LawVelocities(impulse, velocity);
  }
  return track.Finish(impulse);
}

}  // namespace talus::matrix
