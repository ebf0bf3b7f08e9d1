#include "solver/matrix_solvers/admm.h"

#include <algorithm>
#include <cmath>

#include "solver/matrix_solvers/penalty_system.h"
#include "solver/matrix_solvers/solve_track.h"

namespace talus::matrix {
namespace {

constexpr double kRelaxation = 1.6;  // α
constexpr double kFirstPenalty = 1.0;
constexpr int32_t kPenaltyWait = 25;  // iterations with one penalty at least
constexpr double kUneven = 5.0;       // ratio of the residuals at which it changes
constexpr double kSmallest = 1e-6;
constexpr double kLargest = 1e6;
constexpr double kMostOperations = 1e11;  // of a factorisation: a minute or two

// How far apart z is from u, and how far it has moved, each beside what it is made of.
double UnevennessOf(const Eigen::VectorXd& velocity, const Eigen::VectorXd& z,
                    const Eigen::VectorXd& z_change, const Eigen::VectorXd& impulse,
                    double penalty) {
  const double primal = (velocity - z).norm() / std::max({velocity.norm(), z.norm(), 1e-300});
  const double dual = penalty * z_change.norm() / std::max(impulse.norm(), 1e-300);
  return std::sqrt(std::max(primal, 1e-300) / std::max(dual, 1e-300));
}

}  // namespace

SolveReport Admm::Solve(const ScaledProblem& problem, const SolveLimits& limits,
                        Eigen::VectorXd& impulse) const {
  SolveTrack track(problem, limits);
  PenaltySystem system(problem, {.max_operations = kMostOperations, .stop = limits.stop});
  double penalty = kFirstPenalty;
  bool factorised = system.Factorize(penalty);
  impulse = ProjectBlocks(problem, impulse);
  Eigen::VectorXd of_impulse = MultiplyDelassus(problem, impulse) + problem.free_rows;
  Eigen::VectorXd z = of_impulse;
  int32_t waited = 0;
  while (!track.Note(impulse, of_impulse, 1)) {
    const Eigen::VectorXd pushed = impulse + penalty * (z - problem.free_rows);
    Eigen::VectorXd velocity;
    if (!factorised || !system.Solve(MultiplyDelassus(problem, pushed), velocity)) {
      if (!limits.stop || !limits.stop()) track.Stall();
      break;
    }
    velocity += problem.free_rows;
    const Eigen::VectorXd relaxed = kRelaxation * velocity + (1.0 - kRelaxation) * z;
    const Eigen::VectorXd next = ProjectBlocks(problem, impulse - penalty * relaxed);
    const Eigen::VectorXd next_z = relaxed + (next - impulse) / penalty;
    const double uneven = UnevennessOf(velocity, next_z, next_z - z, next, penalty);
    z = next_z;
    impulse = next;
    of_impulse = MultiplyDelassus(problem, impulse) + problem.free_rows;
    const bool change = uneven > kUneven || uneven < 1.0 / kUneven;
    if (++waited < kPenaltyWait || !change) continue;
    penalty = std::clamp(penalty * uneven, kSmallest, kLargest);
    factorised = system.Factorize(penalty);
    waited = 0;
  }
  return track.Finish(impulse);
}

}  // namespace talus::matrix
