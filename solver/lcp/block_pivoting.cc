#include "solver/lcp/block_pivoting.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "solver/base/field_error.h"
#include "solver/base/status.h"
#include "solver/lcp/active_rows.h"
#include "solver/lcp/lemke.h"
#include "solver/lcp/standard_form.h"

namespace talus::lcp {
namespace {

// Block pivots that may bring nothing before single ones are made.
constexpr int kPatience = 10;

absl::Status CheckLimits(const PivotLimits& limits) {
  if (!(limits.tolerance > 0.0 && limits.tolerance <= 1.0)) {
    return FieldError("tolerance", FormatValue(limits.tolerance), "must be in (0, 1]");
  }
  if (limits.max_pivots >= 1) return absl::OkStatus();
  return FieldError("max_pivots", FormatValue(int64_t{limits.max_pivots}), "must be >= 1");
}

// The answer so far, on the scaled problem.
class Track {
 public:
  Track(const Mlcp& problem, const PivotLimits& limits)
      : problem_(problem), limits_(limits), z_(Eigen::VectorXd::Zero(problem.row_count())) {
    report_.residual = ComputeResidual(problem, z_);
  }

  PivotReport& report() { return report_; }
  const Eigen::VectorXd& z() const { return z_; }
  bool solved() const { return report_.residual <= limits_.tolerance; }
  // Pivots that may still be made.
  int32_t left() const {
    return limits_.stop && limits_.stop() ? 0 : limits_.max_pivots - report_.pivot_count();
  }
  const std::function<bool()>& stop() const { return limits_.stop; }

  void Note(const Eigen::VectorXd& z) {
    const double residual =
        z.allFinite() ? ComputeResidual(problem_, z) : std::numeric_limits<double>::infinity();
    if (residual >= report_.residual) return;
    report_.residual = residual;
    z_ = z;
  }
  // Of pivots made since the last entry.
  void AddToHistory() {
    if (!limits_.residual_history) return;
    report_.residual_history.resize(static_cast<size_t>(report_.pivot_count()), report_.residual);
  }

 private:
  const Mlcp& problem_;
  const PivotLimits& limits_;
  PivotReport report_;
  Eigen::VectorXd z_;
};

// Single pivots that a P-matrix would hardly take: they may be exponentially many, in practice they
// are fewer than the rows. Where bounds are coupled they may go in circles.
int64_t MostSinglePivots(const Mlcp& problem) {
  return 2 * static_cast<int64_t>(problem.row_count()) + 20;
}

// Ends where no row is on the wrong side, at singular equations, or out of single pivots.
void PivotInBlocks(const Mlcp& problem, ActiveRows& rows, int64_t single_left, Track& track) {
  size_t fewest = std::numeric_limits<size_t>::max();
  int patience = kPatience;
  while (track.left() > 0) {
    if (!rows.SolveEquations()) return;
    const std::vector<ActiveRows::Move> moves = rows.FindMoves();
    if (moves.size() < fewest) {
      fewest = moves.size();
      patience = kPatience;
    } else {
      --patience;
    }
    if (moves.empty()) {
      ++track.report().block_pivots;
      track.Note(rows.z());
      track.AddToHistory();
      return;
    }
    track.Note(ClampToBounds(problem, rows.z()));
    if (patience >= 0) {
      ++track.report().block_pivots;
      for (const ActiveRows::Move& move : moves) rows.Apply(move);
    } else if (single_left-- == 0) {
      return;
    } else {
      ++track.report().single_pivots;
      rows.Apply(moves.back());
    }
    track.AddToHistory();
  }
}

// Before anything dense is made of it.
bool IsTooLarge(const Mlcp& problem) {
  const StandardSize size = FindStandardSize(problem);
  return size.rows > kMaxLemkeRows || size.equations > kMaxLemkeEquations;
}

void PivotByLemke(const Mlcp& problem, Track& track) {
  PivotReport& report = track.report();
  if (IsTooLarge(problem)) {
    report.outcome = PivotOutcome::kTooLarge;
    return;
  }
  const std::optional<StandardForm> form = FormStandard(problem, track.stop());
  if (!form.has_value()) {
    report.outcome = track.left() > 0 ? PivotOutcome::kSingular : PivotOutcome::kPivotLimit;
    return;
  }
  const LemkeAnswer answer = SolveByLemke(form->matrix, form->offset, track.left(), track.stop());
  report.lemke_pivots += std::max(answer.pivot_count - 1, 0);
  track.AddToHistory();
  report.lemke_pivots += std::min(answer.pivot_count, 1);
  report.outcome = answer.outcome == LemkeOutcome::kRay          ? PivotOutcome::kRay
                   : answer.outcome == LemkeOutcome::kPivotLimit ? PivotOutcome::kPivotLimit
                                                                 : PivotOutcome::kSolved;
  if (report.outcome != PivotOutcome::kSolved) return;
  const Eigen::VectorXd z = form->RowsOf(answer.z);
  track.Note(z);
  // Hundreds of pivots leave their rounding in the tableau: solved once more from the sides found.
  ActiveRows rows(problem, track.stop());
  rows.AdoptSides(z);
  if (rows.SolveEquations()) track.Note(rows.z());
  if (!track.solved()) report.outcome = PivotOutcome::kSingular;
}

}  // namespace

absl::StatusOr<PivotAnswer> SolveByPivoting(const Mlcp& problem, const PivotLimits& limits,
                                            const Eigen::VectorXd& start) {
  TALUS_RETURN_IF_ERROR(Validate(problem));
  TALUS_RETURN_IF_ERROR(CheckLimits(limits));
  const ScaledMlcp scaled = ScaleMlcp(problem);
  Track track(scaled.problem, limits);
  const bool blocks = limits.method == PivotMethod::kBlocksFirst;
  if (blocks && start.size() == problem.row_count() && start.allFinite()) {
    const Eigen::VectorXd guess = start.cwiseQuotient(scaled.steps);
    track.Note(ClampToBounds(scaled.problem, guess));
    ActiveRows rows(scaled.problem, limits.stop);
    rows.AdoptSides(guess);
    PivotInBlocks(scaled.problem, rows, 0, track);
  }
  if (blocks && !track.solved()) {
    ActiveRows rows(scaled.problem, limits.stop);
    PivotInBlocks(scaled.problem, rows, MostSinglePivots(scaled.problem), track);
  }
  if (!track.solved()) {
    if (track.left() > 0) {
      PivotByLemke(scaled.problem, track);
    } else {
      track.report().outcome = PivotOutcome::kPivotLimit;
    }
  }
  track.AddToHistory();
  return PivotAnswer{track.report(), track.z().cwiseProduct(scaled.steps)};
}

}  // namespace talus::lcp
