#include "solver/matrix_solvers/proximal_newton.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <utility>

#include "tests/scenes/rolling_problems.h"

namespace talus::matrix {
namespace {

struct Solved {
  SolveReport report;
  int32_t factorization_count = 0;
};

Solved Solve(const MatrixProblem& problem, ContactLaw law, double tolerance, int32_t max_sweeps,
             std::function<bool()> stop = {}) {
  const ScaledProblem scaled = ScaleProblem(problem);
  Eigen::VectorXd impulse = Eigen::VectorXd::Zero(problem.row_count());
  ProximalNewton solver;
  Solved solved;
  solved.report = solver.Solve(
      scaled, {.law = law, .tolerance = tolerance, .max_sweeps = max_sweeps, .stop = stop},
      impulse);
  solved.factorization_count = solver.factorization_count();
  // What is returned is what was certified.
  EXPECT_EQ(
      ComputeResidual(scaled, law, impulse, MultiplyDelassus(scaled, impulse) + scaled.free_rows),
      solved.report.residual);
  return solved;
}

// Redundant contacts, which proximal steps alone come to the end of in thousands of factorisations
// or not at all; and κ so large that velocities summed in doubles leave 5e-12.
TEST(ProximalNewton, ReachesSmallTolerancesOnHeapsAtRestUnderCcp) {
  const Solved heap =
      Solve(scenes::MakeRollingProblem("pile_180_resting"), ContactLaw::kCcp, 1e-12, 1000);
  EXPECT_EQ(heap.report.outcome, SolveOutcome::kConverged) << heap.report.residual;
  EXPECT_LE(heap.factorization_count, 300);
}

TEST(ProximalNewton, SolvesStacksOfUnequalMasses) {
  for (const char* name : {"stack_3_mass_1e4", "stack_10_mass_1e4"}) {
    SCOPED_TRACE(name);
    for (const ContactLaw law : {ContactLaw::kNcp, ContactLaw::kCcp}) {
      const Solved solved = Solve(scenes::MakeRollingProblem(name), law, 1e-8, 1000);
      EXPECT_EQ(solved.report.outcome, SolveOutcome::kConverged) << solved.report.residual;
      EXPECT_LE(solved.factorization_count, 300);
    }
  }
}

// A heap at rest, in which proximal steps alone are slow from 1e-7 on.
TEST(ProximalNewton, FollowsThePathWhereProximalStepsAreSlow) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "more than a minute here, through code that other tests run";
#endif
  const Solved solved =
      Solve(scenes::MakeRollingProblem("pile_120_resting"), ContactLaw::kNcp, 1e-8, 2000);
  EXPECT_EQ(solved.report.outcome, SolveOutcome::kConverged) << solved.report.residual;
}

// What cannot be reached in doubles is said to be a stall, long before the limit.
TEST(ProximalNewton, StallsAtRoundOff) {
  for (const char* name : {"stack_10", "pile_8_kicked", "pile_12_falling"}) {
    SCOPED_TRACE(name);
    const Solved solved = Solve(scenes::MakeRollingProblem(name), ContactLaw::kNcp, 1e-18, 20000);
    EXPECT_EQ(solved.report.outcome, SolveOutcome::kStalled);
    EXPECT_LE(solved.report.sweep_count, 4000);
    EXPECT_LE(solved.report.residual, 1e-11);
  }
}

TEST(ProximalNewton, StallsAtRoundOffOfSprings) {
  // A heap whose last contact has become a spring along each axis, far softer than contacts are.
  MatrixProblem problem = scenes::MakeRollingProblem("pile_12_falling");
  BlockLaw& law = problem.laws.back();
  law.kind = BlockLawKind::kBounds;
  law.lower = Wrench::Constant(-1e9);
  law.upper = Wrench::Constant(1e9);
  problem.compliance.tail<6>().setConstant(1e3);
  const Solved solved = Solve(problem, ContactLaw::kNcp, 1e-18, 20000);
  EXPECT_EQ(solved.report.outcome, SolveOutcome::kStalled);
  EXPECT_LE(solved.report.sweep_count, 4000);
}

// Where smoothed problems may end the solve they do not wait for forty proximal factorisations.
TEST(ProximalNewton, IsQuickWhereLittleIsAskedFor) {
  // Fewer than when all forty come first: 63, 87 and 67.
  const std::pair<const char*, int32_t> most[] = {
      {"pile_40_resting", 40}, {"pile_120_resting", 40}, {"pile_180_resting", 60}};
  for (const auto& [name, fewer_than] : most) {
    SCOPED_TRACE(name);
    const ScaledProblem problem = ScaleProblem(scenes::MakeRollingProblem(name));
    Eigen::VectorXd impulse = Eigen::VectorXd::Zero(problem.free_rows.size());
    ProximalNewton solver(4000, 0);
    const SolveReport report = solver.Solve(
        problem, {.law = ContactLaw::kNcp, .tolerance = 1e-3, .max_sweeps = 1000}, impulse);
    EXPECT_EQ(report.outcome, SolveOutcome::kConverged) << report.residual;
    EXPECT_GT(solver.factorization_count(), 4);
    EXPECT_LT(solver.factorization_count(), fewer_than);
  }
}

// However long a factorisation: it is asked at its beginning, after its analysis and after it.
TEST(ProximalNewton, StopsWithinAFactorisation) {
  const MatrixProblem problem = scenes::MakeRollingProblem("pile_70_resting");
  int asked = 0;
  const Solved whole = Solve(problem, ContactLaw::kNcp, 1e-14, 160, [&] {
    ++asked;
    return false;
  });
  EXPECT_EQ(whole.report.outcome, SolveOutcome::kSweepLimit);
  EXPECT_GT(asked, 2 * whole.factorization_count);
  for (const int last : {asked / 2, asked / 2 + 1, asked / 2 + 2}) {
    int count = 0;
    const Solved solved =
        Solve(problem, ContactLaw::kNcp, 1e-14, 160, [&] { return ++count >= last; });
    EXPECT_EQ(solved.report.outcome, SolveOutcome::kSweepLimit);
    // A Newton step that could not be made ends the proximal step, and that the solve.
    EXPECT_LE(count, last + 2);
  }
}

}  // namespace
}  // namespace talus::matrix
