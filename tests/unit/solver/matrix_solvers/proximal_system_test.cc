#include "solver/matrix_solvers/proximal_system.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "solver/base/random.h"
#include "tests/support/problem_files.h"
#include "tests/unit/solver/matrix_solvers/heavy_matrix.h"

namespace talus::matrix {
namespace {

constexpr uint64_t kProximalSystemSeed = 23;

void ExpectSolves(Eigen::Index size, uint64_t seed) {
  const SparseMatrix matrix = HeavyMatrix(size, seed);
  DirectFactor factor;
  ASSERT_TRUE(factor.Factorize(matrix));
  const Eigen::VectorXd right = Eigen::VectorXd::LinSpaced(size, -1.0, 1.0);
  Eigen::VectorXd solution;
  ASSERT_TRUE(factor.Solve(right, solution));
  EXPECT_LE((matrix * solution - right).norm(), 1e-12 * right.norm()) << size;
}

TEST(DirectFactor, SolvesDenseAndSparse) {
  for (const Eigen::Index size : {1, 50, 500, 3000}) ExpectSolves(size, kProximalSystemSeed);
}

TEST(DirectFactor, FactorisesAgain) {
  DirectFactor factor;
  for (const Eigen::Index size : {300, 20, 400}) {
    const SparseMatrix matrix =
        HeavyMatrix(size, kProximalSystemSeed + static_cast<uint64_t>(size));
    ASSERT_TRUE(factor.Factorize(matrix));
    Eigen::VectorXd solution;
    ASSERT_TRUE(factor.Solve(Eigen::VectorXd::Ones(size), solution));
    EXPECT_LE((matrix * solution - Eigen::VectorXd::Ones(size)).norm(), 1e-12);
  }
}

TEST(DirectFactor, SaysThatAMatrixIsSingular) {
  for (const Eigen::Index size : {10, 500}) {
    SparseMatrix matrix = HeavyMatrix(size, kProximalSystemSeed);
    for (SparseMatrix::InnerIterator entry(matrix, 3); entry; ++entry) entry.valueRef() = 0.0;
    DirectFactor factor;
    Eigen::VectorXd solution;
    EXPECT_FALSE(factor.Factorize(matrix) && factor.Solve(Eigen::VectorXd::Ones(size), solution));
  }
}

TEST(DirectFactor, SolvesOnSeveralThreadsAtOnce) {
  std::vector<std::thread> threads;
  for (uint64_t seed = 1; seed <= 4; ++seed) {
    threads.emplace_back([seed] { ExpectSolves(600, seed); });
  }
  for (std::thread& thread : threads) thread.join();
}

// (I + κ J W') δ = r, checked with W' itself.
class ProximalSystemTest : public ::testing::TestWithParam<std::string> {};

TEST_P(ProximalSystemTest, SolvesItsEquation) {
  MatrixProblem given = talus::testing::LoadProblem(GetParam()).problem;
  Random random(kProximalSystemSeed);
  for (double& value : given.compliance) value = random.Next() % 2 == 0 ? 0.0 : 1e-2;
  const ScaledProblem problem = ScaleProblem(given);
  std::vector<Matrix6> derivatives;
  for (const BlockLaw& law : problem.laws) {
    Wrench x;
    for (int k = 0; k < 6; ++k) x[k] = random.Uniform(-1.0, 1.0);
    derivatives.push_back(ClippingDerivative(law.cone, x));
  }
  Eigen::VectorXd right(problem.free_rows.size());
  for (double& value : right) value = random.Uniform(-1.0, 1.0);
  for (const double kappa : {1.0, 1e4}) {
    ProximalSystem system(problem);
    ASSERT_TRUE(system.Factorize(derivatives, kappa));
    Eigen::VectorXd solution;
    ASSERT_TRUE(system.Solve(right, solution));
    const Eigen::VectorXd moved = problem.delassus.whole().Multiply(solution);
    Eigen::VectorXd left = solution;
    for (size_t i = 0; i < derivatives.size(); ++i) {
      const auto at = 6 * static_cast<Eigen::Index>(i);
      left.segment<6>(at) += kappa * derivatives[i] * moved.segment<6>(at);
    }
    EXPECT_LE((left - right).norm(), 1e-9 * kappa * right.norm());
  }
}

INSTANTIATE_TEST_SUITE_P(Files, ProximalSystemTest,
                         ::testing::ValuesIn(talus::testing::ProblemNames()));

}  // namespace
}  // namespace talus::matrix
