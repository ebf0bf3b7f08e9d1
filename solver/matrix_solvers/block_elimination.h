// The elimination of a sparse matrix in blocks of six rows, before any numbers: in which order the
// blocks go, what each leaves behind, and where that stands.
//
// The order is one of least degree (P. R. Amestoy, T. A. Davis and I. S. Duff, An approximate
// minimum degree ordering algorithm, 1996; Eigen's). Places are taken on both sides of the diagonal
// alike, so that one list says where blocks stand below it and right of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "solver/matrix/matrix_problem.h"

namespace talus::matrix {

class BlockElimination {
 public:
  static constexpr Eigen::Index kRows = 6;  // of a block

  // Nothing to eliminate.
  BlockElimination() = default;
  // Rows 6 i to 6 i + 5 are block i; the last one may have fewer.
  explicit BlockElimination(const SparseMatrix& matrix);

  size_t step_count() const { return steps_.size(); }
  size_t place_count() const { return later_.size(); }
  // The step in which a block goes.
  int32_t StepOf(size_t block) const { return steps_[block]; }

  // The later steps whose blocks this one touches, in order; entry k has place FirstPlace(step) +
  // k.
  std::span<const int32_t> LaterSteps(size_t step) const {
    return {later_.data() + begins_[step], begins_[step + 1] - begins_[step]};
  }
  size_t FirstPlace(size_t step) const { return begins_[step]; }
  // The place of `later` in LaterSteps(step): it must be there.
  size_t PlaceOf(size_t step, int32_t later) const;

  // Floating-point operations of a factorisation, each multiplication and each addition one.
  double operation_count() const { return operation_count_; }

 private:
  // `blocks`: which goes in each step.
  void FindLaterSteps(const SparseMatrix& joined, std::span<const int> blocks);

  std::vector<int32_t> steps_;  // by block
  std::vector<size_t> begins_ = {0};
  std::vector<int32_t> later_;
  double operation_count_ = 0.0;
};

}  // namespace talus::matrix
