#include "solver/matrix_solvers/direct_factor.h"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

namespace talus::matrix {
namespace {

// The five-point star on a square of so many points a side, which is positive definite.
SparseMatrix Star(int side) {
  std::vector<Eigen::Triplet<double>> triplets;
  for (int i = 0; i < side * side; ++i) {
    triplets.emplace_back(i, i, 4.5);
    for (const int other : {i - side, i + side}) {
      if (other >= 0 && other < side * side) triplets.emplace_back(i, other, -1.0);
    }
    if (i % side > 0) triplets.emplace_back(i, i - 1, -1.0);
    if (i % side + 1 < side) triplets.emplace_back(i, i + 1, -1.0);
  }
  SparseMatrix matrix(side * side, side * side);
  matrix.setFromTriplets(triplets.begin(), triplets.end());
  return matrix;
}

// Dense, in blocks, and by the library.
constexpr int kSides[] = {4, 30, 150};

TEST(DirectFactor, SolvesWithinItsLimits) {
  for (const int side : kSides) {
    SCOPED_TRACE(side);
    const SparseMatrix matrix = Star(side);
    const Eigen::VectorXd right = Eigen::VectorXd::LinSpaced(matrix.rows(), -1.0, 2.0);
    DirectFactor factor;
    ASSERT_TRUE(factor.Factorize(matrix));
    EXPECT_FALSE(factor.is_too_large());
    Eigen::VectorXd solution;
    ASSERT_TRUE(factor.Solve(right, solution));
    // Condition below 17: eight neighbours' weight over one half.
    EXPECT_LE((matrix * solution - right).norm(), 1e-14 * right.norm() * 17.0);
  }
}

// One object for a matrix in blocks, a full one, which is not looked at for blocks, and none at
// all.
TEST(DirectFactor, TakesWhateverComesNext) {
  DirectFactor factor;
  const Eigen::MatrixXd full =
      Eigen::MatrixXd::Ones(12, 12) + 2.0 * Eigen::MatrixXd::Identity(12, 12);
  for (const SparseMatrix& matrix :
       {Star(30), SparseMatrix(full.sparseView()), SparseMatrix(0, 0), Star(30)}) {
    SCOPED_TRACE(matrix.rows());
    const Eigen::VectorXd right = Eigen::VectorXd::LinSpaced(matrix.rows(), -1.0, 2.0);
    ASSERT_TRUE(factor.Factorize(matrix));
    Eigen::VectorXd solution;
    ASSERT_TRUE(factor.Solve(right, solution));
    EXPECT_LE((matrix * solution - right).norm(), 1e-14 * right.norm() * 17.0);
  }
}

// Nothing on the diagonal in blocks of six: those cannot be had without exchanging rows between
// them.
TEST(DirectFactor, ExchangesRowsAcrossBlocks) {
  for (const int pairs : {1, 40}) {
    SCOPED_TRACE(pairs);
    std::vector<Eigen::Triplet<double>> triplets;
    for (int row = 0; row < 12 * pairs; ++row) {
      triplets.emplace_back(row, row % 12 < 6 ? row + 6 : row - 6, 1.0 + row % 5);
      if (row >= 12) triplets.emplace_back(row, row - 12, 0.25);
    }
    SparseMatrix matrix(12 * pairs, 12 * pairs);
    matrix.setFromTriplets(triplets.begin(), triplets.end());
    BlockFactor blocks;
    blocks.Analyze(matrix);
    EXPECT_FALSE(blocks.Factorize(matrix));
    const Eigen::VectorXd right = Eigen::VectorXd::LinSpaced(matrix.rows(), -1.0, 2.0);
    DirectFactor factor;
    Eigen::VectorXd solution;
    ASSERT_TRUE(factor.Factorize(matrix) && factor.Solve(right, solution));
    EXPECT_LE((matrix * solution - right).norm(), 1e-13 * right.norm());
  }
}

TEST(DirectFactor, RefusesWhatTakesTooManyOperations) {
  for (const int side : kSides) {
    SCOPED_TRACE(side);
    DirectFactor factor;
    EXPECT_FALSE(factor.Factorize(Star(side), {.max_operations = 100.0}));
    EXPECT_TRUE(factor.is_too_large());
    EXPECT_TRUE(factor.Factorize(Star(side)));
    EXPECT_FALSE(factor.is_too_large());
  }
}

TEST(DirectFactor, IsStoppedBeforeTheNumbers) {
  for (const int side : kSides) {
    SCOPED_TRACE(side);
    DirectFactor factor;
    EXPECT_FALSE(factor.Factorize(Star(side), {.stop = [] { return true; }}));
    EXPECT_FALSE(factor.is_too_large());
  }
  // Once the analysis has been made: the first one, or the library's after it.
  for (const auto& [side, last] : {std::pair(30, 2), std::pair(150, 3)}) {
    int asked = 0;
    DirectFactor factor;
    EXPECT_FALSE(factor.Factorize(Star(side), {.stop = [&, at = last] { return ++asked == at; }}));
    EXPECT_EQ(asked, last);
  }
}

// Entries at the same places, of which the analysis is kept, and then at others.
TEST(DirectFactor, HasTheSameBitsWhateverItFactorisedBefore) {
  const SparseMatrix star = Star(30);
  const SparseMatrix stronger = star * 3.0;
  const SparseMatrix larger = Star(31);
  DirectFactor kept;
  for (const SparseMatrix* const matrix : {&star, &stronger, &larger, &star}) {
    const Eigen::VectorXd right = Eigen::VectorXd::LinSpaced(matrix->rows(), -1.0, 2.0);
    DirectFactor fresh;
    Eigen::VectorXd expected, solution;
    ASSERT_TRUE(fresh.Factorize(*matrix) && fresh.Solve(right, expected));
    ASSERT_TRUE(kept.Factorize(*matrix) && kept.Solve(right, solution));
    EXPECT_EQ(solution, expected);
  }
}

}  // namespace
}  // namespace talus::matrix
