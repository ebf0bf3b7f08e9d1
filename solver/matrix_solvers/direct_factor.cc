#include "solver/matrix_solvers/direct_factor.h"

#include <algorithm>

namespace talus::matrix {

namespace {

constexpr Eigen::Index kSmall = 120;  // rows
constexpr double kFull = 0.25;        // share of the entries
constexpr double kWorthBlocks = 0.5;  // of the operations of a dense elimination
constexpr double kMostBlocks = 2e8;   // operations; the library is quicker at more

double DenseOperations(Eigen::Index rows) {
  const auto size = static_cast<double>(rows);
  return size * size * size / 1.5;
}

}  // namespace

bool DirectFactor::Factorize(const SparseMatrix& matrix, const FactorLimits& limits) {
  const double dense_operations = DenseOperations(matrix.rows());
  is_too_large_ = false;
  way_ = Way::kBlocks;
  const double most =
      std::min({limits.max_operations, kMostBlocks, kWorthBlocks * dense_operations});
  if (limits.IsStopped()) return false;
  const auto size = static_cast<double>(matrix.rows());
  const auto count = static_cast<double>(matrix.nonZeros());
  // A full matrix has nothing that an order of its blocks could leave out.
  const bool is_full = matrix.rows() > 0 && count == size * size;
  if (!is_full && blocks_.Analyze(matrix) <= most) {
    if (limits.IsStopped()) return false;
    if (blocks_.Factorize(matrix)) return true;
  }
  if (matrix.rows() > kSmall && count <= kFull * size * size) {
    way_ = Way::kSparse;
    const bool done = sparse_.Factorize(matrix, limits);
    is_too_large_ = sparse_.operation_count() > limits.max_operations;
    return done;
  }
  way_ = Way::kDense;
  is_too_large_ = dense_operations > limits.max_operations;
  if (is_too_large_ || limits.IsStopped()) return false;
  dense_.compute(Eigen::MatrixXd(matrix));
  return true;
}

bool DirectFactor::Solve(const Eigen::VectorXd& right, Eigen::VectorXd& solution) const {
  switch (way_) {
    case Way::kBlocks:
      blocks_.Solve(right, solution);
      break;
    case Way::kSparse:
      return sparse_.Solve(right, solution);
    case Way::kDense:
      solution = dense_.solve(right);
      break;
  }
  // What was singular leads beyond all numbers.
  return solution.allFinite();
}

}  // namespace talus::matrix
