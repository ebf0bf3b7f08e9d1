#include "solver/solvers/matrix_step.h"

#include <string>
#include <utility>

#include "solver/base/field_error.h"
#include "solver/base/limits.h"
#include "solver/matrix_solvers/problem_solver.h"
#include "solver/matrix_solvers/proximal_newton.h"
#include "solver/solvers/step_matrices.h"

namespace talus {
namespace {

using matrix::ProblemSolver;

ProblemSolver AlgorithmOf(const SolverSettings& settings, size_t contact_count) {
  switch (settings.solver) {
    case SolverKind::kFixedPoint:
      return ProblemSolver::kFixedPoint;
    case SolverKind::kExtragradient:
      return ProblemSolver::kExtragradient;
    case SolverKind::kNsgs:
      return ProblemSolver::kNsgs;
    case SolverKind::kPsor:
      return ProblemSolver::kPsor;
    case SolverKind::kBarzilaiBorwein:
      return ProblemSolver::kBarzilaiBorwein;
    case SolverKind::kAdmm:
      return ProblemSolver::kAdmm;
    default:
      break;
  }
  if (contact_count <= matrix::ProximalNewton::kMostContacts) return ProblemSolver::kNewton;
  return settings.law == ContactLaw::kNcp ? ProblemSolver::kAlartCurnier
                                          : ProblemSolver::kAcceleratedPsor;
}

}  // namespace

bool TakesMatrices(const SolverSettings& settings) {
  return IsMatrixSolver(settings.solver) ||
         (settings.solver == SolverKind::kPsor && settings.psor != PsorSettings{});
}

absl::Status CheckMatrixCount(const SolverSettings& settings, size_t contact_count) {
  if (contact_count <= kMostMatrixContacts || !TakesMatrices(settings)) return absl::OkStatus();
  const bool psor = settings.solver == SolverKind::kPsor;
  return FieldError("size(contacts)", FormatValue(uint64_t{contact_count}),
                    "must be <= " + FormatValue(uint64_t{kMostMatrixContacts}) +
                        " where the solver is " + NameOf(settings.solver) +
                        (psor ? " with psor other than its defaults" : ""),
                    absl::StatusCode::kResourceExhausted);
}

absl::Status CheckMatrixBlocks(const SolverSettings& settings, const DynamicsView& bodies,
                               std::span<const ContactInput> contacts,
                               std::span<const JointRows> joints) {
  const bool joined = !joints.empty() && !HasFlatSides(settings.law);
  if (!joined && !TakesMatrices(settings)) return absl::OkStatus();
  const uint64_t blocks = CountDelassusBlocks(bodies, contacts, joints);
  if (blocks <= kMaxDelassusBlocks) return absl::OkStatus();
  return FieldError("size(W)", FormatValue(blocks) + " blocks",
                    "must be <= " + FormatValue(uint64_t{kMaxDelassusBlocks}) +
                        ", k² for a dynamic body that k contacts and joints act on, where " +
                        (joined ? "there are joints" : "the solver is " + NameOf(settings.solver)),
                    absl::StatusCode::kResourceExhausted);
}

SolveReport SolveMatrixStep(WorkerArena& workers, const ContactProblem& problem,
                            const DynamicsView& bodies, const SolverSettings& settings,
                            const SolveLimits& limits, const JointSolution& joints,
                            Iterate& iterate) {
  StepMatrices matrices(workers, problem, bodies, joints, iterate);
  matrices.TakeImpulses(iterate);
  const ProblemSolver solver = AlgorithmOf(settings, CountContacts(problem.layout));
  Eigen::VectorXd& impulse = matrices.impulse();
  SolveReport report =
      matrix::SolveScaled(matrices.scaled(), solver, settings.psor, limits, impulse);
  // An admissible answer, whatever came of the solve.
  impulse = ProjectBlocks(matrices.scaled(), std::move(impulse));
  matrices.GiveImpulses(iterate);
  return report;
}

}  // namespace talus
