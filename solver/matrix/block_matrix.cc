#include "solver/matrix/block_matrix.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace talus {
namespace {

// The largest difference between an entry and its mirror image.
double AsymmetryOf(const Matrix6& block) {
  double difference = 0.0;
  for (int column = 0; column < 5; ++column) {
    for (int row = column + 1; row < 6; ++row) {
      difference = std::max(difference, std::abs(block(row, column) - block(column, row)));
    }
  }
  return difference;
}

// The largest difference between an entry and that of the other block which should be the same. Two
// at a time: a transposed copy takes longer than the rest.
double MirrorDifference(const Matrix6& block, const Matrix6& mirror) {
  Eigen::Array2d difference = Eigen::Array2d::Zero();
  for (int column = 0; column < 6; ++column) {
    for (int row = 0; row < 6; row += 2) {
      const Eigen::Array2d other(mirror(column, row), mirror(column, row + 1));
      difference = difference.max((block.block<2, 1>(row, column).array() - other).abs());
    }
  }
  return difference.maxCoeff();
}

}  // namespace

Matrix6 ScaleBothSides(const Matrix6& block, const Wrench& rows, const Wrench& columns) {
  Matrix6 scaled;
  for (int column = 0; column < 6; ++column) {
    scaled.col(column) = rows.cwiseProduct(block.col(column)) * columns[column];
  }
  return scaled;
}

BlockMatrix::BlockMatrix(size_t block_count, std::vector<Entry> entries) {
  for (size_t i = 0; i < block_count; ++i) {
    entries.push_back({static_cast<uint32_t>(i), static_cast<uint32_t>(i), Matrix6::Zero()});
  }
  // Places are sorted, not the blocks, which take many times the memory.
  std::vector<uint32_t> order(entries.size());
  std::iota(order.begin(), order.end(), 0);
  const auto place = [&entries](uint32_t k) {
    return std::pair(entries[k].row, entries[k].column);
  };
  std::ranges::stable_sort(order, {}, place);
  Places places{.begin = std::vector<size_t>(block_count + 1),
                .columns = {},
                .diagonal = std::vector<size_t>(block_count)};
  std::vector<Matrix6> blocks;
  size_t next = 0;
  for (size_t row = 0; row < block_count; ++row) {
    places.begin[row] = blocks.size();
    for (; next < order.size() && entries[order[next]].row == row; ++next) {
      const Entry& entry = entries[order[next]];
      if (blocks.size() > places.begin[row] && places.columns.back() == entry.column) {
        blocks.back() += entry.block;
        continue;
      }
      if (entry.column == row) places.diagonal[row] = blocks.size();
      places.columns.push_back(entry.column);
      blocks.push_back(entry.block);
    }
  }
  places.begin[block_count] = blocks.size();
  places_ = std::make_shared<const Places>(std::move(places));
  blocks_ = std::make_shared<const std::vector<Matrix6>>(std::move(blocks));
}

Wrench BlockMatrix::MultiplyRow(size_t row, const Eigen::VectorXd& x) const {
  Wrench sum = Wrench::Zero();
  const std::span<const uint32_t> columns = Columns(row);
  const std::span<const Matrix6> blocks = Blocks(row);
  for (size_t k = 0; k < blocks.size(); ++k) {
    sum.noalias() += blocks[k] * x.segment<6>(6 * columns[k]);
  }
  return sum;
}

Eigen::VectorXd BlockMatrix::Multiply(const Eigen::VectorXd& x) const {
  Eigen::VectorXd result(x.size());
  for (size_t row = 0; row < block_count(); ++row) {
    result.segment<6>(6 * static_cast<Eigen::Index>(row)) = MultiplyRow(row, x);
  }
  return result;
}

BlockMatrix BlockMatrix::Scaled(const Eigen::VectorXd& scale, const Eigen::VectorXd& added) const {
  std::vector<Matrix6> scaled;
  scaled.reserve(stored_count());
  for (size_t row = 0; row < block_count(); ++row) {
    const auto at = 6 * static_cast<Eigen::Index>(row);
    const Wrench left = scale.segment<6>(at);
    const std::span<const uint32_t> columns = Columns(row);
    const std::span<const Matrix6> blocks = Blocks(row);
    for (size_t k = 0; k < blocks.size(); ++k) {
      const Wrench right = scale.segment<6>(6 * columns[k]);
      if (columns[k] != row) {
        scaled.push_back(ScaleBothSides(blocks[k], left, right));
        continue;
      }
      Matrix6 own = blocks[k];
      own.diagonal() += added.segment<6>(at);
      scaled.push_back(ScaleBothSides(own, left, right));
    }
  }
  BlockMatrix result = *this;
  result.blocks_ = std::make_shared<const std::vector<Matrix6>>(std::move(scaled));
  return result;
}

Eigen::MatrixXd BlockMatrix::ToDense() const {
  const auto size = 6 * static_cast<Eigen::Index>(block_count());
  Eigen::MatrixXd dense = Eigen::MatrixXd::Zero(size, size);
  for (size_t row = 0; row < block_count(); ++row) {
    const std::span<const uint32_t> columns = Columns(row);
    for (size_t k = 0; k < columns.size(); ++k) {
      dense.block<6, 6>(6 * static_cast<Eigen::Index>(row), 6 * columns[k]) = Blocks(row)[k];
    }
  }
  return dense;
}

double BlockMatrix::LargestDifference() const {
  double difference = 0.0;
  for (size_t row = 0; row < block_count(); ++row) {
    difference = std::max(difference, AsymmetryOf(Diagonal(row)));
  }
  return stored_count() > block_count() ? std::max(difference, DifferenceBesideDiagonal())
                                        : difference;
}

// Rows in order meet the blocks left of the diagonal of each later row in order too, unless one has
// no mirror image.
double BlockMatrix::DifferenceBesideDiagonal() const {
  const auto& [begin, columns, diagonal] = *places_;
  const std::vector<Matrix6>& blocks = *blocks_;
  double difference = 0.0;
  const auto compare_with_zero = [&](size_t i) {
    difference = std::max(difference, blocks[i].cwiseAbs().maxCoeff());
  };
  std::vector<size_t> next = begin;  // by row, the first block that has not been met
  for (size_t row = 0; row < block_count(); ++row) {
    for (size_t i = next[row]; i < diagonal[row]; ++i) compare_with_zero(i);
    for (size_t i = diagonal[row] + 1; i < begin[row + 1]; ++i) {
      size_t& mirror = next[columns[i]];
      for (; columns[mirror] < row; ++mirror) compare_with_zero(mirror);
      if (columns[mirror] == row) {
        difference = std::max(difference, MirrorDifference(blocks[i], blocks[mirror++]));
      } else {
        compare_with_zero(i);
      }
    }
  }
  return difference;
}

double BlockMatrix::Asymmetry() const {
  double largest = 0.0;
  for (const Matrix6& block : *blocks_) largest = std::max(largest, block.cwiseAbs().maxCoeff());
  return largest > 0.0 ? LargestDifference() / largest : 0.0;
}

bool BlockMatrix::IsSurelySymmetric(double asymmetry) const {
  double largest = 0.0;
  for (size_t row = 0; row < block_count(); ++row) {
    largest = std::max(largest, Diagonal(row).diagonal().maxCoeff());
  }
  return LargestDifference() <= asymmetry * largest;
}

}  // namespace talus
