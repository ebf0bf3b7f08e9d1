// Every solver of bare problems on every law and class of problems: iterations and time to
// residuals of 1e-2, 1e-4, 1e-6 and 1e-8 from a cold start, failures shown. Writes Markdown.
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string>

#include "solver/base/check.h"
#include "solver/matrix_solvers/problem_solver.h"
#include "tests/scenes/rolling_problems.h"

namespace {

using talus::ContactLaw;
using talus::matrix::ProblemSolver;

constexpr std::array kTolerances = {1e-2, 1e-4, 1e-6, 1e-8};
// One problem a class, such that each solver can be given its iterations in seconds.
constexpr std::array kProblems = {"plane_16_moving",  "pile_20_falling",   "pile_20_resting",
                                  "pile_20_kicked",   "column_5_mass_1e2", "stack_10",
                                  "stack_3_mass_1e4", "wall_3_kicked",     "box_grid_3_kicked",
                                  "lattice_3_kicked", "pyramid_3",         "ring_8",
                                  "groove_3_wedged"};

double ProcessCpuSeconds() {
  timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// "sweeps / ms", or the residual it ended at. False: it did not come there.
bool PrintCell(const talus::MatrixProblem& problem, ContactLaw law, ProblemSolver solver,
               double tolerance, int max_sweeps) {
  const double begin = ProcessCpuSeconds();
  const auto solution = talus::matrix::SolveProblem(
      problem, {.law = law, .solver = solver, .tolerance = tolerance, .max_sweeps = max_sweeps});
  const double ms = 1e3 * (ProcessCpuSeconds() - begin);
  TALUS_CHECK(solution.ok());
  const bool solved = solution->report.outcome == talus::SolveOutcome::kConverged;
  if (solved) {
    std::printf(" %d / %.3g |", solution->report.sweep_count, ms);
  } else {
    std::printf(" – (%.1e) |", solution->certificate.residual);
  }
  return solved;
}

void PrintRow(const talus::MatrixProblem& problem, const char* name, ContactLaw law,
              ProblemSolver solver, int max_sweeps) {
  std::printf("| %s | %zu | %s | %s |", name, problem.block_count(),
              law == ContactLaw::kNcp ? "NCP" : "CCP",
              std::string(talus::matrix::NameOf(solver)).c_str());
  bool solved = true;
  for (const double tolerance : kTolerances) {
    // What misses one tolerance misses the smaller ones.
    if (!solved) {
      std::printf(" – |");
    } else {
      solved = PrintCell(problem, law, solver, tolerance, max_sweeps);
    }
  }
  std::printf("\n");
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  const int max_sweeps = argc == 3 && std::strcmp(argv[1], "--sweeps") == 0 ? std::atoi(argv[2])
                         : argc == 1                                        ? 5000
                                                                            : 0;
  if (max_sweeps < 1 || max_sweeps > 1000000) {
    std::fprintf(stderr, "usage: %s [--sweeps N]     N in [1, 1000000]\n", argv[0]);
    return 2;
  }
  std::printf("| problem | contacts | law | solver | 1e-2 | 1e-4 | 1e-6 | 1e-8 |\n");
  std::printf("|---|---|---|---|---|---|---|---|\n");
  for (const char* name : kProblems) {
    for (const talus::scenes::RollingProblem& problem : talus::scenes::RollingProblems()) {
      if (problem.name != name) continue;
      const talus::MatrixProblem matrices = problem.Make();
      for (const ContactLaw law : {ContactLaw::kNcp, ContactLaw::kCcp}) {
        for (const ProblemSolver solver : talus::matrix::AllProblemSolvers()) {
          if (talus::matrix::Solves(solver, law)) {
            PrintRow(matrices, name, law, solver, max_sweeps);
          }
        }
      }
    }
  }
  return 0;
}
