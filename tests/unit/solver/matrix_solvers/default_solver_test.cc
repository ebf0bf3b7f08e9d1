#include "solver/matrix_solvers/default_solver.h"

#include <gtest/gtest.h>

#include "solver/matrix_solvers/alart_curnier.h"
#include "solver/matrix_solvers/problem_solver.h"
#include "tests/scenes/rolling_problems.h"
#include "tests/support/problem_files.h"

namespace talus::matrix {
namespace {

struct SolvedByDefault {
  SolveReport report;
  int32_t newton_count = 0;
};

SolvedByDefault SolveByDefault(const std::string& name, ContactLaw law, double tolerance) {
  const ScaledProblem problem = ScaleProblem(talus::testing::LoadProblem(name).problem);
  Eigen::VectorXd impulse =
      Eigen::VectorXd::Zero(6 * static_cast<Eigen::Index>(problem.block_count()));
  DefaultSolver solver;
  SolvedByDefault solved;
  solved.report = solver.Solve(
      problem, {.law = law, .tolerance = tolerance, .max_sweeps = 20000, .cold_start = true},
      impulse);
  solved.newton_count = solver.newton_count();
  return solved;
}

// Sweeps creep there: they need some 10 000 to 1e-8, and more than 20 000 to 1e-12.
constexpr char kCreeping[] = "mf_multi_redundant_64";

TEST(DefaultSolver, ChangesOverWhereSweepsCreep) {
  const ScaledProblem problem = ScaleProblem(talus::testing::LoadProblem(kCreeping).problem);
  Eigen::VectorXd impulse =
      Eigen::VectorXd::Zero(6 * static_cast<Eigen::Index>(problem.block_count()));
  const SolveReport sweeps =
      AlartCurnier().Solve(problem, {.tolerance = 1e-12, .max_sweeps = 20000}, impulse);
  EXPECT_NE(sweeps.outcome, SolveOutcome::kConverged);
  const SolvedByDefault solved = SolveByDefault(kCreeping, ContactLaw::kNcp, 1e-12);
  EXPECT_EQ(solved.report.outcome, SolveOutcome::kConverged);
  EXPECT_LE(solved.report.residual, 1e-12);
  EXPECT_EQ(solved.newton_count, 1);
  EXPECT_LT(solved.report.sweep_count, 5000);
}

TEST(DefaultSolver, SweepsWhereTheyAreSoonThere) {
  for (const ContactLaw law : {ContactLaw::kNcp, ContactLaw::kCcp}) {
    for (const char* name : {"pl_m03r3_13_1000", "pl_m03r3_56_3000", "mf_multi_full_4"}) {
      SCOPED_TRACE(name);
      const SolvedByDefault solved = SolveByDefault(name, law, 1e-8);
      EXPECT_EQ(solved.report.outcome, SolveOutcome::kConverged);
      EXPECT_EQ(solved.newton_count, 0);
    }
  }
}

// What the change is decided by: measured, a factorisation takes as long as 10 to 75 sweeps.
TEST(DefaultSolver, ForetellsWhatAFactorisationCosts) {
  const auto work = [](const MatrixProblem& problem) {
    return FactorizationSweeps(ScaleProblem(problem));
  };
  for (const char* name : {"pile_20_resting", "pile_180_resting", "wall_5_kicked", "box_grid_5"}) {
    const double sweeps = work(scenes::MakeRollingProblem(name));
    EXPECT_GE(sweeps, 5.0) << name;
    EXPECT_LE(sweeps, 150.0) << name;
  }
  EXPECT_GT(work(talus::testing::LoadProblem("pl_m03r3_159_6000").problem), 5.0);
  EXPECT_EQ(work(MatrixProblem()), 0.0);
}

// The measures of a certificate differ by the units: all of them are met when all are asked for.
TEST(ProblemSolver, MeetsTheWholeCertificateWhenAsked) {
  for (const std::string& name : talus::testing::ProblemNames()) {
    SCOPED_TRACE(name);
    const MatrixProblem problem = talus::testing::LoadProblem(name).problem;
    for (const ContactLaw law : {ContactLaw::kNcp, ContactLaw::kCcp}) {
      const auto solution =
          SolveProblem(problem, {.law = law, .measure = StopMeasure::kCertificate});
      ASSERT_TRUE(solution.ok());
      EXPECT_EQ(solution->report.outcome, SolveOutcome::kConverged);
      EXPECT_LE(WorstOf(solution->certificate), 1e-8);
    }
  }
}

TEST(ProblemSolver, RefusesAnUnknownMeasure) {
  const auto solution = SolveProblem(talus::testing::LoadProblem("mf_sphere_stick").problem,
                                     {.measure = static_cast<StopMeasure>(9)});
  EXPECT_FALSE(solution.ok());
}

}  // namespace
}  // namespace talus::matrix
