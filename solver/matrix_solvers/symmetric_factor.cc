#include "solver/matrix_solvers/symmetric_factor.h"

namespace talus::matrix {

bool SymmetricFactor::Factorize(const SparseMatrix& matrix, const FactorLimits& limits) {
  if (limits.IsStopped()) return false;
  if (!is_analyzed_) {
    factor_.analyzePattern(matrix);
    is_analyzed_ = true;
  }
  if (factor_.OperationCount() > limits.max_operations || limits.IsStopped()) return false;
  factor_.factorize(matrix);
  return factor_.info() == Eigen::Success && (factor_.vectorD().array() > 0.0).all();
}

void SymmetricFactor::Solve(const Eigen::VectorXd& right, Eigen::VectorXd& solution) const {
  solution = factor_.solve(right);
}

}  // namespace talus::matrix
