#include "solver/matrix_solvers/direct_factor.h"

namespace talus::matrix {

namespace {
constexpr Eigen::Index kSmall = 120;  // rows
constexpr double kFull = 0.25;        // share of the entries
}  // namespace

bool DirectFactor::Factorize(const SparseMatrix& matrix) {
  const auto size = static_cast<double>(matrix.rows());
  is_dense_ =
      matrix.rows() <= kSmall || static_cast<double>(matrix.nonZeros()) > kFull * size * size;
  if (!is_dense_) return sparse_.Factorize(matrix);
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
