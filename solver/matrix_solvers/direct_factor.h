// A square matrix, factorised to solve with: in blocks of six rows (block_factor.h) where that is
// quickest and has the digits, else dense where it is small or full, else sparse by a library
// (sparse_factor.h).
#pragma once

#include <Eigen/LU>
#include <cstdint>

#include "solver/matrix/matrix_problem.h"
#include "solver/matrix_solvers/block_factor.h"
#include "solver/matrix_solvers/sparse_factor.h"

namespace talus::matrix {

class DirectFactor {
 public:
  // As a sparse one says.
  bool Factorize(const SparseMatrix& matrix, const FactorLimits& limits = {});
  // Whether the last matrix was refused for the operations it would have taken.
  bool is_too_large() const { return is_too_large_; }
  // Only after a factorisation. False: there was nothing to solve with.
  bool Solve(const Eigen::VectorXd& right, Eigen::VectorXd& solution) const;

 private:
  enum class Way : uint8_t { kBlocks, kDense, kSparse };

  Way way_ = Way::kDense;
  bool is_too_large_ = false;
  BlockFactor blocks_;
  Eigen::PartialPivLU<Eigen::MatrixXd> dense_;
  SparseFactor sparse_;
};

}  // namespace talus::matrix
