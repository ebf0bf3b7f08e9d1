#include "solver/matrix_solvers/direct_factor.h"

namespace talus::matrix {

namespace {
constexpr Eigen::Index kSmall = 120;  // rows
constexpr double kFull = 0.25;        // share of the entries
}  // namespace

bool DirectFactor::Factorize(const SparseMatrix& matrix, const FactorLimits& limits) {
  const auto size = static_cast<double>(matrix.rows());
  is_dense_ =
      matrix.rows() <= kSmall || static_cast<double>(matrix.nonZeros()) > kFull * size * size;
  if (!is_dense_) {
    const bool done = sparse_.Factorize(matrix, limits);
    is_too_large_ = sparse_.operation_count() > limits.max_operations;
    return done;
  }
  is_too_large_ = size * size * size / 1.5 > limits.max_operations;  // of an elimination
  if (is_too_large_ || limits.IsStopped()) return false;
  dense_.compute(Eigen::MatrixXd(matrix));
  return true;
}

bool DirectFactor::Solve(const Eigen::VectorXd& right, Eigen::VectorXd& solution) const {
  if (!is_dense_) return sparse_.Solve(right, solution);
  solution = dense_.solve(right);
  // What was singular leads beyond all numbers.
  return solution.allFinite();
}

}  // namespace talus::matrix
