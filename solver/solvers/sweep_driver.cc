#include "solver/solvers/sweep_driver.h"

#include <cmath>

#include "solver/contact/chunk_loop.h"
#include "solver/contact/residual.h"
#include "solver/solvers/check_schedule.h"
#include "solver/solvers/cold_start.h"
#include "solver/solvers/momentum.h"
#include "solver/solvers/progress_guard.h"

namespace talus {
namespace {

// From γ and v(γ), and what was before them, to y by `beta` and on to the new γ.
SweepChange Sweep(WorkerArena& workers, const ContactProblem& problem, const SweepMethod& method,
                  double beta, double extra_gap, Iterate& current, SweepScratch& scratch) {
  Extrapolate(workers, beta, current.motion, scratch.previous.motion);
  const SweepBlocks blocks{problem.span(),
                           current.motion.data(),
                           current.impulse.data(),
                           scratch.previous.impulse.data(),
                           beta,
                           extra_gap,
                           method.accelerated};
  scratch.partial.resize(problem.layout.chunks.size());
  ForEachColor(workers, problem.layout, [&](const BlockChunk& chunk, size_t index) {
    scratch.partial[index] = method.sweep(blocks, chunk);
  });
  current.impulse.swap(scratch.previous.impulse);
  SweepChange total;
  for (const SweepChange& part : scratch.partial) {
    total.length_squared += part.length_squared;
    total.against += part.against;
  }
  return total;
}

}  // namespace

SolveReport RunSweeps(WorkerArena& workers, const ContactProblem& problem,
                      const SolveLimits& limits, const SweepMethod& method, Iterate& current,
                      SweepScratch& scratch) {
  SolveReport report;
  report.outcome = SolveOutcome::kSweepLimit;
  ProgressGuard guard(scratch.best);
  CappedMomentum momentum(limits.tolerance);
  WidenedGaps gaps(limits, problem.free_scale);
  scratch.previous = current;
  double beta = 0.0;
  CheckSchedule schedule(limits.tolerance);
  for (int32_t sweep = 1; sweep <= limits.max_sweeps; ++sweep) {
    const double extra_gap = gaps.ExtraGap(sweep);
    const SweepChange change = Sweep(workers, problem, method, beta, extra_gap, current, scratch);
    report.sweep_count = sweep;
    const double relative_change = std::sqrt(change.length_squared) / problem.free_scale;
    const bool check = limits.residual_history || sweep == limits.max_sweeps ||
                       problem.free_scale == 0.0 || schedule.IsDue(sweep, relative_change);
    const bool plain = guard.plain(sweep) || !method.accelerated;
    beta = plain ? 0.0 : momentum.NextBeta(change);
    if (extra_gap > 0.0 && gaps.EndWith(sweep, change)) {
      momentum = CappedMomentum(limits.tolerance);
      schedule = CheckSchedule(limits.tolerance);
      beta = 0.0;
    }
    if (!check) continue;
    report.residual =
        ComputeResidual(workers, problem, limits.law, current.impulse, current.motion);
    if (limits.residual_history) report.residual_history.push_back(report.residual);
    if (report.residual <= limits.tolerance) {
      report.outcome = SolveOutcome::kConverged;
      return report;
    }
    schedule.Note(sweep, relative_change, report.residual);
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
  // Without a finite residual there is no best: the iterate goes out as it is, for the step to
  // notice.
  if (std::isfinite(guard.best_residual())) {
    current = scratch.best;
    report.residual = guard.best_residual();
  }
  return report;
}

}  // namespace talus
