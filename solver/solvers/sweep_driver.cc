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

// Changes, relative to the driving velocity, that single precision can still tell from rounding.
constexpr double kSmallestInSingle = 1e-5;
// A residual so much larger than the change that led to it is made of rounding.
constexpr double kRounded = 3.0;
// Single precision pays where many sweeps are to come: the change is this many tolerances after
// the second sweep, or so many sweeps were not enough.
constexpr double kFar = 4.0;
constexpr int32_t kLong = 10;

// One solve: what one sweep hands on to the next.
class SweepRun {
 public:
  SweepRun(WorkerArena& workers, const ContactProblem& problem, const SolveLimits& limits,
           const SweepMethod& method, Iterate& current, SweepScratch& scratch)
      : workers_(workers),
        problem_(problem),
        limits_(limits),
        method_(method),
        current_(current),
        scratch_(scratch),
        guard_(workers, scratch.best),
        momentum_(limits.tolerance),
        schedule_(limits.tolerance),
        gaps_(limits, problem.free_scale),
        may_single_(method.single != nullptr && !limits.residual_history) {
    CopyIterate(workers, current, scratch.previous);
    scratch.single.Reset();
  }

  SolveReport Run() {
    report_.outcome = SolveOutcome::kSweepLimit;
    while (report_.sweep_count < limits_.max_sweeps) {
      const double change = Advance();
      if (in_single_ ? !CheckSingle(change) : !IsDue(change)) {
        if (!in_single_ && SinglePays(change)) EnterSingle();
        continue;
      }
      if (IsOver(change)) return report_;
    }
    TakeBest();
    return report_;
  }

 private:
  // One sweep. Returns what it changes, relative to the driving velocity.
  double Advance() {
    const int32_t sweep = ++report_.sweep_count;
    const double extra_gap = gaps_.ExtraGap(sweep);
    const SweepChange change =
        in_single_ ? scratch_.single.Sweep(workers_, problem_, method_, beta_, extra_gap)
                   : Sweep(beta_, extra_gap);
    beta_ = guard_.plain(sweep) || !method_.accelerated ? 0.0 : momentum_.NextBeta(change);
    if (extra_gap > 0.0 && gaps_.EndWith(sweep, change)) {
      momentum_ = CappedMomentum(limits_.tolerance);
      schedule_ = CheckSchedule(limits_.tolerance);
      beta_ = 0.0;
    }
    return std::sqrt(change.length_squared) / problem_.free_scale;
  }

  // From γ and v(γ), and what was before them, to y by `beta` and on to the new γ.
  SweepChange Sweep(double beta, double extra_gap) {
    const SweepBlocks blocks{problem_.span(),
                             current_.motion.data(),
                             current_.impulse.data(),
                             scratch_.previous.impulse.data(),
                             beta,
                             extra_gap,
                             method_.accelerated};
    const SweepChange change =
        SweepStrands(workers_, problem_, blocks, scratch_.previous.motion.data(), method_.sweep,
                     scratch_.partial);
    current_.impulse.swap(scratch_.previous.impulse);
    return change;
  }

  bool IsDue(double change) const {
    const int32_t sweep = report_.sweep_count;
    return limits_.residual_history || sweep == limits_.max_sweeps || problem_.free_scale == 0.0 ||
           schedule_.IsDue(sweep, change);
  }

  bool SinglePays(double change) const {
    const int32_t sweep = report_.sweep_count;
    return may_single_ && change > kSmallestInSingle && sweep + 2 < limits_.max_sweeps &&
           ((sweep >= 2 && change > kFar * limits_.tolerance) || sweep >= kLong);
  }
  // A solve so long may need its best iterate, too: its memory is asked for here, so that a later
  // step, the first with a measurement in vain, does not have to.
  void EnterSingle() {
    scratch_.single.Enter(workers_, problem_, current_, scratch_.previous);
    scratch_.best.impulse.reserve(current_.impulse.size());
    scratch_.best.motion.reserve(current_.motion.size());
    in_single_ = true;
  }
  // For good: with `current` and `previous` as they are.
  void GiveUpSingle() {
    in_single_ = may_single_ = false;
    momentum_.Restart();
    beta_ = 0.0;
  }

  // Whether the residual is to be measured: of the iterate in double precision after a plain sweep,
  // which clips the impulses to their bounds anew. The sweeps in single precision go on from where
  // they were.
  bool CheckSingle(double change) {
    if (!std::isfinite(change)) {
      GiveUpSingle();  // to where double precision was left
      CopyIterate(workers_, current_, scratch_.previous);
      return false;
    }
    const bool done = change <= kSmallestInSingle;
    const int32_t sweep = report_.sweep_count;
    if (!done && !schedule_.IsDueRarely(sweep, change) && sweep + 1 < limits_.max_sweeps) {
      return false;
    }
    scratch_.single.Leave(workers_, problem_, current_);
    Sweep(0.0, gaps_.ExtraGap(++report_.sweep_count));
    if (done) GiveUpSingle();
    return true;
  }

  // Measures the residual; whether it is small enough.
  bool IsOver(double change) {
    const int32_t sweep = report_.sweep_count;
    report_.residual =
        ComputeResidual(workers_, problem_, limits_.law, current_.impulse, current_.motion);
    if (limits_.residual_history) report_.residual_history.push_back(report_.residual);
    if (report_.residual <= limits_.tolerance) {
      report_.outcome = SolveOutcome::kConverged;
      return true;
    }
    schedule_.Note(sweep, change, report_.residual);
    if (in_single_ && !(report_.residual <= kRounded * change)) GiveUpSingle();
    switch (guard_.Note(sweep, report_.residual, current_)) {
      case ProgressGuard::Advice::kGoOn:
        break;
      case ProgressGuard::Advice::kGoBack:
        CopyIterate(workers_, scratch_.best, current_);
        CopyIterate(workers_, current_, scratch_.previous);
        momentum_.Restart();
        beta_ = 0.0;
        if (in_single_) EnterSingle();
        break;
      case ProgressGuard::Advice::kStalled:
        report_.outcome = SolveOutcome::kStalled;
        TakeBest();
        return true;
    }
    return false;
  }

  // Without a finite residual there is no best: the iterate goes out as it is, for the step to
  // notice.
  void TakeBest() {
    if (!std::isfinite(guard_.best_residual())) return;
    CopyIterate(workers_, scratch_.best, current_);
    report_.residual = guard_.best_residual();
  }

  WorkerArena& workers_;
  const ContactProblem& problem_;
  const SolveLimits& limits_;
  const SweepMethod& method_;
  Iterate& current_;
  SweepScratch& scratch_;
  SolveReport report_;
  ProgressGuard guard_;
  CappedMomentum momentum_;
  CheckSchedule schedule_;
  WidenedGaps gaps_;
  double beta_ = 0.0;
  bool in_single_ = false;
  bool may_single_;
};

}  // namespace

SolveReport RunSweeps(WorkerArena& workers, const ContactProblem& problem,
                      const SolveLimits& limits, const SweepMethod& method, Iterate& current,
                      SweepScratch& scratch) {
  return SweepRun(workers, problem, limits, method, current, scratch).Run();
}

}  // namespace talus
