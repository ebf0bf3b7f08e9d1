// Any algorithm of this folder on a bare problem, by its name: what a file, a client or a test asks
// for, in SI, and the answer with its certificate.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "solver/matrix/certificate.h"
#include "solver/matrix/matrix_problem.h"
#include "solver/matrix/scaled_problem.h"
#include "solver/scene/psor_settings.h"
#include "solver/scene/solver_settings.h"
#include "solver/solvers/solve_limits.h"
#include "solver/solvers/solve_report.h"

namespace talus::matrix {

enum class ProblemSolver : uint8_t {
  // Sweeps of the law and proximal Newton steps, whichever promises to be there sooner
  // (default_solver.h); contacts that touch no others are solved at once, without sweeps
  // (separate_blocks.h).
  kDefault = 0,
  kFixedPoint = 1,
  kExtragradient = 2,
  kNsgs = 3,
  kPsor = 4,             // CCP only
  kAcceleratedPsor = 5,  // CCP only
  kAlartCurnier = 6,     // NCP only
  kBarzilaiBorwein = 7,  // CCP only
  kAdmm = 8,             // CCP only
  kNewton = 9,
};

// All of them in the order of the enumeration, and the names that users know them by: `default`,
// `fixed_point`, …
std::span<const ProblemSolver> AllProblemSolvers();
std::string_view NameOf(ProblemSolver solver);
bool Solves(ProblemSolver solver, ContactLaw law);
// `NCP: default, fixed_point, …`: those that do, for messages.
std::string SolversOf(ContactLaw law);

// What the tolerance is a bound of.
enum class StopMeasure : uint8_t {
  kResidual = 0,     // the residual of NOTATION §5
  kCertificate = 1,  // each measure of the certificate; the last of them depends on the units
};

struct ProblemSettings {
  ContactLaw law = ContactLaw::kNcp;
  ProblemSolver solver = ProblemSolver::kDefault;
  double tolerance = 1e-8;  // to stop at, in [1e-14, 1]
  StopMeasure measure = StopMeasure::kResidual;
  int32_t max_sweeps = 20000;     // in [1, 1000000]
  bool residual_history = false;  // of sweeps: empty where there were none
  PsorSettings psor = {};         // of kPsor and kAcceleratedPsor alone
  // Asked where the residual is looked at: true ends the solve with the best impulses so far.
  std::function<bool()> stop = {};
};

struct ProblemSolution {
  Eigen::VectorXd impulse;   // γ, the best met: N s, N m s
  Eigen::VectorXd velocity;  // u = (W + E) γ + q: m/s, rad/s
  Certificate certificate;
  SolveReport report;
};

// By the one algorithm named, from the impulses given to the best met, both scaled; `psor` is read
// by the two that are PSOR. The solver must be one of the law.
SolveReport SolveScaled(const ScaledProblem& problem, ProblemSolver solver,
                        const PsorSettings& psor, const SolveLimits& limits,
                        Eigen::VectorXd& impulse);

// From zero impulses. STALLED where a row that no impulse moves must not move and does
// (matrix/immobile_rows.h): there is no solution. INVALID_ARGUMENT where the problem, by
// ValidateNumbers, or a setting is not valid, or where the solver is not one of the law.
absl::StatusOr<ProblemSolution> SolveProblem(const MatrixProblem& problem,
                                             const ProblemSettings& settings);

}  // namespace talus::matrix
