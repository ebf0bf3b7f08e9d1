// Heaps of the benchmarks, cold, by the solvers for small tolerances and each law: the residual
// that was reached, sweeps and factorisations as one count, of which `newton` may be given a limit
// of its own. Writes Markdown. Exit code 1, with a line on stderr, where rows are not as many as
// expected or one has what none may have. With `newton` only that, and 1 where it does not come to
// the tolerance, too.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "solver/base/check.h"
#include "solver/matrix/certificate.h"
#include "solver/matrix_solvers/problem_solver.h"
#include "tests/scenes/step_problem.h"
#include "tests/solver_table/heap_kinds.h"
#include "tests/solver_table/tolerance_row.h"

namespace {

using talus::ContactLaw;
using talus::matrix::ProblemSolver;

constexpr int kPileRows = 24;  // three heaps by three solvers of NCP and five of CCP
constexpr int kNewtonRows = 6;

struct Tally {
  int rows = 0;
  int faults = 0;
  bool solved = true;  // each came to the tolerance
};

// What no row may do, whatever its solver is worth.
const char* FindFault(const talus::MatrixProblem& problem, ContactLaw law,
                      const talus::matrix::ProblemSolution& solution, double tolerance) {
  const double reached = solution.certificate.residual;
  const Eigen::VectorXd none = Eigen::VectorXd::Zero(problem.row_count());
  // Written so that a NaN is a fault, too.
  if (!(reached <= talus::Certify(problem, law, none).residual)) {
    return "its residual is above that of no impulses";
  }
  const bool converged = solution.report.outcome == talus::SolveOutcome::kConverged;
  return converged && reached > tolerance ? "it has not converged, but says so" : nullptr;
}

void PrintRow(const talus::MatrixProblem& problem, const std::string& name, ContactLaw law,
              ProblemSolver solver, double tolerance, int max_sweeps, Tally& tally) {
  const auto solution = talus::matrix::SolveProblem(
      problem, {.law = law, .solver = solver, .tolerance = tolerance, .max_sweeps = max_sweeps});
  TALUS_CHECK(solution.ok());
  const char* const law_name = law == ContactLaw::kNcp ? "NCP" : "CCP";
  const std::string solver_name(talus::matrix::NameOf(solver));
  std::printf("| %s | %zu | %s | %s | %.0e | %.1e | %d | %s |\n", name.c_str(),
              problem.block_count(), law_name, solver_name.c_str(), tolerance,
              solution->certificate.residual, solution->report.sweep_count,
              talus::solver_table::NameOf(solution->report.outcome));
  std::fflush(stdout);
  ++tally.rows;
  tally.solved &= solution->report.outcome == talus::SolveOutcome::kConverged;
  if (const char* fault = FindFault(problem, law, *solution, tolerance)) {
    std::fprintf(stderr, "FAILED %s, %s, %s: %s\n", name.c_str(), law_name, solver_name.c_str(),
                 fault);
    ++tally.faults;
  }
}

}  // namespace

int main(int argc, char** argv) {
  const bool newton_alone = argc == 5 && std::strcmp(argv[4], "newton") == 0;
  const bool complete = argc == 4 || argc == 5;
  const int64_t stones = complete ? std::atoll(argv[1]) : 0;
  const double tolerance = complete ? std::atof(argv[2]) : 0.0;
  const int max_sweeps = complete ? std::atoi(argv[3]) : 0;
  const int max_newton = argc == 5 && !newton_alone ? std::atoi(argv[4]) : max_sweeps;
  const auto is_count = [](int count) { return count >= 1 && count <= 1000000; };
  if (stones < 1 || stones > 20000 || !(tolerance >= 1e-14 && tolerance <= 1.0) ||
      !is_count(max_sweeps) || !is_count(max_newton)) {
    std::fprintf(stderr, "usage: %s STONES TOLERANCE SWEEPS [FACTORIZATIONS | newton]\n", argv[0]);
    return 2;
  }
  Tally tally;
  std::printf("| heap | contacts | law | solver | asked | reached | sweeps | outcome |\n");
  std::printf("|---|---|---|---|---|---|---|---|\n");
  for (const talus::solver_table::HeapKind& heap : talus::solver_table::kHeapKinds) {
    const talus::MatrixProblem problem =
        talus::scenes::TakeColdProblem(heap.MakeWorld(stones), heap.kick);
    const std::string name = heap.name + (" " + std::to_string(stones));
    for (const ContactLaw law : {ContactLaw::kNcp, ContactLaw::kCcp}) {
      for (const ProblemSolver solver :
           {ProblemSolver::kNewton, ProblemSolver::kAlartCurnier, ProblemSolver::kAcceleratedPsor,
            ProblemSolver::kNsgs, ProblemSolver::kBarzilaiBorwein, ProblemSolver::kAdmm}) {
        if (!talus::matrix::Solves(solver, law)) continue;
        const bool newton = solver == ProblemSolver::kNewton;
        if (newton_alone && !newton) continue;
        PrintRow(problem, name, law, solver, tolerance, newton ? max_newton : max_sweeps, tally);
      }
    }
  }
  const int rows = newton_alone ? kNewtonRows : kPileRows;
  if (tally.rows != rows) std::fprintf(stderr, "FAILED: %d rows, not %d\n", tally.rows, rows);
  const bool solved = tally.solved || !newton_alone;
  return tally.rows == rows && tally.faults == 0 && solved ? 0 : 1;
}
