#include "solver/matrix_solvers/problem_solver.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <string>

#include "solver/base/field_error.h"
#include "tests/support/problem_files.h"

namespace talus::matrix {
namespace {

MatrixProblem RollingSphere() {
  return talus::testing::LoadProblem("mf_sphere_slide_roll").problem;
}

TEST(ProblemSolver, NamesAreDistinct) {
  std::set<std::string_view> names;
  for (const ProblemSolver solver : AllProblemSolvers()) names.insert(NameOf(solver));
  EXPECT_EQ(names.size(), AllProblemSolvers().size());
  EXPECT_FALSE(names.contains(""));
}

TEST(ProblemSolver, EachSolvesItsLaws) {
  const MatrixProblem problem = RollingSphere();
  for (const ContactLaw law : {ContactLaw::kNcp, ContactLaw::kCcp}) {
    for (const ProblemSolver solver : AllProblemSolvers()) {
      SCOPED_TRACE(NameOf(solver));
      const auto solution =
          SolveProblem(problem, {.law = law, .solver = solver, .tolerance = 1e-6});
      ASSERT_EQ(solution.ok(), Solves(solver, law)) << solution.status();
      if (!solution.ok()) continue;
      EXPECT_EQ(solution->report.outcome, SolveOutcome::kConverged);
      EXPECT_LE(solution->certificate.residual, 1e-6);
      const Eigen::VectorXd velocity =
          problem.delassus.Multiply(solution->impulse) + problem.free_rows;
      EXPECT_EQ(solution->velocity, velocity);
    }
  }
}

TEST(ProblemSolver, NoBlocksAreSolved) {
  MatrixProblem problem;
  for (const ContactLaw law : {ContactLaw::kNcp, ContactLaw::kCcp}) {
    for (const ProblemSolver solver : AllProblemSolvers()) {
      if (!Solves(solver, law)) continue;
      SCOPED_TRACE(NameOf(solver));
      const auto solution = SolveProblem(problem, {.law = law, .solver = solver});
      ASSERT_TRUE(solution.ok()) << solution.status();
      EXPECT_EQ(solution->report.outcome, SolveOutcome::kConverged);
      EXPECT_EQ(solution->impulse.size(), 0);
      EXPECT_EQ(solution->certificate.residual, 0.0);
    }
  }
}

TEST(ProblemSolver, SweepLimitReturnsTheBest) {
  const auto solution = SolveProblem(talus::testing::LoadProblem("mf_multi_full_4").problem,
                                     {.tolerance = 1e-14, .max_sweeps = 2});
  ASSERT_TRUE(solution.ok());
  EXPECT_EQ(solution->report.outcome, SolveOutcome::kSweepLimit);
  EXPECT_LE(solution->report.sweep_count, 2);
  EXPECT_LT(solution->certificate.residual, 1.0);
}

TEST(ProblemSolver, StopEndsASolve) {
  int asked = 0;
  const auto third_time = [&asked] { return ++asked == 3; };
  const auto solution =
      SolveProblem(talus::testing::LoadProblem("pl_m03r3_159_6000").problem,
                   {.tolerance = 1e-14, .max_sweeps = 1000000, .stop = third_time});
  ASSERT_TRUE(solution.ok());
  EXPECT_EQ(solution->report.outcome, SolveOutcome::kSweepLimit);
  EXPECT_EQ(asked, 3);
  EXPECT_LT(solution->report.sweep_count, 1000);
}

std::string RefusedField(const MatrixProblem& problem, const ProblemSettings& settings) {
  const auto solution = SolveProblem(problem, settings);
  if (solution.ok()) return "accepted";
  const auto parts = GetFieldError(solution.status());
  return parts ? parts->field : "unnamed";
}

TEST(ProblemSolver, RefusesSettingsOutOfRange) {
  const MatrixProblem problem = RollingSphere();
  EXPECT_EQ(RefusedField(problem, {.tolerance = 0.0}), "tolerance");
  EXPECT_EQ(RefusedField(problem, {.tolerance = 2.0}), "tolerance");
  EXPECT_EQ(RefusedField(problem, {.tolerance = std::nan("")}), "tolerance");
  EXPECT_EQ(RefusedField(problem, {.max_sweeps = 0}), "max_sweeps");
  EXPECT_EQ(RefusedField(problem, {.psor = {.relaxation = 2.0}}), "psor.relaxation");
  EXPECT_EQ(RefusedField(problem, {.psor = {.relaxation = 0.0}}), "psor.relaxation");
  EXPECT_EQ(RefusedField(problem, {.psor = {.averaging = 0.0}}), "psor.averaging");
  EXPECT_EQ(RefusedField(problem, {.psor = {.averaging = 1.1}}), "psor.averaging");
  EXPECT_EQ(RefusedField(problem, {.law = ContactLaw::kCcp,
                                   .solver = ProblemSolver::kAcceleratedPsor,
                                   .psor = {.sequential = false}}),
            "psor.sequential");
  EXPECT_EQ(RefusedField(problem, {.max_sweeps = 1000001}), "max_sweeps");
  EXPECT_EQ(RefusedField(problem, {.solver = ProblemSolver::kAdmm}), "solver");
  EXPECT_EQ(RefusedField(problem, {.solver = static_cast<ProblemSolver>(99)}), "solver");
  EXPECT_EQ(RefusedField(problem, {.law = static_cast<ContactLaw>(99)}), "law");
}

}  // namespace
}  // namespace talus::matrix
