#include "solver/matrix/block_matrix.h"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

namespace talus {
namespace {

Matrix6 Numbered(double first) {
  Matrix6 block;
  for (int k = 0; k < 36; ++k) block.data()[k] = first + k;
  return block;
}

TEST(BlockMatrix, AddsUpEntriesOfOnePlaceAndHasEveryDiagonal) {
  const BlockMatrix matrix(3,
                           {{2, 0, Numbered(1.0)}, {0, 0, Numbered(5.0)}, {2, 0, Numbered(2.0)}});
  EXPECT_EQ(matrix.block_count(), 3u);
  EXPECT_EQ(matrix.stored_count(), 4u);  // three on the diagonal
  EXPECT_EQ(matrix.Diagonal(0), Numbered(5.0));
  EXPECT_TRUE(matrix.Diagonal(1).isZero());
  ASSERT_EQ(matrix.Columns(2).size(), 2u);
  EXPECT_EQ(matrix.Columns(2)[0], 0u);
  EXPECT_EQ(matrix.Blocks(2)[0], Numbered(1.0) + Numbered(2.0));
}

TEST(BlockMatrix, MultipliesAsTheDenseOneDoes) {
  const BlockMatrix matrix(2,
                           {{0, 1, Numbered(1.0)}, {1, 0, Numbered(9.0)}, {1, 1, Numbered(-4.0)}});
  const Eigen::VectorXd x = Eigen::VectorXd::LinSpaced(12, -1.0, 2.0);
  EXPECT_LE((matrix.Multiply(x) - matrix.ToDense() * x).norm(), 1e-12);
  EXPECT_EQ(matrix.MultiplyRow(1, x), Wrench(matrix.Multiply(x).segment<6>(6)));

  const Eigen::VectorXd scale = Eigen::VectorXd::LinSpaced(12, 0.5, 2.0);
  const Eigen::MatrixXd expected = scale.asDiagonal() *
                                   (matrix.ToDense() + Eigen::MatrixXd(x.asDiagonal())) *
                                   scale.asDiagonal();
  EXPECT_LE((matrix.Scaled(scale, x).ToDense() - expected).norm(), 1e-12);
}

TEST(BlockMatrix, SaysHowFarItIsFromSymmetric) {
  const Matrix6 symmetric = Numbered(0.0) + Numbered(0.0).transpose();
  EXPECT_EQ(BlockMatrix(2, {{0, 1, Numbered(1.0)}, {1, 0, Numbered(1.0).transpose()}}).Asymmetry(),
            0.0);
  EXPECT_EQ(BlockMatrix(1, {{0, 0, symmetric}}).Asymmetry(), 0.0);
  EXPECT_EQ(BlockMatrix(2, {{0, 1, Numbered(1.0)}}).Asymmetry(), 1.0);  // the mirror is missing
  EXPECT_EQ(BlockMatrix(2, {{1, 0, Numbered(1.0)}}).Asymmetry(), 1.0);
  // One entry of 4 that is 1 more than its mirror image, above and below the diagonal and on it.
  Matrix6 block = Matrix6::Constant(4.0);
  Matrix6 other = block;
  other(4, 1) = 3.0;
  EXPECT_EQ(BlockMatrix(2, {{0, 1, block}, {1, 0, other}}).Asymmetry(), 0.25);
  EXPECT_EQ(BlockMatrix(2, {{0, 1, other}, {1, 0, block}}).Asymmetry(), 0.25);
  EXPECT_EQ(BlockMatrix(1, {{0, 0, other}}).Asymmetry(), 0.25);
  EXPECT_EQ(BlockMatrix().Asymmetry(), 0.0);
}

TEST(BlockMatrix, FindsEveryBlockWithoutAMirrorImage) {
  const auto lone = [](uint32_t row, uint32_t column) {
    std::vector<BlockMatrix::Entry> entries = {{row, column, Matrix6::Constant(0.5)}};
    for (const auto& [a, b] : {std::pair<uint32_t, uint32_t>{0, 2}, {1, 3}, {0, 4}, {3, 4}}) {
      entries.push_back({a, b, Numbered(1.0)});
      entries.push_back({b, a, Numbered(1.0).transpose()});
    }
    return BlockMatrix(5, entries);
  };
  for (const auto& [row, column] : {std::pair<uint32_t, uint32_t>{0, 1},
                                    {1, 0},
                                    {2, 1},
                                    {1, 2},
                                    {4, 1},
                                    {1, 4},
                                    {3, 0},
                                    {2, 4}}) {
    EXPECT_EQ(lone(row, column).Asymmetry(), 0.5 / 36.0) << row << ", " << column;
  }
}

// By the diagonal, which bounds the entries of a matrix that is positive semidefinite.
TEST(BlockMatrix, IsSurelySymmetricBesideItsDiagonal) {
  const Matrix6 own = 4.0 * Matrix6::Identity();
  Matrix6 other = Matrix6::Ones();
  other(4, 1) = 1.0 + 4e-9;
  const BlockMatrix matrix(2, {{0, 0, own}, {0, 1, Matrix6::Ones()}, {1, 0, other}});
  EXPECT_TRUE(matrix.IsSurelySymmetric(1.1e-9));
  EXPECT_FALSE(matrix.IsSurelySymmetric(0.9e-9));
  EXPECT_FALSE(BlockMatrix(2, {{0, 1, Numbered(1.0)}}).IsSurelySymmetric(0.5));
  EXPECT_TRUE(BlockMatrix().IsSurelySymmetric(0.0));
}

TEST(BlockMatrix, CopiesStayWhatTheyWere) {
  const BlockMatrix matrix(1, {{0, 0, Numbered(1.0)}});
  BlockMatrix copy = matrix;
  copy = copy.Scaled(Eigen::VectorXd::Constant(6, 2.0), Eigen::VectorXd::Zero(6));
  EXPECT_EQ(matrix.Diagonal(0), Numbered(1.0));
  EXPECT_EQ(copy.Diagonal(0), 4.0 * Numbered(1.0));
}

}  // namespace
}  // namespace talus
