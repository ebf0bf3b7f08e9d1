#include "solver/matrix_solvers/levenberg_marquardt.h"

#include <gtest/gtest.h>

#include <string>

#include "solver/matrix/certificate.h"
#include "solver/matrix_solvers/alart_curnier.h"
#include "solver/matrix_solvers/problem_solver.h"
#include "solver/solvers/solve_limits.h"
#include "tests/scenes/rolling_problems.h"

namespace talus::matrix {
namespace {

struct Start {
  MatrixProblem problem;
  ScaledProblem scaled;
  Eigen::VectorXd impulse;
};

// By sweeps to a residual of `reach`.
Start Begin(const std::string& name, double reach) {
  Start start{scenes::MakeRollingProblem(name), {}, {}};
  start.scaled = ScaleProblem(start.problem);
  start.impulse = Eigen::VectorXd::Zero(start.problem.row_count());
  AlartCurnier().Solve(start.scaled, {.tolerance = reach, .max_sweeps = 1000}, start.impulse);
  return start;
}

double WorstAt(const Start& start, const Eigen::VectorXd& impulse) {
  return WorstOf(
      Certify(start.problem, ContactLaw::kNcp, impulse.cwiseProduct(start.scaled.steps)));
}

// What sweeps take a thousand for and more, and where they stand still.
TEST(LevenbergMarquardt, MeetsAllMeasuresInAFewSteps) {
  const Start start = Begin("pile_8_resting", 1e-3);
  LevenbergMarquardt steps(start.scaled, start.impulse);
  for (int i = 0; i < 5; ++i) ASSERT_TRUE(steps.Advance(20)) << i;
  EXPECT_LE(WorstAt(start, steps.impulse()), 3e-9);
}

TEST(LevenbergMarquardt, EachStepIsNearer) {
  const Start start = Begin("pile_20_resting", 1e-4);
  LevenbergMarquardt steps(start.scaled, start.impulse);
  double length = steps.length();
  int made = 0;
  while (steps.Advance(30)) {
    EXPECT_LT(steps.length(), length);
    length = steps.length();
    ++made;
  }
  EXPECT_GT(made, 2);
  EXPECT_LE(steps.factorization_count(), 30);
}

// Rows with bounds take the same steps; a limit on the work ends them.
TEST(LevenbergMarquardt, HoldsBoundsAndLimits) {
  Start start = Begin("pile_12_falling", 1e-3);
  BlockLaw& law = start.scaled.laws.front();
  law.kind = BlockLawKind::kBounds;
  law.lower = Wrench::Constant(-1e-3);
  law.upper = Wrench::Constant(1e-3);
  LevenbergMarquardt steps(start.scaled, start.impulse);
  const double before = steps.length();
  ASSERT_TRUE(steps.Advance(20));
  EXPECT_LT(steps.length(), before);
  LevenbergMarquardt none(start.scaled, start.impulse, {.max_operations = 1.0});
  EXPECT_FALSE(none.Advance(20));
  EXPECT_FALSE(steps.Advance(0));
}

// Contacts that are redundant: what is left of their velocities can be shared out, not taken away.
TEST(ProblemSolver, MeetsTheWholeCertificateOfARestingPile) {
  const MatrixProblem problem = scenes::MakeRollingProblem("pile_8_resting");
  const auto solution = SolveProblem(problem, {.measure = StopMeasure::kCertificate});
  ASSERT_TRUE(solution.ok()) << solution.status();
  EXPECT_EQ(solution->report.outcome, SolveOutcome::kConverged);
  EXPECT_LE(WorstOf(solution->certificate), 1e-8);
  EXPECT_LE(solution->report.sweep_count, 400);
  EXPECT_EQ(solution->velocity, ComputeVelocity(problem, solution->impulse));
  // A solver that was chosen is not helped: sweeps stand still above 10⁻⁸ of Siconos' error.
  const auto chosen =
      SolveProblem(scenes::MakeRollingProblem("pile_8_resting"),
                   {.solver = ProblemSolver::kAlartCurnier, .measure = StopMeasure::kCertificate});
  ASSERT_TRUE(chosen.ok()) << chosen.status();
  EXPECT_GT(WorstOf(chosen->certificate), 1e-8);
}

}  // namespace
}  // namespace talus::matrix
