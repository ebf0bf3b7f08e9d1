#include "solver/matrix_solvers/penalty_system.h"

#include <cstdint>
#include <span>
#include <utility>

namespace talus::matrix {
namespace {

// The lower half, with its whole diagonal.
SparseMatrix LowerHalfOf(const BlockMatrix& delassus, size_t block_count) {
  std::vector<Eigen::Triplet<double>> entries;
  for (uint32_t row = 0; row < block_count; ++row) {
    const std::span<const uint32_t> columns = delassus.Columns(row);
    const std::span<const Matrix6> blocks = delassus.Blocks(row);
    for (size_t k = 0; k < columns.size(); ++k) {
      if (columns[k] > row) continue;
      for (int j = 0; j < 6; ++j) {
        for (int i = columns[k] == row ? j : 0; i < 6; ++i) {
          const double value = blocks[k](i, j);
          const bool on_diagonal = columns[k] == row && i == j;
          if (value == 0.0 && !on_diagonal) continue;
          entries.emplace_back(6 * row + i, 6 * columns[k] + j, value);
        }
      }
    }
  }
  const auto size = 6 * static_cast<Eigen::Index>(block_count);
  SparseMatrix lower(size, size);
  lower.setFromTriplets(entries.begin(), entries.end());
  return lower;
}

}  // namespace

PenaltySystem::PenaltySystem(const ScaledProblem& problem, FactorLimits limits)
    : problem_(problem), limits_(std::move(limits)) {
  if (problem.velocities) {
    matrix_.emplace(*problem.velocities);
  } else {
    delassus_ = LowerHalfOf(problem.delassus.whole(), problem.block_count());
  }
}

bool PenaltySystem::Factorize(double penalty) {
  penalty_ = penalty;
  if (!matrix_) {
    SparseMatrix matrix = penalty * delassus_;
    for (Eigen::Index i = 0; i < matrix.cols(); ++i) matrix.coeffRef(i, i) += 1.0;
    return factor_.Factorize(matrix, limits_);
  }
  inverses_ = (1.0 + penalty * problem_.compliance.array()).inverse();
  std::vector<Matrix6> shares(problem_.block_count());
  for (size_t i = 0; i < shares.size(); ++i) {
    shares[i] = inverses_.segment<6>(6 * static_cast<Eigen::Index>(i)).asDiagonal();
  }
  return factor_.Factorize(matrix_->Assemble(shares, penalty), limits_);
}

bool PenaltySystem::Solve(const Eigen::VectorXd& right, Eigen::VectorXd& solution) const {
  if (!matrix_) {
    factor_.Solve(right, solution);
    return solution.allFinite();
  }
  const ScaledVelocities& form = *problem_.velocities;
  const Eigen::VectorXd own = inverses_.cwiseProduct(right);
  const Eigen::VectorXd pushed = form.directions * own;
  Eigen::VectorXd moved;
  factor_.Solve(pushed, moved);
  solution = own - penalty_ * inverses_.cwiseProduct(form.directions_transposed * moved);
  return solution.allFinite();
}

}  // namespace talus::matrix
