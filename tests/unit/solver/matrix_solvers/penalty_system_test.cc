#include "solver/matrix_solvers/penalty_system.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "solver/base/random.h"
#include "tests/support/problem_files.h"
#include "tests/unit/solver/matrix_solvers/heavy_matrix.h"

namespace talus::matrix {
namespace {

constexpr uint64_t kPenaltySystemSeed = 41;

SparseMatrix SymmetricMatrix(Eigen::Index size) {
  const SparseMatrix half = HeavyMatrix(size, kPenaltySystemSeed);
  return half + SparseMatrix(half.transpose());
}

TEST(SymmetricFactor, SolvesAgainWithOneAnalysis) {
  SparseMatrix matrix = SymmetricMatrix(400);
  SymmetricFactor factor;
  for (int i = 0; i < 3; ++i) {
    ASSERT_TRUE(factor.Factorize(matrix));
    Eigen::VectorXd solution;
    factor.Solve(Eigen::VectorXd::Ones(400), solution);
    EXPECT_LE((matrix * solution - Eigen::VectorXd::Ones(400)).norm(), 1e-12) << i;
    matrix *= 3.0;
  }
}

TEST(SymmetricFactor, RefusesWhatIsNotPositiveDefinite) {
  SparseMatrix matrix = SymmetricMatrix(50);
  matrix.coeffRef(17, 17) = -1.0;
  EXPECT_FALSE(SymmetricFactor().Factorize(matrix));
  matrix.coeffRef(17, 17) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(SymmetricFactor().Factorize(matrix));
}

TEST(SymmetricFactor, RefusesWhatTakesTooLongOrIsStopped) {
  const SparseMatrix matrix = SymmetricMatrix(400);
  EXPECT_FALSE(SymmetricFactor().Factorize(matrix, {.max_operations = 1e4}));
  EXPECT_TRUE(SymmetricFactor().Factorize(matrix, {.max_operations = 1e8}));
  EXPECT_FALSE(SymmetricFactor().Factorize(matrix, {.stop = [] { return true; }}));
}

// (I + p W') δ = r, checked with W' itself: by way of velocities, and without any.
class PenaltySystemTest : public ::testing::TestWithParam<std::string> {};

TEST_P(PenaltySystemTest, SolvesItsEquation) {
  MatrixProblem given = talus::testing::LoadProblem(GetParam()).problem;
  Random random(kPenaltySystemSeed);
  for (double& value : given.compliance) value = random.Next() % 2 == 0 ? 0.0 : 1e-2;
  ScaledProblem problem = ScaleProblem(given);
  Eigen::VectorXd right(problem.free_rows.size());
  for (double& value : right) value = random.Uniform(-1.0, 1.0);
  for (const bool by_velocities : {true, false}) {
    if (!by_velocities) problem.velocities.reset();
    PenaltySystem system(problem);
    for (const double penalty : {1.0, 1e-4, 1e4}) {
      ASSERT_TRUE(system.Factorize(penalty)) << penalty;
      Eigen::VectorXd solution;
      ASSERT_TRUE(system.Solve(right, solution)) << penalty;
      const Eigen::VectorXd left = solution + penalty * problem.delassus.whole().Multiply(solution);
      EXPECT_LE((left - right).norm(), 1e-9 * (1.0 + penalty) * right.norm()) << penalty;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Files, PenaltySystemTest,
                         ::testing::ValuesIn(talus::testing::ProblemNames()));

}  // namespace
}  // namespace talus::matrix
