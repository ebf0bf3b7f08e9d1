#include "tests/solver_table/matrix_rows.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <string>

#include "solver/base/check.h"
#include "solver/matrix_solvers/problem_solver.h"
#include "tests/scenes/rolling_problems.h"
#include "tests/scenes/step_problem.h"
#include "tests/solver_table/flat_law_rows.h"
#include "tests/solver_table/heap_kinds.h"
#include "tests/solver_table/mechanism.h"

namespace talus::solver_table {
namespace {

// One problem a class, such that each solver can be given its iterations in seconds.
constexpr std::array kProblems = {"plane_16_moving",  "pile_20_falling",   "pile_20_resting",
                                  "pile_20_kicked",   "column_5_mass_1e2", "stack_10",
                                  "stack_3_mass_1e4", "wall_3_kicked",     "box_grid_3_kicked",
                                  "lattice_3_kicked", "pyramid_3",         "ring_8",
                                  "groove_3_wedged"};

// Of heaps: more contacts than the problems above have.
constexpr std::array<int64_t, 2> kStones = {100, 1000};

// Ours come to the first residual of the easiest class in this many sweeps; 4 are the most they
// take.
constexpr int kEnoughSweeps = 20;
constexpr const char* kEasiest = "plane_16_moving";

size_t CountContacts(const MatrixProblem& problem) {
  return static_cast<size_t>(
      std::ranges::count(problem.laws, BlockLawKind::kContact, &BlockLaw::kind));
}

void PrintRound(const MatrixProblem& problem, const std::string& name, ContactLaw law,
                int max_sweeps, Tally& tally) {
  for (const matrix::ProblemSolver solver : matrix::AllProblemSolvers()) {
    if (!matrix::Solves(solver, law)) continue;
    const RowName row{name, CountContacts(problem), law, matrix::NameOf(solver)};
    const auto solve = [&](double tolerance) {
      const double begin = ProcessCpuMs();
      const auto solution = matrix::SolveProblem(
          problem,
          {.law = law, .solver = solver, .tolerance = tolerance, .max_sweeps = max_sweeps});
      const double ms = ProcessCpuMs() - begin;
      TALUS_CHECK(solution.ok());
      const SolveReport& report = solution->report;
      return Attempt{.outcome = report.outcome,
                     .sweeps = report.sweep_count,
                     .residual = report.residual,
                     .ms = ms};
    };
    const int reached = PrintRow(row, solve, tally);
    const bool ours = row.solver == "default" || row.solver == "newton";
    if (ours && name == kEasiest && max_sweeps >= kEnoughSweeps && reached == 0) {
      AddFault(row, "it does not come to the first residual", tally);
    }
  }
}

void PrintProblem(const MatrixProblem& problem, const std::string& name, int max_sweeps,
                  Tally& tally) {
  for (const ContactLaw law : {ContactLaw::kNcp, ContactLaw::kCcp}) {
    PrintRound(problem, name, law, max_sweeps, tally);
  }
  PrintFlatLawRows(problem, name, CountContacts(problem), max_sweeps, tally);
}

}  // namespace

void PrintMatrixRows(int max_sweeps, Tally& tally) {
  PrintHead("Bare problems");
  for (const char* name : kProblems) {
    PrintProblem(scenes::MakeRollingProblem(name), name, max_sweeps, tally);
  }
  for (const Mechanism& mechanism : Mechanisms()) {
    PrintProblem(scenes::TakeColdProblem(mechanism.world), mechanism.name, max_sweeps, tally);
  }
  for (const int64_t stones : kStones) {
    for (const HeapKind& heap : kHeapKinds) {
      PrintProblem(scenes::TakeColdProblem(heap.MakeWorld(stones), heap.kick),
                   "heap_" + std::to_string(stones) + "_" + heap.name, max_sweeps, tally);
    }
  }
  std::printf("\nPairs of solver and law that do not exist:\n\n");
  for (const matrix::ProblemSolver solver : matrix::AllProblemSolvers()) {
    PrintAbsentLaws(matrix::NameOf(solver), [&](ContactLaw law) {
      return !HasFlatSides(law) && matrix::Solves(solver, law);
    });
  }
  for (const char* pivoting : {"block_pivoting", "lemke"}) PrintAbsentLaws(pivoting, HasFlatSides);
}

}  // namespace talus::solver_table
