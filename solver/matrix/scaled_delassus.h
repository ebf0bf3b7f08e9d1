// W' = S (W + E) S of a scaled problem (scaled_problem.h). Its diagonal blocks are there from the
// beginning; the others take as many bytes as W and are made when they are first asked for, which a
// problem that is solved by way of its bodies may never do.
//
// For one thread at a time, even where it is const.
#pragma once

#include <Eigen/Core>
#include <optional>
#include <vector>

#include "solver/matrix/block_matrix.h"

namespace talus {

class ScaledDelassus {
 public:
  ScaledDelassus() = default;
  // `compliance`: the diagonal of E; `steps`: that of S.
  ScaledDelassus(const BlockMatrix& w, const Eigen::VectorXd& compliance,
                 const Eigen::VectorXd& steps);

  size_t stored_count() const { return stored_count_; }  // blocks
  const Matrix6& Diagonal(size_t row) const { return diagonal_[row]; }
  const BlockMatrix& whole() const {
    if (!whole_) MakeWhole();
    return *whole_;
  }

 private:
  void MakeWhole() const;

  size_t stored_count_ = 0;
  std::vector<Matrix6> diagonal_;
  mutable std::optional<BlockMatrix> whole_;
  // What it is made from; gone when it is made.
  mutable BlockMatrix w_;
  Eigen::VectorXd compliance_;
  Eigen::VectorXd steps_;
};

}  // namespace talus
