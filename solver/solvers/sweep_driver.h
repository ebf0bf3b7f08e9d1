// The outer iteration of all sweep-based algorithms: sweep, measure, extrapolate, guard.
//
// The true residual costs about half a sweep, so it is measured when the change of a sweep says the
// tolerance may be reached, and every kCheckEvery sweeps for the guard; every sweep when a history
// is asked for.
#pragma once

#include <cmath>

#include "solver/contact/residual.h"
#include "solver/solvers/block_sweep.h"
#include "solver/solvers/cold_start.h"
#include "solver/solvers/progress_guard.h"
#include "solver/solvers/solve_limits.h"
#include "solver/solvers/solve_report.h"

namespace talus {

struct SweepScratch {
  Iterate previous;
  Iterate best;
  std::vector<SweepChange> partial;
};

template <typename Momentum, typename ContactStep>
SolveReport RunSweeps(WorkerArena& workers, const ContactProblem& problem,
                      const SolveLimits& limits, const ContactStep& step, Iterate& current,
                      SweepScratch& scratch) {
  constexpr int32_t kCheckEvery = 10;
  constexpr int32_t kRecheckAfter = 2;  // sweeps between two checks that the change asks for
  constexpr double kPromising = 2.0;    // change within this factor of the tolerance: measure
  SolveReport report;
  report.outcome = SolveOutcome::kSweepLimit;
  ProgressGuard guard(scratch.best);
  Momentum momentum(limits.tolerance);
  WidenedGaps gaps(limits, problem.free_scale);
  const auto widened_step = [&](const ContactRow& c, const Wrench& g, const Wrench& u) {
    return step(c, g, WidenedGaps::Widen(c, u));
  };
  scratch.previous = current;
  int32_t next_check = 1;
  for (int32_t sweep = 1; sweep <= limits.max_sweeps; ++sweep) {
    const bool widened = gaps.active(sweep);
    const SweepChange change =
        widened ? Sweep(workers, problem, widened_step, scratch.previous, current, scratch.partial)
                : Sweep(workers, problem, step, scratch.previous, current, scratch.partial);
    report.sweep_count = sweep;
    const bool promising =
        std::sqrt(change.length_squared) <= kPromising * limits.tolerance * problem.free_scale;
    const bool check = limits.residual_history || sweep % kCheckEvery == 0 ||
                       sweep == limits.max_sweeps || problem.free_scale == 0.0 ||
                       (promising && sweep >= next_check);
    double beta = guard.plain(sweep) ? 0.0 : momentum.NextBeta(change);
    if (widened && gaps.EndWith(sweep, change)) {
      momentum = Momentum(limits.tolerance);
      beta = 0.0;
    }
    if (check) {
      next_check = sweep + kRecheckAfter;
      report.residual =
          ComputeResidual(workers, problem, limits.law, current.impulse, current.velocity);
      if (limits.residual_history) report.residual_history.push_back(report.residual);
      if (report.residual <= limits.tolerance) {
        report.outcome = SolveOutcome::kConverged;
        return report;
      }
      const auto advice = guard.Note(sweep, report.residual, current);
      if (advice == ProgressGuard::Advice::kStalled) {
        report.outcome = SolveOutcome::kStalled;
        break;
      }
      if (advice == ProgressGuard::Advice::kGoBack) {
        current = scratch.best;
        scratch.previous = current;
        momentum.Restart();
        beta = 0.0;
      }
    }
    Extrapolate(workers, beta, current, scratch.previous);
  }
  // Without a finite residual there is no best: the iterate goes out as it is, for the step to
  // notice.
  if (std::isfinite(guard.best_residual())) {
    current = scratch.best;
    report.residual = guard.best_residual();
  }
  return report;
}

}  // namespace talus
