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

}  // namespace

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
  diagonal_.resize(block_count);
  begin_.resize(block_count + 1);
  size_t next = 0;
  for (size_t row = 0; row < block_count; ++row) {
    begin_[row] = columns_.size();
    for (; next < order.size() && entries[order[next]].row == row; ++next) {
      const Entry& entry = entries[order[next]];
      if (columns_.size() > begin_[row] && columns_.back() == entry.column) {
        blocks_.back() += entry.block;
        continue;
      }
      if (entry.column == row) diagonal_[row] = columns_.size();
      columns_.push_back(entry.column);
      blocks_.push_back(entry.block);
    }
  }
  begin_[block_count] = columns_.size();
}

Wrench BlockMatrix::MultiplyRow(size_t row, const Eigen::VectorXd& x) const {
  Wrench sum = Wrench::Zero();
  for (size_t i = begin_[row]; i < begin_[row + 1]; ++i) {
    sum.noalias() += blocks_[i] * x.segment<6>(6 * columns_[i]);
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

void BlockMatrix::Scale(const Eigen::VectorXd& scale) {
  for (size_t row = 0; row < block_count(); ++row) {
    const Wrench left = scale.segment<6>(6 * static_cast<Eigen::Index>(row));
    for (size_t i = begin_[row]; i < begin_[row + 1]; ++i) {
      const auto right = scale.segment<6>(6 * columns_[i]);
      for (int column = 0; column < 6; ++column) {
        blocks_[i].col(column) = left.cwiseProduct(blocks_[i].col(column)) * right[column];
      }
    }
  }
}

void BlockMatrix::AddToDiagonal(const Eigen::VectorXd& values) {
  for (size_t row = 0; row < block_count(); ++row) {
    blocks_[diagonal_[row]].diagonal() += values.segment<6>(6 * static_cast<Eigen::Index>(row));
  }
}

Eigen::MatrixXd BlockMatrix::ToDense() const {
  const auto size = 6 * static_cast<Eigen::Index>(block_count());
  Eigen::MatrixXd dense = Eigen::MatrixXd::Zero(size, size);
  for (size_t row = 0; row < block_count(); ++row) {
    for (size_t i = begin_[row]; i < begin_[row + 1]; ++i) {
      dense.block<6, 6>(6 * static_cast<Eigen::Index>(row), 6 * columns_[i]) = blocks_[i];
    }
  }
  return dense;
}

double BlockMatrix::Asymmetry() const {
  double largest = 0.0;
  double difference = 0.0;
  for (size_t row = 0; row < block_count(); ++row) {
    for (size_t i = begin_[row]; i < begin_[row + 1]; ++i) {
      const uint32_t column = columns_[i];
      largest = std::max(largest, blocks_[i].cwiseAbs().maxCoeff());
      if (column == row) {
        difference = std::max(difference, AsymmetryOf(blocks_[i]));
        continue;
      }
      const std::span<const uint32_t> others = Columns(column);
      const auto found = std::ranges::lower_bound(others, static_cast<uint32_t>(row));
      const bool there = found != others.end() && *found == row;
      if (there && column < row) continue;  // seen from the other side
      const Matrix6 mirror =
          there ? Matrix6(Blocks(column)[static_cast<size_t>(found - others.begin())].transpose())
                : Matrix6(Matrix6::Zero());
      difference = std::max(difference, (blocks_[i] - mirror).cwiseAbs().maxCoeff());
    }
  }
  return largest > 0.0 ? difference / largest : 0.0;
}

}  // namespace talus
