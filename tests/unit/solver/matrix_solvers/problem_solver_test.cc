#include "solver/matrix_solvers/problem_solver.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <set>
#include <string>
#include <vector>

#include "solver/base/field_error.h"
#include "solver/matrix/velocity_form.h"
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

// A number as a file with seven digits has it.
double InSevenDigits(double value) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.6e", value);
  return std::strtod(text, nullptr);
}

// W of a step in seven digits, beside M and H in full: sweeps go by these where they are quicker.
MatrixProblem HeapOfTwoForms() {
  MatrixProblem problem = talus::testing::LoadProblem("pl_m03r3_159_6000").problem;
  std::vector<BlockMatrix::Entry> entries;
  for (size_t i = 0; i < problem.block_count(); ++i) {
    for (size_t k = 0; k < problem.delassus.Columns(i).size(); ++k) {
      entries.push_back({static_cast<uint32_t>(i), problem.delassus.Columns(i)[k],
                         problem.delassus.Blocks(i)[k].unaryExpr(&InSevenDigits)});
    }
  }
  problem.delassus = BlockMatrix(problem.block_count(), std::move(entries));
  return problem;
}

TEST(ProblemSolver, HasNotConvergedWhereTheCertificateSaysOtherwise) {
  MatrixProblem problem = HeapOfTwoForms();
  const auto solution = SolveProblem(problem, {.tolerance = 1e-8});
  ASSERT_TRUE(solution.ok());
  EXPECT_GT(solution->certificate.residual, 1e-8);
  EXPECT_EQ(solution->report.outcome, SolveOutcome::kStalled);
  ASSERT_TRUE(UnifyForms(problem).ok());
  const auto unified = SolveProblem(problem, {.tolerance = 1e-8});
  ASSERT_TRUE(unified.ok());
  EXPECT_EQ(unified->report.outcome, SolveOutcome::kConverged);
  EXPECT_LE(unified->certificate.residual, 1e-8);
}

TEST(ProblemSolver, TheHistoryHasAResidualForEachSweep) {
  const MatrixProblem problem = talus::testing::LoadProblem("pl_m03r3_56_3000").problem;
  for (const ContactLaw law : {ContactLaw::kNcp, ContactLaw::kCcp}) {
    for (const ProblemSolver solver : AllProblemSolvers()) {
      if (!Solves(solver, law)) continue;
      for (const int32_t sweeps : {1, 2, 7, 400}) {
        SCOPED_TRACE(std::string(NameOf(solver)) + ' ' + std::to_string(sweeps));
        const auto solution = SolveProblem(problem, {.law = law,
                                                     .solver = solver,
                                                     .tolerance = 1e-10,
                                                     .measure = StopMeasure::kCertificate,
                                                     .max_sweeps = sweeps,
                                                     .residual_history = true});
        ASSERT_TRUE(solution.ok());
        EXPECT_GT(solution->report.sweep_count, 0);
        EXPECT_EQ(std::ssize(solution->report.residual_history), solution->report.sweep_count);
      }
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

// None of those whose residuals are told is better than what is returned.
TEST(ProblemSolver, WhatIsReturnedIsTheBestThatWasMet) {
  const MatrixProblem problem = talus::testing::LoadProblem("pl_m03r3_56_3000").problem;
  for (const ContactLaw law : {ContactLaw::kNcp, ContactLaw::kCcp}) {
    int gone_back = 0;
    for (const ProblemSolver solver : AllProblemSolvers()) {
      if (!Solves(solver, law)) continue;
      for (int32_t sweeps = 3; sweeps < 40; ++sweeps) {
        const auto solution = SolveProblem(problem, {.law = law,
                                                     .solver = solver,
                                                     .tolerance = 1e-14,
                                                     .max_sweeps = sweeps,
                                                     .residual_history = true});
        ASSERT_TRUE(solution.ok()) << solution.status();
        const std::vector<double>& history = solution->report.residual_history;
        ASSERT_FALSE(history.empty());
        const double least = *std::ranges::min_element(history);
        // Of the scaled problem, where the certificate is of SI numbers.
        EXPECT_LE(solution->certificate.residual, (1.0 + 1e-9) * least + 1e-13) << NameOf(solver);
        gone_back += history.back() > 1.01 * least + 1e-10 ? 1 : 0;
      }
    }
    EXPECT_GT(gone_back, 0) << "the last has always been the best";
  }
}

TEST(ProblemSolver, NoSolverTakesMoreSweepsThanItMay) {
  for (const char* name : {"mf_sphere_slide_roll", "mf_multi_redundant_4", "pl_m03r3_56_3000"}) {
    const MatrixProblem problem = talus::testing::LoadProblem(name).problem;
    for (const ContactLaw law : {ContactLaw::kNcp, ContactLaw::kCcp}) {
      for (const ProblemSolver solver : AllProblemSolvers()) {
        if (!Solves(solver, law)) continue;
        for (int32_t sweeps = 1; sweeps < 30; ++sweeps) {
          const auto solution = SolveProblem(
              problem, {.law = law, .solver = solver, .tolerance = 1e-14, .max_sweeps = sweeps});
          ASSERT_TRUE(solution.ok()) << solution.status();
          EXPECT_LE(solution->report.sweep_count, sweeps) << NameOf(solver) << " on " << name;
        }
      }
    }
  }
}

// Steps that are tried until one is short enough take many products with W.
TEST(ProblemSolver, StopIsHeededBetweenTrials) {
  const MatrixProblem problem = talus::testing::LoadProblem("pl_m03r3_56_3000").problem;
  for (const ProblemSolver solver : {ProblemSolver::kFixedPoint, ProblemSolver::kExtragradient}) {
    int asked = 0;
    const auto solution =
        SolveProblem(problem, {.solver = solver, .stop = [&asked] { return ++asked == 2; }});
    ASSERT_TRUE(solution.ok());
    EXPECT_EQ(solution->report.outcome, SolveOutcome::kSweepLimit) << NameOf(solver);
    EXPECT_EQ(asked, 2);
    EXPECT_EQ(solution->report.sweep_count, 2);
  }
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

TEST(ProblemSolver, WhoSolvesAnotherLawIsToldWhoSolvesThisOne) {
  const auto solution = SolveProblem(RollingSphere(), {.solver = ProblemSolver::kPsor});
  EXPECT_EQ(solution.status().message(),
            "solver = psor must be one that solves NCP: default, fixed_point, extragradient, nsgs, "
            "alart_curnier, newton");
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
