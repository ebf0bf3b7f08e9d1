// A symmetric matrix of 6 × 6 blocks, by block rows: the Delassus operator of a contact problem.
//
// Blocks of a row stand in the order of their columns; the diagonal block is always there. Blocks
// may be missing on both sides of the diagonal alike: they are zero.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <span>
#include <vector>

#include "solver/matrix/friction_cone.h"

namespace talus {

class BlockMatrix {
 public:
  struct Entry {
    uint32_t row = 0;
    uint32_t column = 0;
    Matrix6 block = Matrix6::Zero();
  };

  BlockMatrix() = default;
  // Entries in any order; those of one place are added up, in the order given.
  BlockMatrix(size_t block_count, std::vector<Entry> entries);

  size_t block_count() const { return diagonal_.size(); }
  size_t stored_count() const { return columns_.size(); }

  std::span<const uint32_t> Columns(size_t row) const {
    return {&columns_[begin_[row]], begin_[row + 1] - begin_[row]};
  }
  std::span<const Matrix6> Blocks(size_t row) const {
    return {&blocks_[begin_[row]], begin_[row + 1] - begin_[row]};
  }
  const Matrix6& Diagonal(size_t row) const { return blocks_[diagonal_[row]]; }

  // One block row times x.
  Wrench MultiplyRow(size_t row, const Eigen::VectorXd& x) const;
  Eigen::VectorXd Multiply(const Eigen::VectorXd& x) const;
  // Row k and column k become `scale`[k] times what they were.
  void Scale(const Eigen::VectorXd& scale);
  void AddToDiagonal(const Eigen::VectorXd& values);
  Eigen::MatrixXd ToDense() const;
  // The largest difference between an entry and its mirror image, beside the largest entry.
  double Asymmetry() const;

 private:
  std::vector<size_t> begin_ = {0};
  std::vector<uint32_t> columns_;
  std::vector<Matrix6> blocks_;
  std::vector<size_t> diagonal_;  // where a row's diagonal block stands
};

}  // namespace talus
