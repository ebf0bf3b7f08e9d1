// Heaps of the benchmarks, cold, by every way to small tolerances and each law: the residual that
// was reached, sweeps and factorisations as one count. Writes Markdown. With `newton` only that,
// and exit code 1 where it does not come to the tolerance.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "solver/base/check.h"
#include "solver/matrix_solvers/problem_solver.h"
#include "tests/scenes/step_problem.h"
#include "tests/solver_table/heap_kinds.h"

namespace {

using talus::ContactLaw;
using talus::matrix::ProblemSolver;

// False: it did not come to the tolerance.
bool PrintRow(const talus::MatrixProblem& problem, const std::string& name, ContactLaw law,
              ProblemSolver solver, double tolerance, int max_sweeps) {
  const auto solution = talus::matrix::SolveProblem(
      problem, {.law = law, .solver = solver, .tolerance = tolerance, .max_sweeps = max_sweeps});
  TALUS_CHECK(solution.ok());
  const char* const outcomes[] = {"none", "converged", "limit", "stalled"};
  std::printf("| %s | %zu | %s | %s | %.0e | %.1e | %d | %s |\n", name.c_str(),
              problem.block_count(), law == ContactLaw::kNcp ? "NCP" : "CCP",
              std::string(talus::matrix::NameOf(solver)).c_str(), tolerance,
              solution->certificate.residual, solution->report.sweep_count,
              outcomes[static_cast<int>(solution->report.outcome)]);
  std::fflush(stdout);
  return solution->report.outcome == talus::SolveOutcome::kConverged;
}

}  // namespace

int main(int argc, char** argv) {
  const bool newton_alone = argc == 5 && std::strcmp(argv[4], "newton") == 0;
  const bool complete = argc == 4 || newton_alone;
  const int64_t stones = complete ? std::atoll(argv[1]) : 0;
  const double tolerance = complete ? std::atof(argv[2]) : 0.0;
  const int max_sweeps = complete ? std::atoi(argv[3]) : 0;
  if (stones < 1 || stones > 20000 || !(tolerance >= 1e-14 && tolerance <= 1.0) || max_sweeps < 1 ||
      max_sweeps > 1000000) {
    std::fprintf(stderr, "usage: %s STONES TOLERANCE SWEEPS [newton]\n", argv[0]);
    return 2;
  }
  bool solved = true;
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
        if (newton_alone && solver != ProblemSolver::kNewton) continue;
        solved &= PrintRow(problem, name, law, solver, tolerance, max_sweeps);
      }
    }
  }
  return newton_alone && !solved ? 1 : 0;
}
