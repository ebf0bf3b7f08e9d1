#include "solver/matrix_solvers/problem_solver.h"

#include <algorithm>
#include <array>

#include "absl/strings/str_cat.h"
#include "solver/base/check.h"
#include "solver/base/field_error.h"
#include "solver/base/limits.h"
#include "solver/base/status.h"
#include "solver/matrix/scaled_problem.h"
#include "solver/matrix_solvers/admm.h"
#include "solver/matrix_solvers/alart_curnier.h"
#include "solver/matrix_solvers/barzilai_borwein.h"
#include "solver/matrix_solvers/extragradient.h"
#include "solver/matrix_solvers/fixed_point.h"
#include "solver/matrix_solvers/nsgs.h"
#include "solver/matrix_solvers/proximal_newton.h"
#include "solver/matrix_solvers/psor.h"
#include "solver/solvers/solve_limits.h"

namespace talus::matrix {
namespace {

constexpr std::array kAllSolvers = {ProblemSolver::kDefault,       ProblemSolver::kFixedPoint,
                                    ProblemSolver::kExtragradient, ProblemSolver::kNsgs,
                                    ProblemSolver::kPsor,          ProblemSolver::kAcceleratedPsor,
                                    ProblemSolver::kAlartCurnier,  ProblemSolver::kBarzilaiBorwein,
                                    ProblemSolver::kAdmm,          ProblemSolver::kNewton};

absl::Status ValidateSettings(const ProblemSettings& settings) {
  if (std::find(kAllSolvers.begin(), kAllSolvers.end(), settings.solver) == kAllSolvers.end()) {
    return FieldError("solver", FormatValue(static_cast<int64_t>(settings.solver)),
                      "must be a solver of bare problems");
  }
  if (settings.law != ContactLaw::kNcp && settings.law != ContactLaw::kCcp) {
    return FieldError("law", FormatValue(static_cast<int64_t>(settings.law)), "must be NCP or CCP");
  }
  if (!Solves(settings.solver, settings.law)) {
    const bool ncp = settings.law == ContactLaw::kNcp;
    return FieldError("solver", NameOf(settings.solver),
                      absl::StrCat("must be one that solves ", ncp ? "NCP" : "CCP"));
  }
  if (!(settings.tolerance >= kMinTolerance && settings.tolerance <= kMaxTolerance)) {
    return FieldError("tolerance", FormatValue(settings.tolerance),
                      absl::StrCat("must be in [", kMinTolerance, ", ", kMaxTolerance, "]"));
  }
  if (settings.max_sweeps < 1 || settings.max_sweeps > kMaxSweeps) {
    return FieldError("max_sweeps", FormatValue(int64_t{settings.max_sweeps}),
                      absl::StrCat("must be in [1, ", kMaxSweeps, "]"));
  }
  return absl::OkStatus();
}

// Sweeps cost a fraction of a factorisation: they go on as long as they get anywhere.
SolveReport SolveByDefault(const ScaledProblem& problem, const SolveLimits& limits,
                           Eigen::VectorXd& impulse) {
  SolveReport sweeps = limits.law == ContactLaw::kNcp
                           ? AlartCurnier().Solve(problem, limits, impulse)
                           : Psor(1.0, true).Solve(problem, limits, impulse);
  if (sweeps.outcome != SolveOutcome::kStalled) return sweeps;
  SolveLimits rest = limits;
  rest.max_sweeps -= sweeps.sweep_count;
  SolveReport report = ProximalNewton().Solve(problem, rest, impulse);
  report.sweep_count += sweeps.sweep_count;
  report.residual_history.insert(report.residual_history.begin(), sweeps.residual_history.begin(),
                                 sweeps.residual_history.end());
  return report;
}

SolveReport SolveScaled(const ScaledProblem& problem, ProblemSolver solver,
                        const SolveLimits& limits, Eigen::VectorXd& impulse) {
  switch (solver) {
    case ProblemSolver::kDefault:
      return SolveByDefault(problem, limits, impulse);
    case ProblemSolver::kFixedPoint:
      return FixedPoint().Solve(problem, limits, impulse);
    case ProblemSolver::kExtragradient:
      return Extragradient().Solve(problem, limits, impulse);
    case ProblemSolver::kNsgs:
      return Nsgs().Solve(problem, limits, impulse);
    case ProblemSolver::kPsor:
      return Psor(1.0, false).Solve(problem, limits, impulse);
    case ProblemSolver::kAcceleratedPsor:
      return Psor(1.0, true).Solve(problem, limits, impulse);
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

absl::StatusOr<ProblemSolution> SolveProblem(const MatrixProblem& problem,
                                             const ProblemSettings& settings) {
  TALUS_RETURN_IF_ERROR(ValidateSettings(settings));
  TALUS_RETURN_IF_ERROR(Validate(problem));
  const ScaledProblem scaled = ScaleProblem(problem);
  const SolveLimits limits{.law = settings.law,
                           .tolerance = settings.tolerance,
                           .max_sweeps = settings.max_sweeps,
                           .residual_history = settings.residual_history,
                           .cold_start = true,
                           .stop = settings.stop};
  Eigen::VectorXd impulse = Eigen::VectorXd::Zero(problem.row_count());
  ProblemSolution solution;
  solution.report = SolveScaled(scaled, settings.solver, limits, impulse);
  solution.impulse = impulse.cwiseProduct(scaled.steps);
  solution.velocity = problem.delassus.Multiply(solution.impulse) +
                      problem.compliance.cwiseProduct(solution.impulse) + problem.free_rows;
  solution.certificate = Certify(problem, settings.law, solution.impulse);
  solution.report.residual = solution.certificate.residual;
  solution.report.worst_contact_residual = solution.certificate.worst_contact_residual;
  return solution;
}

}  // namespace talus::matrix
