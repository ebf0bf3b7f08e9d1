// The sweep that PSOR, NSGS and Alart–Curnier share: block after block, each from what the blocks
// before it have left, and the next sweep from an extrapolation of the last two.
//
// Blocks are swept in their order, by one thread. With momentum (solvers/momentum.h) sweeps go back
// to the best impulses when the residual has grown to a hundred times theirs.
#pragma once

#include <cmath>

#include "solver/matrix_solvers/solve_track.h"
#include "solver/solvers/momentum.h"

namespace talus::matrix {

// Sweeps once: `step`(block, γ_i, u_i) is the next γ_i.
template <typename Step>
void SweepOnce(const ScaledProblem& problem, const Step& step, Eigen::VectorXd& impulse) {
  for (size_t i = 0; i < problem.block_count(); ++i) {
    const auto at = 6 * static_cast<Eigen::Index>(i);
    const Wrench velocity =
        problem.delassus.MultiplyRow(i, impulse) + problem.free_rows.segment<6>(at);
    const Wrench next = step(i, impulse.segment<6>(at), velocity);
    impulse.segment<6>(at) = next;
  }
}

inline Eigen::VectorXd VelocityOf(const ScaledProblem& problem, const Eigen::VectorXd& impulse) {
  return problem.delassus.Multiply(impulse) + problem.free_rows;
}

// Plain sweeps until the track ends.
template <typename Step>
void SweepPlainly(const ScaledProblem& problem, const Step& step, SolveTrack& track,
                  Eigen::VectorXd& impulse) {
  while (!track.Note(impulse, VelocityOf(problem, impulse), 1)) {
    SweepOnce(problem, step, impulse);
  }
}

// Sweeps with Nesterov's momentum under an adaptive cap, until the track ends, the residual comes
// to `tolerance` or `most_sweeps` are made. False: the track has ended.
template <typename Step>
bool SweepWithMomentum(const ScaledProblem& problem, const Step& step, double tolerance,
                       int32_t most_sweeps, SolveTrack& track, Eigen::VectorXd& impulse) {
  CappedMomentum momentum(tolerance);
  Eigen::VectorXd extrapolated = impulse;
  for (int32_t sweep = 0; sweep < most_sweeps; ++sweep) {
    Eigen::VectorXd next = extrapolated;
    SweepOnce(problem, step, next);
    const Eigen::VectorXd change = next - impulse;
    const SweepChange measure{.length_squared = (next - extrapolated).squaredNorm(),
                              .against = (extrapolated - next).dot(change)};
    if (track.Note(next, VelocityOf(problem, next), 1)) return false;
    impulse = std::move(next);
    if (track.residual() <= tolerance) return true;
    // Momentum that leads away is given up.
    if (track.residual() > 100.0 * track.best_residual()) {
      impulse = track.best();
      momentum.Restart();
      extrapolated = impulse;
      continue;
    }
    extrapolated = impulse + momentum.NextBeta(measure) * change;
  }
  return true;
}

}  // namespace talus::matrix
