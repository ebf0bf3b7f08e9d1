#include "solver/lcp/flat_problem.h"

#include <cmath>
#include <limits>
#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"
#include "solver/base/field_error.h"
#include "solver/base/limits.h"
#include "solver/base/status.h"
#include "solver/lcp/standard_form.h"
#include "solver/matrix/range_check.h"

namespace talus::lcp {
namespace {

absl::Status CheckRange(std::string_view field, double value, double low, double high) {
  if (value >= low && value <= high) return absl::OkStatus();
  return FieldError(field, FormatValue(value), absl::StrCat("must be in [", low, ", ", high, "]"));
}

absl::Status ValidateSettings(const FlatProblemSettings& settings) {
  if (!HasFlatSides(settings.law.law)) {
    return FieldError("law", FormatValue(static_cast<int64_t>(settings.law.law)),
                      "must be BOX, POLYGONAL or BRISTLE");
  }
  if (!(settings.tolerance >= kMinTolerance && settings.tolerance <= kMaxTolerance)) {
    return FieldError("tolerance", FormatValue(settings.tolerance),
                      absl::StrCat("must be in [", kMinTolerance, ", ", kMaxTolerance, "]"));
  }
  const FlatLaw& law = settings.law;
  if (law.facet_count < kMinFacets || law.facet_count > kMaxFacets || law.facet_count % 2 != 0) {
    return FieldError("flat_law.facet_count", FormatValue(int64_t{law.facet_count}),
                      absl::StrCat("must be even and in [", kMinFacets, ", ", kMaxFacets, "]"));
  }
  TALUS_RETURN_IF_ERROR(CheckRange("flat_law.bristle_stiffness_n_m", law.bristles.stiffness,
                                   kMinStiffnessNM, kMaxStiffnessNM));
  TALUS_RETURN_IF_ERROR(CheckRange("flat_law.slip_threshold_m_s", law.bristles.slip_threshold,
                                   std::numeric_limits<double>::min(), kMaxSpeedMS));
  TALUS_RETURN_IF_ERROR(
      CheckRange("flat_law.time_step_s", law.bristles.time_step_s, kMinTimeStepS, kMaxTimeStepS));
  if (settings.max_pivots < 1 || settings.max_pivots > kMaxSweeps) {
    return FieldError("max_sweeps", FormatValue(int64_t{settings.max_pivots}),
                      absl::StrCat("must be in [1, ", kMaxSweeps, "]"));
  }
  return absl::OkStatus();
}

absl::Status CheckSize(const MatrixProblem& problem, const FlatLaw& law) {
  if (problem.block_count() > kMaxFlatBlocks) {
    return FieldError("size(blocks)", FormatValue(uint64_t{problem.block_count()}),
                      absl::StrCat("must be <= ", kMaxFlatBlocks, " under a law with flat sides"),
                      absl::StatusCode::kResourceExhausted);
  }
  // A polygon has its facets for sliding and for rolling, two ways to spin, and three multipliers.
  const double rows = law.law == ContactLaw::kPolygonal ? 6.0 + 2.0 * law.facet_count : 6.0;
  const double stored = static_cast<double>(problem.delassus.stored_count());
  const double most = std::floor(kMaxFlatEntries / (rows * rows));
  if (stored <= most) return absl::OkStatus();
  return FieldError("W", absl::StrCat(problem.delassus.stored_count(), " blocks"),
                    absl::StrCat("must have at most ", most, " under this law"),
                    absl::StatusCode::kResourceExhausted);
}

absl::Status CheckOldImpulse(const MatrixProblem& problem, const FlatProblemSettings& settings) {
  const Eigen::VectorXd& old = settings.old_impulse;
  if (old.size() == 0) return absl::OkStatus();
  if (settings.law.law != ContactLaw::kBristle) {
    return FieldError("flat_law.old_impulses", "given",
                      "must be left out unless the law is BRISTLE");
  }
  if (old.size() != problem.row_count()) {
    return FieldError("size(flat_law.old_impulses)", FormatValue(int64_t{old.size()}),
                      absl::StrCat("must be ", problem.row_count(), ", six a block"));
  }
  return ::talus::CheckRange("flat_law.old_impulses", old, kMaxProblemImpulse);
}

// Before anything dense is made of it. Blocks may solve what is too large for Lemke's method.
absl::Status CheckLemkeSize(const Mlcp& problem, PivotMethod method) {
  if (method != PivotMethod::kLemkeAlone) return absl::OkStatus();
  const StandardSize size = FindStandardSize(problem);
  const auto check = [](Eigen::Index count, Eigen::Index most, const char* what) {
    if (count <= most) return absl::OkStatus();
    return FieldError("W", absl::StrCat(count, " ", what),
                      absl::StrCat("must come to at most ", most, " where the solver is LEMKE"),
                      absl::StatusCode::kResourceExhausted);
  };
  TALUS_RETURN_IF_ERROR(check(size.rows, kMaxLemkeRows, "rows under this law"));
  return check(size.equations, kMaxLemkeEquations, "equations");
}

}  // namespace

SolveOutcome OutcomeOf(const PivotReport& report, double tolerance) {
  if (report.residual <= tolerance) return SolveOutcome::kConverged;
  switch (report.outcome) {
    case PivotOutcome::kPivotLimit:
      return SolveOutcome::kSweepLimit;
    case PivotOutcome::kRay:
      return SolveOutcome::kRay;
    case PivotOutcome::kTooLarge:
      return SolveOutcome::kTooLarge;
    default:
      return SolveOutcome::kSingular;
  }
}

absl::StatusOr<matrix::ProblemSolution> SolveFlatProblem(const MatrixProblem& problem,
                                                         const FlatProblemSettings& settings) {
  TALUS_RETURN_IF_ERROR(ValidateSettings(settings));
  TALUS_RETURN_IF_ERROR(CheckSize(problem, settings.law));
  TALUS_RETURN_IF_ERROR(Validate(problem));
  TALUS_RETURN_IF_ERROR(CheckOldImpulse(problem, settings));
  TALUS_ASSIGN_OR_RETURN(const ContactMlcp contact,
                         AssembleFlatLaw(problem, settings.law, settings.old_impulse));
  TALUS_RETURN_IF_ERROR(CheckLemkeSize(contact.mlcp, settings.method));
  TALUS_ASSIGN_OR_RETURN(
      PivotAnswer answer,
      SolveByPivoting(contact.mlcp, {.tolerance = settings.tolerance,
                                     .max_pivots = settings.max_pivots,
                                     .method = settings.method,
                                     .residual_history = settings.residual_history,
                                     .stop = settings.stop}));
  matrix::ProblemSolution solution;
  solution.impulse = contact.ImpulseOf(answer.z);
  solution.velocity = ComputeVelocity(problem, solution.impulse);
  solution.certificate = {answer.report.residual, Certify(contact, answer.z).worst_block_residual,
                          std::numeric_limits<double>::quiet_NaN()};
  solution.report.outcome = OutcomeOf(answer.report, settings.tolerance);
  solution.report.residual = solution.certificate.residual;
  solution.report.worst_contact_residual = solution.certificate.worst_contact_residual;
  solution.report.sweep_count = answer.report.pivot_count();
  solution.report.residual_history = std::move(answer.report.residual_history);
  return solution;
}

}  // namespace talus::lcp
