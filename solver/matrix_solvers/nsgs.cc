#include "solver/matrix_solvers/nsgs.h"

#include "solver/matrix_solvers/block_steps.h"
#include "solver/matrix_solvers/gauss_seidel.h"

namespace talus::matrix {

namespace {
constexpr double kLocalTolerance = 1e-15;  // of scaled impulses, beside the largest of the sweep
}  // namespace

SolveReport Nsgs::Solve(const ScaledProblem& problem, const SolveLimits& limits,
                        Eigen::VectorXd& impulse) const {
  SolveTrack track(problem, limits);
  if (track.Note(impulse, VelocityOf(problem, impulse), 0)) return track.Finish(impulse);
  const double tolerance = kLocalTolerance * problem.free_scale;
  const auto step = [&](size_t i, const Wrench& gamma, const Wrench& velocity) {
    return SolveBlock(limits.law, problem.laws[i], problem.delassus.Diagonal(i), tolerance, gamma,
                      velocity);
  };
  SweepPlainly(problem, step, track, impulse);
  return track.Finish(impulse);
}

}  // namespace talus::matrix
