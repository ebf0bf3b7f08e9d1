#include "solver/matrix_solvers/block_factor.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "tests/unit/solver/matrix_solvers/heavy_matrix.h"

namespace talus::matrix {
namespace {

constexpr uint64_t kBlockFactorSeed = 43;

// Blocks of six rows, (row block, column block, factor of a unit matrix).
SparseMatrix OfUnits(int blocks, const std::vector<Eigen::Triplet<double>>& units) {
  std::vector<Eigen::Triplet<double>> triplets;
  for (const Eigen::Triplet<double>& unit : units) {
    for (int k = 0; k < 6; ++k) {
      triplets.emplace_back(6 * unit.row() + k, 6 * unit.col() + k, unit.value());
    }
  }
  SparseMatrix matrix(6 * blocks, 6 * blocks);
  matrix.setFromTriplets(triplets.begin(), triplets.end());
  return matrix;
}

bool IsFactorised(BlockFactor& factor, const SparseMatrix& matrix) {
  factor.Analyze(matrix);
  return factor.Factorize(matrix);
}

void ExpectFactorSolves(BlockFactor& factor, const SparseMatrix& matrix) {
  ASSERT_TRUE(IsFactorised(factor, matrix));
  const Eigen::VectorXd right = Eigen::VectorXd::LinSpaced(matrix.rows(), -1.0, 2.0);
  Eigen::VectorXd solution;
  factor.Solve(right, solution);
  ASSERT_EQ(solution.size(), matrix.rows());
  EXPECT_LE((matrix * solution - right).norm(), 1e-15 * matrix.norm() * solution.norm());
}

TEST(BlockFactor, SolvesMatricesOfAnySize) {
  for (const Eigen::Index size : {1, 5, 6, 7, 18, 100, 601}) {
    SCOPED_TRACE(size);
    for (uint64_t seed = kBlockFactorSeed; seed < kBlockFactorSeed + 5; ++seed) {
      BlockFactor factor;
      ExpectFactorSolves(factor, HeavyMatrix(size, seed));
    }
  }
  BlockFactor factor;
  ASSERT_TRUE(IsFactorised(factor, SparseMatrix(0, 0)));
  Eigen::VectorXd solution = Eigen::VectorXd::Ones(3);
  factor.Solve(Eigen::VectorXd(), solution);
  EXPECT_EQ(solution.size(), 0);
}

TEST(BlockFactor, FactorisesOneAfterTheOther) {
  BlockFactor factor;
  const SparseMatrix first = HeavyMatrix(90, kBlockFactorSeed);
  for (const SparseMatrix& matrix :
       {first, SparseMatrix(first * -2.0), HeavyMatrix(90, kBlockFactorSeed + 1),
        HeavyMatrix(31, kBlockFactorSeed), first}) {
    ExpectFactorSolves(factor, matrix);
  }
}

TEST(BlockFactor, ExchangesRowsWithinABlock) {
  // The rows of blocks in turn: nothing on the diagonal.
  std::vector<Eigen::Triplet<double>> triplets;
  for (int row = 0; row < 30; ++row) {
    triplets.emplace_back(row, 6 * (row / 6) + (row + 2) % 6, 2.0 + row);
    triplets.emplace_back(row, (row + 9) % 30, 1e-3 * row);
  }
  SparseMatrix matrix(30, 30);
  matrix.setFromTriplets(triplets.begin(), triplets.end());
  BlockFactor factor;
  ExpectFactorSolves(factor, matrix);
}

TEST(BlockFactor, RefusesWhatWouldLoseItsDigits) {
  BlockFactor factor;
  // Singular; blocks whose rows would have to change places; a pivot that is small beside them.
  EXPECT_FALSE(IsFactorised(factor, OfUnits(2, {{0, 0, 1.0}, {1, 1, 0.0}})));
  EXPECT_FALSE(
      IsFactorised(factor, OfUnits(2, {{0, 0, 0.0}, {1, 1, 0.0}, {0, 1, 1.0}, {1, 0, 1.0}})));
  EXPECT_FALSE(
      IsFactorised(factor, OfUnits(2, {{0, 0, 1e-9}, {1, 1, 1e-9}, {0, 1, 1.0}, {1, 0, 1.0}})));
  // One that is small because its row and column are.
  ExpectFactorSolves(factor, OfUnits(2, {{0, 0, 1e-9}, {1, 1, 1.0}, {0, 1, 1e-5}, {1, 0, 1e-5}}));
}

TEST(BlockFactor, SaysHowManyOperations) {
  BlockFactor factor;
  const SparseMatrix matrix = HeavyMatrix(90, kBlockFactorSeed);
  const double count = BlockElimination(matrix).operation_count();
  EXPECT_EQ(factor.Analyze(matrix), count);
  EXPECT_EQ(factor.Analyze(matrix * 2.0), count);
  EXPECT_LT(factor.Analyze(HeavyMatrix(30, kBlockFactorSeed)), count);
  ExpectFactorSolves(factor, matrix);
}

TEST(BlockFactor, HasTheSameBitsOnSeveralThreadsAtOnce) {
  const SparseMatrix matrix = HeavyMatrix(600, kBlockFactorSeed);
  const Eigen::VectorXd right = Eigen::VectorXd::LinSpaced(600, -1.0, 2.0);
  std::vector<Eigen::VectorXd> solutions(4);
  std::vector<std::thread> threads;
  for (Eigen::VectorXd& solution : solutions) {
    threads.emplace_back([&] {
      BlockFactor factor;
      if (IsFactorised(factor, matrix)) factor.Solve(right, solution);
    });
  }
  for (std::thread& thread : threads) thread.join();
  ASSERT_EQ(solutions[0].size(), 600);
  for (const Eigen::VectorXd& solution : solutions) EXPECT_EQ(solution, solutions[0]);
}

}  // namespace
}  // namespace talus::matrix
