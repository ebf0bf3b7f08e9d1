// A square matrix, factorised to solve with: dense where it is small or full, else sparse
// (sparse_factor.h).
#pragma once

#include <Eigen/LU>

#include "solver/matrix/matrix_problem.h"
#include "solver/matrix_solvers/sparse_factor.h"

namespace talus::matrix {

class DirectFactor {
 public:
  // False: singular, or too large for the memory there is. Replaces what was factorised before.
  bool Factorize(const SparseMatrix& matrix);
  // False: there was nothing to solve with.
  bool Solve(const Eigen::VectorXd& right, Eigen::VectorXd& solution) const;

 private:
  bool is_dense_ = true;
  Eigen::PartialPivLU<Eigen::MatrixXd> dense_;
  SparseFactor sparse_;
};

}  // namespace talus::matrix
