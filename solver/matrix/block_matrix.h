// A symmetric matrix of 6 × 6 blocks, by block rows: the Delassus operator of a contact problem.
//
// Blocks of a row stand in the order of their columns; the diagonal block is always there. Blocks
// may be missing on both sides of the diagonal alike: they are zero. Copies share their blocks,
// which nothing changes.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "solver/matrix/friction_cone.h"

namespace talus {

// A block whose row k and column k become `rows`[k] and `columns`[k] times what they were.
Matrix6 ScaleBothSides(const Matrix6& block, const Wrench& rows, const Wrench& columns);

class BlockMatrix {
 public:
  struct Entry {
    uint32_t row = 0;
    uint32_t column = 0;
    Matrix6 block = Matrix6::Zero();
  };

  BlockMatrix() : BlockMatrix(0, {}) {}
  // Entries in any order; those of one place are added up, in the order given.
  BlockMatrix(size_t block_count, std::vector<Entry> entries);

  size_t block_count() const { return places_->diagonal.size(); }
  size_t stored_count() const { return places_->columns.size(); }

  std::span<const uint32_t> Columns(size_t row) const {
    const size_t begin = places_->begin[row];
    return {&places_->columns[begin], places_->begin[row + 1] - begin};
  }
  std::span<const Matrix6> Blocks(size_t row) const {
    const size_t begin = places_->begin[row];
    return {&(*blocks_)[begin], places_->begin[row + 1] - begin};
  }
  const Matrix6& Diagonal(size_t row) const { return (*blocks_)[places_->diagonal[row]]; }

  // One block row times x.
  Wrench MultiplyRow(size_t row, const Eigen::VectorXd& x) const;
  Eigen::VectorXd Multiply(const Eigen::VectorXd& x) const;
  // S (A + D) S, of diagonal matrices: S `scale`, D `added`.
  BlockMatrix Scaled(const Eigen::VectorXd& scale, const Eigen::VectorXd& added) const;
  Eigen::MatrixXd ToDense() const;
  // The largest difference between an entry and its mirror image, beside the largest entry.
  double Asymmetry() const;
  // Whether it is at most `asymmetry`, by the largest entry of the diagonal: false says nothing.
  bool IsSurelySymmetric(double asymmetry) const;

 private:
  struct Places {
    std::vector<size_t> begin;  // in columns, by row
    std::vector<uint32_t> columns;
    std::vector<size_t> diagonal;  // where a row's diagonal block stands
  };

  // Between an entry and its mirror image.
  double LargestDifference() const;
  double DifferenceBesideDiagonal() const;

  std::shared_ptr<const Places> places_;
  std::shared_ptr<const std::vector<Matrix6>> blocks_;
};

}  // namespace talus
