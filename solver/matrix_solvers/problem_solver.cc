#include "solver/matrix_solvers/problem_solver.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "solver/base/check.h"
#include "solver/base/field_error.h"
#include "solver/base/limits.h"
#include "solver/base/status.h"
#include "solver/matrix/immobile_rows.h"
#include "solver/matrix_solvers/admm.h"
#include "solver/matrix_solvers/alart_curnier.h"
#include "solver/matrix_solvers/barzilai_borwein.h"
#include "solver/matrix_solvers/default_solver.h"
#include "solver/matrix_solvers/extragradient.h"
#include "solver/matrix_solvers/fixed_point.h"
#include "solver/matrix_solvers/levenberg_marquardt.h"
#include "solver/matrix_solvers/nsgs.h"
#include "solver/matrix_solvers/proximal_newton.h"
#include "solver/matrix_solvers/psor.h"
#include "solver/matrix_solvers/separate_blocks.h"

namespace talus::matrix {
namespace {

constexpr std::array kAllSolvers = {ProblemSolver::kDefault,       ProblemSolver::kFixedPoint,
                                    ProblemSolver::kExtragradient, ProblemSolver::kNsgs,
                                    ProblemSolver::kPsor,          ProblemSolver::kAcceleratedPsor,
                                    ProblemSolver::kAlartCurnier,  ProblemSolver::kBarzilaiBorwein,
                                    ProblemSolver::kAdmm,          ProblemSolver::kNewton};

absl::Status ValidateSettings(const ProblemSettings& settings) {
  if (settings.solver > kAllSolvers.back()) {
    return FieldError("solver", FormatValue(static_cast<int64_t>(settings.solver)),
                      "must be a solver of bare problems");
  }
  if (settings.law != ContactLaw::kNcp && settings.law != ContactLaw::kCcp) {
    return FieldError("law", FormatValue(static_cast<int64_t>(settings.law)), "must be NCP or CCP");
  }
  if (!Solves(settings.solver, settings.law)) {
    return FieldError("solver", NameOf(settings.solver),
                      absl::StrCat("must be one that solves ", SolversOf(settings.law)));
  }
  if (settings.measure != StopMeasure::kResidual && settings.measure != StopMeasure::kCertificate) {
    return FieldError("measure", FormatValue(static_cast<int64_t>(settings.measure)),
                      "must be the residual or the certificate");
  }
  if (!(settings.tolerance >= kMinTolerance && settings.tolerance <= kMaxTolerance)) {
    return FieldError("tolerance", FormatValue(settings.tolerance),
                      absl::StrCat("must be in [", kMinTolerance, ", ", kMaxTolerance, "]"));
  }
  TALUS_RETURN_IF_ERROR(ValidatePsor("psor", settings.psor));
  if (!settings.psor.sequential && settings.solver == ProblemSolver::kAcceleratedPsor) {
    return FieldError("psor.sequential", "false", "must be true with momentum");
  }
  if (settings.max_sweeps < 1 || settings.max_sweeps > kMaxSweeps) {
    return FieldError("max_sweeps", FormatValue(int64_t{settings.max_sweeps}),
                      absl::StrCat("must be in [1, ", kMaxSweeps, "]"));
  }
  return absl::OkStatus();
}

}  // namespace

std::span<const ProblemSolver> AllProblemSolvers() { return kAllSolvers; }

std::string_view NameOf(ProblemSolver solver) {
  switch (solver) {
    case ProblemSolver::kDefault:
      return "default";
    case ProblemSolver::kFixedPoint:
      return "fixed_point";
    case ProblemSolver::kExtragradient:
      return "extragradient";
    case ProblemSolver::kNsgs:
      return "nsgs";
    case ProblemSolver::kPsor:
      return "psor";
    case ProblemSolver::kAcceleratedPsor:
      return "accelerated_psor";
    case ProblemSolver::kAlartCurnier:
      return "alart_curnier";
    case ProblemSolver::kBarzilaiBorwein:
      return "barzilai_borwein";
    case ProblemSolver::kAdmm:
      return "admm";
    case ProblemSolver::kNewton:
      return "newton";
  }
  return "";
}

bool Solves(ProblemSolver solver, ContactLaw law) {
  switch (solver) {
    case ProblemSolver::kPsor:
    case ProblemSolver::kAcceleratedPsor:
    case ProblemSolver::kBarzilaiBorwein:
    case ProblemSolver::kAdmm:
      return law == ContactLaw::kCcp;
    case ProblemSolver::kAlartCurnier:
      return law == ContactLaw::kNcp;
    default:
      return true;
  }
}

std::string SolversOf(ContactLaw law) {
  std::string names = law == ContactLaw::kNcp ? "NCP" : "CCP";
  const char* between = ": ";
  for (const ProblemSolver solver : kAllSolvers) {
    if (Solves(solver, law)) names.append(std::exchange(between, ", ")).append(NameOf(solver));
  }
  return names;
}

SolveReport SolveScaled(const ScaledProblem& problem, ProblemSolver solver,
                        const PsorSettings& psor, const SolveLimits& limits,
                        Eigen::VectorXd& impulse) {
  switch (solver) {
    case ProblemSolver::kDefault:
      return DefaultSolver().Solve(problem, limits, impulse);
    case ProblemSolver::kFixedPoint:
      return FixedPoint().Solve(problem, limits, impulse);
    case ProblemSolver::kExtragradient:
      return Extragradient().Solve(problem, limits, impulse);
    case ProblemSolver::kNsgs:
      return Nsgs().Solve(problem, limits, impulse);
    case ProblemSolver::kPsor:
      return Psor(psor, false).Solve(problem, limits, impulse);
    case ProblemSolver::kAcceleratedPsor:
      return Psor(psor, true).Solve(problem, limits, impulse);
    case ProblemSolver::kAlartCurnier:
      return AlartCurnier().Solve(problem, limits, impulse);
    case ProblemSolver::kBarzilaiBorwein:
      return BarzilaiBorwein().Solve(problem, limits, impulse);
    case ProblemSolver::kAdmm:
      return Admm().Solve(problem, limits, impulse);
    case ProblemSolver::kNewton:
      return ProximalNewton().Solve(problem, limits, impulse);
  }
  TALUS_CHECK(!"a solver that validation let through");
  return {};
}

namespace {

// Solves until the certificate as a whole is within the tolerance: to a residual as much smaller as
// the worst measure is too large, from where the last solve ended. The default of NCP goes on so at
// first for about as long as it has taken; then what is left is shared out anew between the
// measures (levenberg_marquardt.h), and only where that does not do it goes on for as long as it
// may, to share out at the end what is left then.
class CertifiedSolve {
 public:
  CertifiedSolve(const MatrixProblem& problem, const ProblemSettings& settings)
      : problem_(problem),
        settings_(settings),
        scaled_(ScaleProblem(problem)),
        impulse_(Eigen::VectorXd::Zero(problem.row_count())) {
    LeaveOutImmobileRows(problem, settings.law, scaled_);
  }

  ProblemSolution Solve() {
    SolveTo(settings_.tolerance, settings_.max_sweeps);
    if (settings_.measure == StopMeasure::kCertificate) MeetAll();
    // What solvers do not see: a row that must not move and does, whatever the impulses.
    SolveReport& report = solution_.report;
    if (report.outcome == SolveOutcome::kConverged &&
        !(solution_.certificate.residual <= settings_.tolerance + kRoundOff)) {
      report.outcome = SolveOutcome::kStalled;
    }
    return std::move(solution_);
  }

 private:
  // The measures fall together, not at the same rate.
  static constexpr double kBelow = 0.7;
  // Of a residual: what solvers go by is scaled, the certificate is of numbers in SI.
  static constexpr double kRoundOff = 1e-12;
  static constexpr int32_t kMoreSweeps = 100;
  static constexpr double kNear = 10.0;  // tolerances: a residual that is worth it
  static constexpr int32_t kMostFactorizations = 15;
  static constexpr double kMostOperations = 1e10;  // of one

  Eigen::VectorXd ToSi(const Eigen::VectorXd& impulse) const {
    return CompleteImpulses(problem_, scaled_, impulse.cwiseProduct(scaled_.steps));
  }

  bool IsMet() const { return WorstOf(solution_.certificate) <= settings_.tolerance; }

  void MeetAll() {
    double target = settings_.tolerance;
    // Who chose a solver gets that one alone.
    if (settings_.law == ContactLaw::kNcp && settings_.solver == ProblemSolver::kDefault) {
      const int32_t last = settings_.max_sweeps - kMostFactorizations;
      LowerTo(target, std::min(2 * solution_.report.sweep_count + kMoreSweeps, last));
      ShareOut();
      if (!IsMet() && solution_.report.outcome == SolveOutcome::kSweepLimit &&
          solution_.report.sweep_count < last) {
        SolveTo(target, last);
        LowerTo(target, last);
        ShareOut();
      }
    } else {
      LowerTo(target, settings_.max_sweeps);
    }
    if (IsMet()) solution_.report.outcome = SolveOutcome::kConverged;
  }

  // Residual after residual, the last of them `target`.
  void LowerTo(double& target, int32_t max_sweeps) {
    while (!IsMet() && solution_.report.outcome == SolveOutcome::kConverged &&
           solution_.report.sweep_count < max_sweeps) {
      if (target <= kMinTolerance) {
        solution_.report.outcome = SolveOutcome::kStalled;
        break;
      }
      const double excess = WorstOf(solution_.certificate) / settings_.tolerance;
      target = std::clamp(kBelow * solution_.certificate.residual / excess, kMinTolerance,
                          kBelow * target);
      SolveTo(target, max_sweeps);
    }
    if (!IsMet() && solution_.report.outcome == SolveOutcome::kConverged) {
      solution_.report.outcome = SolveOutcome::kSweepLimit;
    }
  }

  // `max_sweeps`: with all that have been made.
  void SolveTo(double tolerance, int32_t max_sweeps) {
    const int32_t made = solution_.report.sweep_count;
    const SolveLimits limits{.law = settings_.law,
                             .tolerance = tolerance,
                             .max_sweeps = max_sweeps - made,
                             .residual_history = settings_.residual_history,
                             .cold_start = made == 0,
                             .stop = settings_.stop};
    std::vector<double> history = std::move(solution_.report.residual_history);
    SolveReport& report = solution_.report;
    report = SolveScaled(scaled_, settings_.solver, settings_.psor, limits, impulse_);
    report.sweep_count += made;
    report.residual_history.insert(report.residual_history.begin(), history.begin(), history.end());
    solution_.impulse = ToSi(impulse_);
    solution_.velocity = ComputeVelocity(problem_, solution_.impulse);
    solution_.certificate = Certify(problem_, settings_.law, solution_.impulse, solution_.velocity);
    report.residual = solution_.certificate.residual;
    report.worst_contact_residual = solution_.certificate.worst_contact_residual;
  }

  // Keeps the impulses of which the worst measure is least.
  void ShareOut() {
    if (IsMet() || solution_.certificate.residual > kNear * settings_.tolerance) return;
    const int32_t made = solution_.report.sweep_count;
    const int32_t most = std::min(kMostFactorizations, settings_.max_sweeps - made);
    LevenbergMarquardt steps(scaled_, impulse_,
                             {.max_operations = kMostOperations, .stop = settings_.stop});
    while (!IsMet() && steps.factorization_count() < most && steps.Advance(most)) {
      const Eigen::VectorXd impulse = ToSi(steps.impulse());
      const Eigen::VectorXd velocity = ComputeVelocity(problem_, impulse);
      const Certificate certificate = Certify(problem_, settings_.law, impulse, velocity);
      if (WorstOf(certificate) >= WorstOf(solution_.certificate)) continue;
      impulse_ = steps.impulse();
      solution_.impulse = impulse;
      solution_.velocity = velocity;
      solution_.certificate = certificate;
      solution_.report.residual = certificate.residual;
      solution_.report.worst_contact_residual = certificate.worst_contact_residual;
    }
    solution_.report.sweep_count = made + steps.factorization_count();
    if (settings_.residual_history) {
      solution_.report.residual_history.resize(static_cast<size_t>(solution_.report.sweep_count),
                                               solution_.report.residual);
    }
  }

  const MatrixProblem& problem_;
  const ProblemSettings& settings_;
  ScaledProblem scaled_;
  Eigen::VectorXd impulse_;  // scaled
  ProblemSolution solution_;
};

double MeasureOf(const ProblemSettings& settings, const Certificate& certificate) {
  return settings.measure == StopMeasure::kCertificate ? WorstOf(certificate)
                                                       : certificate.residual;
}

ProblemSolution Describe(SeparateSolution blocks) {
  ProblemSolution solution{
      std::move(blocks.impulse), std::move(blocks.velocity), blocks.certificate, {}};
  solution.report.outcome = SolveOutcome::kConverged;
  solution.report.residual = solution.certificate.residual;
  solution.report.worst_contact_residual = solution.certificate.worst_contact_residual;
  return solution;
}

}  // namespace

absl::StatusOr<ProblemSolution> SolveProblem(const MatrixProblem& problem,
                                             const ProblemSettings& settings) {
  TALUS_RETURN_IF_ERROR(ValidateSettings(settings));
  TALUS_RETURN_IF_ERROR(ValidateNumbers(problem));
  if (settings.solver == ProblemSolver::kDefault && AreSeparate(problem)) {
    auto blocks = SolveSeparateBlocks(problem, settings.law, settings.stop);
    if (blocks && MeasureOf(settings, blocks->certificate) <= settings.tolerance) {
      return Describe(*std::move(blocks));
    }
  }
  return CertifiedSolve(problem, settings).Solve();
}

}  // namespace talus::matrix
