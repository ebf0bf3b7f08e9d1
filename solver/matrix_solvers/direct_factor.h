// A square matrix, factorised to solve with: dense where it is small or full, else sparse
// (sparse_factor.h).
#pragma once

#include <Eigen/LU>

#include "solver/matrix/matrix_problem.h"
#include "solver/matrix_solvers/sparse_factor.h"

namespace talus::matrix {

class DirectFactor {
 public:
  // As a sparse one says.
  bool Factorize(const SparseMatrix& matrix, const FactorLimits& limits = {});
  // Whether the last matrix was refused for the operations it would have taken.
  bool is_too_large() const { return is_too_large_; }
  // False: there was nothing to solve with.
  bool Solve(const Eigen::VectorXd& right, Eigen::VectorXd& solution) const;

 private:
  bool is_dense_ = true;
  bool is_too_large_ = false;
  Eigen::PartialPivLU<Eigen::MatrixXd> dense_;
  SparseFactor sparse_;
};

}  // namespace talus::matrix
