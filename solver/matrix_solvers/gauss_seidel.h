// The sweep that PSOR, NSGS and Alart–Curnier share: block after block, each from what the blocks
// before it have left, and the next sweep from an extrapolation of the last two.
//
// Blocks are swept in their order, by one thread. With momentum (solvers/momentum.h) sweeps go back
// to the best impulses when the residual has grown to a hundred times theirs.
#pragma once

#include <cmath>

#include "solver/matrix_solvers/solve_track.h"
#include "solver/solvers/check_schedule.h"
#include "solver/solvers/momentum.h"

namespace talus::matrix {

// Sweeps once: `step`(block, γ_i, u_i) is the next γ_i.
template <typename Step>
void SweepOnce(const ScaledProblem& problem, const Step& step, Eigen::VectorXd& impulse) {
  const BodyForm* const bodies = problem.bodies ? &*problem.bodies : nullptr;
  Eigen::VectorXd pushed;
  if (bodies != nullptr) pushed = bodies->Push(impulse);
  for (size_t i = 0; i < problem.block_count(); ++i) {
    const auto at = 6 * static_cast<Eigen::Index>(i);
    const Wrench gamma = impulse.segment<6>(at);
    const Wrench row = bodies != nullptr ? bodies->Pull(i, pushed, gamma)
                                         : problem.delassus.whole().MultiplyRow(i, impulse);
    const Wrench next = step(i, gamma, row + problem.free_rows.segment<6>(at));
    if (bodies != nullptr) bodies->Push(i, next - gamma, pushed);
    impulse.segment<6>(at) = next;
  }
}

inline Eigen::VectorXd VelocityOf(const ScaledProblem& problem, const Eigen::VectorXd& impulse) {
  return MultiplyDelassus(problem, impulse) + problem.free_rows;
}

// Plain sweeps until the track ends.
template <typename Step>
void SweepPlainly(const ScaledProblem& problem, const Step& step, SolveTrack& track,
                  Eigen::VectorXd& impulse) {
  do {
    SweepOnce(problem, step, impulse);
  } while (!track.Note(impulse, VelocityOf(problem, impulse), 1));
}

// Sweeps with Nesterov's momentum under an adaptive cap, until the track ends, the residual comes
// to `tolerance` or `most_sweeps` are made. False: the track has ended. The residual is measured
// when it is due (solvers/check_schedule.h), or after each sweep where the track keeps a history.
template <typename Step>
bool SweepWithMomentum(const ScaledProblem& problem, const Step& step, double tolerance,
                       int32_t most_sweeps, SolveTrack& track, Eigen::VectorXd& impulse) {
  CappedMomentum momentum(tolerance);
  CheckSchedule schedule(tolerance);
  const double scale = problem.free_scale > 0.0 ? problem.free_scale : 1.0;
  Eigen::VectorXd extrapolated = impulse;
  Eigen::VectorXd next;
  Eigen::VectorXd change;
  int32_t unmeasured = 0;
  for (int32_t sweep = 0; sweep < most_sweeps; ++sweep) {
    next = extrapolated;
    SweepOnce(problem, step, next);
    change = next - impulse;
    const SweepChange measure{.length_squared = (next - extrapolated).squaredNorm(),
                              .against = (extrapolated - next).dot(change)};
    ++unmeasured;
    impulse.swap(next);
    const double length = std::sqrt(measure.length_squared) / scale;
    const bool last = sweep + 1 == most_sweeps || track.sweep_count() + unmeasured >= track.limit();
    if (last || track.keeps_history() || schedule.IsDue(sweep + 1, length)) {
      if (track.Note(impulse, VelocityOf(problem, impulse), unmeasured)) return false;
      unmeasured = 0;
      if (track.residual() <= tolerance) return true;
      if (length > 0.0) schedule.Note(sweep + 1, length, track.residual());
      // Momentum that leads away is given up.
      if (track.residual() > 100.0 * track.best_residual()) {
        impulse = track.best();
        momentum.Restart();
        extrapolated = impulse;
        continue;
      }
    }
    extrapolated = impulse + momentum.NextBeta(measure) * change;
  }
  return true;
}

}  // namespace talus::matrix
