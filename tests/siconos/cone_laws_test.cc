// Every solver of the laws of cones before a third party: what it calls solved is solved by
// Siconos' own measure, which shares no line with ours, and where there is one velocity Siconos'
// NSGS comes to it, too.
#include <gtest/gtest.h>

#include <string>

#include "solver/matrix/friction_cone.h"
#include "solver/matrix_solvers/problem_solver.h"
#include "tests/siconos/judged_answers.h"
#include "tests/siconos/siconos_problem.h"

namespace talus::siconos {
namespace {

using matrix::ProblemSolver;

constexpr size_t kMostConeContacts = 32;
constexpr double kTheirTolerance = 1e-12;  // of Siconos, where velocities are compared
// What any solver comes to the tolerance on, of 42 problems; and of those with one velocity.
constexpr size_t kFewestByCones = 25;
constexpr size_t kFewestConesCompared = 12;

// The exact problem that a solution of the convex one solves, too: De Saxcé's shift, which the
// exact law adds to u_n and the convex one does not, is taken from q_n. Siconos adds its own.
MatrixProblem ExactTwin(MatrixProblem problem, const Eigen::VectorXd& impulse) {
  const Eigen::VectorXd velocity = ComputeVelocity(problem, impulse);
  for (size_t i = 0; i < problem.block_count(); ++i) {
    problem.free_rows[FirstRow(i)] -=
        DeSaxceShift(problem.laws[i].cone, velocity.segment<6>(FirstRow(i)));
  }
  return problem;
}

void Judge(const MatrixProblem& problem, const Eigen::VectorXd& impulse, JudgedAnswers& answers) {
  SiconosProblem siconos(problem);
  answers.Judge(siconos.ComputeError(impulse));
  if (FindUniqueness(problem) == Uniqueness::kNone) return;
  const Solution theirs = siconos.Solve(Method::kNsgsFull, kTheirTolerance, 2000);
  if (siconos.ComputeError(theirs.impulse) > kTolerance) return;
  answers.Compare(FindVelocityDifference(problem, impulse, theirs.impulse));
}

class ConeLaws : public ::testing::TestWithParam<ContactLaw> {};

TEST_P(ConeLaws, WhatASolverCallsSolvedIsSolvedBySiconos) {
  const std::vector<NamedProblem> problems = ProblemsUpTo(kMostConeContacts);
  const bool exact = GetParam() == ContactLaw::kNcp;
  for (const ProblemSolver solver : matrix::AllProblemSolvers()) {
    if (!matrix::Solves(solver, GetParam())) continue;
    JudgedAnswers answers;
    for (const auto& [name, problem] : problems) {
      SCOPED_TRACE(name + " by " + std::string(matrix::NameOf(solver)));
      const auto solution =
          matrix::SolveProblem(problem, {.law = GetParam(),
                                         .solver = solver,
                                         .tolerance = kTolerance,
                                         .measure = matrix::StopMeasure::kCertificate,
                                         .max_sweeps = 4000});
      ASSERT_TRUE(solution.ok()) << solution.status();
      if (solution->report.outcome != SolveOutcome::kConverged) continue;
      const Eigen::VectorXd& impulse = solution->impulse;
      Judge(exact ? problem : ExactTwin(problem, impulse), impulse, answers);
    }
    answers.PrintAs(matrix::NameOf(solver));
    const bool all = solver == ProblemSolver::kDefault || solver == ProblemSolver::kNewton;
    EXPECT_GE(answers.solved(), all ? problems.size() : kFewestByCones) << matrix::NameOf(solver);
    EXPECT_GE(answers.compared(), kFewestConesCompared) << matrix::NameOf(solver);
  }
}

INSTANTIATE_TEST_SUITE_P(, ConeLaws, ::testing::Values(ContactLaw::kNcp, ContactLaw::kCcp),
                         [](const auto& test) {
                           return test.param == ContactLaw::kNcp ? "Ncp" : "Ccp";
                         });

}  // namespace
}  // namespace talus::siconos
