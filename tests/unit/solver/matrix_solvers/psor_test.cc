#include "solver/matrix_solvers/psor.h"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>

#include "solver/matrix_solvers/problem_solver.h"
#include "tests/scenes/rolling_problems.h"

namespace talus::matrix {
namespace {

constexpr int kSweeps = 12;

// [TA] eq. (46) as it is printed, with whole matrices: the residual after each iteration.
std::vector<double> Iterate(const ScaledProblem& problem, const PsorSettings& settings) {
  const Eigen::MatrixXd w = problem.delassus.whole().ToDense();
  Eigen::MatrixXd k = Eigen::MatrixXd::Zero(w.rows(), w.cols());
  for (Eigen::Index at = 6; settings.sequential && at < w.rows(); at += 6) {
    k.block(at, 0, 6, at) = w.block(at, 0, 6, at);
  }
  Eigen::VectorXd gamma = Eigen::VectorXd::Zero(w.rows());
  std::vector<double> residuals;
  for (int sweep = 0; sweep < kSweeps; ++sweep) {
    Eigen::VectorXd next = gamma;
    for (size_t i = 0; i < problem.block_count(); ++i) {
      const auto at = 6 * static_cast<Eigen::Index>(i);
      const Matrix6 own = w.block<6, 6>(at, at);
      const double b = 1.0 / Eigen::SelfAdjointEigenSolver<Matrix6>(own).eigenvalues().maxCoeff();
      const Eigen::VectorXd rows = w * gamma + problem.free_rows + k * (next - gamma);
      const Wrench moved =
          gamma.segment<6>(at) - settings.relaxation * b * Wrench(rows.segment<6>(at));
      next.segment<6>(at) = settings.averaging * ProjectBlock(problem.laws[i], moved) +
                            (1.0 - settings.averaging) * gamma.segment<6>(at);
    }
    gamma = next;
    residuals.push_back(
        ComputeResidual(problem, ContactLaw::kCcp, gamma, w * gamma + problem.free_rows));
  }
  return residuals;
}

TEST(Psor, IsTheIterationOfThePaper) {
  const ScaledProblem problem = ScaleProblem(scenes::MakeRollingProblem("pile_16_falling"));
  const PsorSettings all[] = {{},
                              {.relaxation = 1.4},
                              {.relaxation = 0.7, .averaging = 0.6},
                              {.relaxation = 0.3, .sequential = false},
                              {.relaxation = 0.5, .averaging = 0.5, .sequential = false}};
  for (const PsorSettings& settings : all) {
    SCOPED_TRACE(settings.relaxation);
    const std::vector<double> expected = Iterate(problem, settings);
    Eigen::VectorXd impulse = Eigen::VectorXd::Zero(problem.free_rows.size());
    const SolveReport report = Psor(settings, false)
                                   .Solve(problem,
                                          {.law = ContactLaw::kCcp,
                                           .tolerance = 1e-14,
                                           .max_sweeps = kSweeps,
                                           .residual_history = true},
                                          impulse);
    ASSERT_EQ(report.residual_history.size(), expected.size());
    for (size_t k = 0; k < expected.size(); ++k) {
      EXPECT_NEAR(report.residual_history[k], expected[k], 1e-10 * expected[k]) << k;
    }
  }
}

TEST(Psor, ComesToTheSameAnswerHoweverItIsSet) {
  const MatrixProblem problem = scenes::MakeRollingProblem("pile_16_falling");
  for (const PsorSettings& settings : {PsorSettings{.relaxation = 1.4},
                                       {.relaxation = 0.7, .averaging = 0.6},
                                       {.relaxation = 0.3, .sequential = false}}) {
    const auto solution = SolveProblem(problem, {.law = ContactLaw::kCcp,
                                                 .solver = ProblemSolver::kPsor,
                                                 .tolerance = 1e-4,
                                                 .psor = settings});
    ASSERT_TRUE(solution.ok());
    EXPECT_EQ(solution->report.outcome, SolveOutcome::kConverged) << settings.relaxation;
  }
}

}  // namespace
}  // namespace talus::matrix
