#include "solver/solvers/sweep_driver.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "solver/base/slack.h"
#include "solver/contact/chunk_loop.h"
#include "solver/contact/residual.h"
#include "solver/solvers/check_schedule.h"
#include "solver/solvers/cold_start.h"
#include "solver/solvers/momentum.h"
#include "solver/solvers/progress_guard.h"

namespace talus {
namespace {

constexpr size_t kSweepChunk = 128;
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
        momentum_(limits.tolerance),
        schedule_(limits.tolerance),
        gaps_(limits, problem.free_scale),
        may_single_(method.single != nullptr && !limits.residual_history &&
                    problem.compliance.empty()) {
    scratch.single.Reset();
    Restart();
  }

  SolveReport Run() {
    report_.outcome = SolveOutcome::kSweepLimit;
    while (report_.sweep_count < limits_.max_sweeps && !limits_.IsStopped()) {
      const double change = Advance();
      if (in_single_ ? !CheckSingle(change) : !IsDue(change)) {
        if (!in_single_ && SinglePays(change)) EnterSingle();
        continue;
      }
      if (IsOver(change)) break;
    }
    if (report_.outcome != SolveOutcome::kConverged) TakeBest();
    BringHome();
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

  // From γ and v(γ), and what was before them, to y by `beta` and on to the new γ. Momentum needs
  // two sweeps to begin: of the first nothing is kept, which is all that a heap at rest asks for.
  SweepChange Sweep(double beta, double extra_gap) {
    if (restarted_) {
      restarted_ = false;
      return SweepInPlace(extra_gap);
    }
    if (!has_before_) KeepBefore();
    const SweepChange change =
        SweepWith(beta, extra_gap, impulse_, before_, scratch_.previous.motion.data());
    std::swap(impulse_, before_);
    return change;
  }
  // Without momentum.
  SweepChange SweepInPlace(double extra_gap) {
    return SweepWith(0.0, extra_gap, impulse_, impulse_, nullptr);
  }
  SweepChange SweepWith(double beta, double extra_gap, std::span<const WrenchBlock> last,
                        std::span<WrenchBlock> before_last, BodyMotion* motion_before) {
    const SweepBlocks blocks{
        problem_.span(), current_.motion.data(), last.data(), before_last.data(), beta,
        extra_gap,       method_.accelerated};
    return SweepStrands(workers_, problem_, blocks, motion_before, method_.sweep, scratch_.partial);
  }

  // From `current_` on; the next two sweeps are plain ones.
  void Restart() {
    impulse_ = current_.impulse;
    has_before_ = false;
    restarted_ = true;
    momentum_.Restart();
    beta_ = 0.0;
  }
  // The iterate before is that of `current_`.
  void KeepBefore() {
    scratch_.previous.Set(workers_, current_);
    before_ = scratch_.previous.impulse;
    has_before_ = true;
  }
  // γ to `current_`, where every other sweep leaves it, and what was before it to where γ was.
  void BringHome() {
    if (impulse_.data() == current_.impulse.data()) return;
    ParallelForChunks(
        workers_, impulse_.size(), kSweepChunk, [&](size_t begin, size_t end, size_t) {
          std::swap_ranges(&impulse_[begin], &impulse_[begin] + (end - begin), &before_[begin]);
        });
    std::swap(impulse_, before_);
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
  void EnterSingle() {
    BringHome();
    if (!has_before_) KeepBefore();
    scratch_.single.Enter(workers_, problem_, current_, scratch_.previous);
    in_single_ = true;
  }
  // For good, and on from `current_`.
  void GiveUpSingle() {
    in_single_ = may_single_ = false;
    Restart();
  }

  // Whether the residual is to be measured: of the iterate in double precision after a plain sweep,
  // which clips the impulses to their bounds anew. The sweeps in single precision go on from where
  // they were.
  bool CheckSingle(double change) {
    if (!std::isfinite(change)) {
      GiveUpSingle();  // to where double precision was left
      return false;
    }
    const int32_t sweep = report_.sweep_count;
    if (change > kSmallestInSingle && !schedule_.IsDueRarely(sweep, change) &&
        sweep + 1 < limits_.max_sweeps) {
      return false;
    }
    scratch_.single.Leave(workers_, problem_, current_);
    SweepInPlace(gaps_.ExtraGap(++report_.sweep_count));
    return true;
  }

  // Measures the residual; whether it is small enough.
  bool IsOver(double change) {
    const int32_t sweep = report_.sweep_count;
    report_.residual = ComputeResidual(workers_, problem_, limits_.law, impulse_, current_.motion);
    if (limits_.residual_history) report_.residual_history.push_back(report_.residual);
    if (report_.residual <= limits_.tolerance) {
      report_.outcome = SolveOutcome::kConverged;
      return true;
    }
    schedule_.Note(sweep, change, report_.residual);
    const ProgressGuard::Advice advice = guard_.Note(sweep, report_.residual);
    if (advice == ProgressGuard::Advice::kKeep) KeepBest();
    if (in_single_ && (change <= kSmallestInSingle || !(report_.residual <= kRounded * change))) {
      GiveUpSingle();
    }
    if (advice == ProgressGuard::Advice::kGoBack) GoBack();
    if (advice == ProgressGuard::Advice::kStalled) report_.outcome = SolveOutcome::kStalled;
    return advice == ProgressGuard::Advice::kStalled;
  }

  // The iterate just measured. One that came from single precision is kept there: what led from it
  // to the residual can be done again, to the same bits.
  void KeepBest() {
    best_sweep_ = report_.sweep_count;
    best_in_single_ = in_single_;
    if (in_single_) {
      scratch_.single.Keep(workers_);
      best_extra_gap_ = gaps_.ExtraGap(report_.sweep_count);
      return;
    }
    ResizeBuffer(scratch_.best, impulse_.size());
    CopyLines(workers_, impulse_, scratch_.best);
  }
  // `current_` is what was kept, with velocities made anew.
  void BringBackBest() {
    impulse_ = current_.impulse;
    if (best_in_single_) {
      scratch_.single.LeaveKept(workers_, problem_, current_);
      SweepInPlace(best_extra_gap_);
      return;
    }
    CopyLines(workers_, scratch_.best, impulse_);
    ComputeVelocities(workers_, problem_, current_);
  }
  void GoBack() {
    BringBackBest();
    Restart();
    if (in_single_) EnterSingle();
  }

  // Without a finite residual there is no best: the iterate goes out as it is, for the step to
  // notice.
  void TakeBest() {
    if (!std::isfinite(guard_.best_residual())) return;
    if (best_sweep_ != report_.sweep_count) BringBackBest();
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
  // γ and the impulses before: one is in `current_`, the other in the scratch's `previous`.
  std::span<WrenchBlock> impulse_, before_;
  double beta_ = 0.0;
  bool restarted_ = false;   // nothing has been swept since the last restart
  bool has_before_ = false;  // else `before_` is nothing yet
  bool in_single_ = false;
  bool may_single_;
  int32_t best_sweep_ = 0;
  bool best_in_single_ = false;
  double best_extra_gap_ = 0.0;  // of the sweep that led to the best from single precision
};

}  // namespace

SolveReport RunSweeps(WorkerArena& workers, const ContactProblem& problem,
                      const SolveLimits& limits, const SweepMethod& method, Iterate& current,
                      SweepScratch& scratch) {
  return SweepRun(workers, problem, limits, method, current, scratch).Run();
}

}  // namespace talus
