#include "solver/matrix_solvers/proximal_system.h"

namespace talus::matrix {
namespace {

using Triplets = std::vector<Eigen::Triplet<double>>;

void AddBlock(int row, int column, const Matrix6& block, Triplets& triplets) {
  for (int j = 0; j < 6; ++j) {
    for (int i = 0; i < 6; ++i) {
      if (block(i, j) != 0.0) triplets.emplace_back(row + i, column + j, block(i, j));
    }
  }
}

Eigen::VectorXd MultiplyBlocks(std::span<const Matrix6> blocks, const Eigen::VectorXd& x) {
  Eigen::VectorXd result(x.size());
  for (size_t i = 0; i < blocks.size(); ++i) {
    const auto at = 6 * static_cast<Eigen::Index>(i);
    result.segment<6>(at) = blocks[i] * x.segment<6>(at);
  }
  return result;
}

}  // namespace

bool ProximalSystem::Factorize(std::span<const Matrix6> derivatives, double kappa) {
  kappa_ = kappa;
  return problem_.velocities ? FactorizeVelocities(derivatives) : FactorizeImpulses(derivatives);
}

bool ProximalSystem::Solve(const Eigen::VectorXd& right, Eigen::VectorXd& solution) const {
  return problem_.velocities ? SolveVelocities(right, solution) : SolveImpulses(right, solution);
}

bool ProximalSystem::FactorizeVelocities(std::span<const Matrix6> derivatives) {
  inverses_.assign(derivatives.size(), Matrix6::Identity());
  derivatives_.assign(derivatives.begin(), derivatives.end());
  for (size_t i = 0; i < derivatives.size(); ++i) {
    const auto compliance = problem_.compliance.segment<6>(6 * static_cast<Eigen::Index>(i));
    if (compliance.isZero(0.0)) continue;
    const Matrix6 a =
        Matrix6::Identity() + kappa_ * derivatives[i] * compliance.asDiagonal().toDenseMatrix();
    inverses_[i] = a.inverse();
    derivatives_[i] = inverses_[i] * derivatives[i];
  }
  if (!matrix_) matrix_.emplace(*problem_.velocities);
  return factor_.Factorize(matrix_->Assemble(derivatives_, kappa_), limits_);
}

bool ProximalSystem::SolveVelocities(const Eigen::VectorXd& right,
                                     Eigen::VectorXd& solution) const {
  const ScaledVelocities& form = *problem_.velocities;
  const Eigen::VectorXd own = MultiplyBlocks(inverses_, right);
  const Eigen::VectorXd pushed = form.directions * own;
  Eigen::VectorXd moved;
  if (!factor_.Solve(pushed, moved)) return false;
  const Eigen::VectorXd back = form.directions_transposed * moved;
  solution = own - kappa_ * MultiplyBlocks(derivatives_, back);
  return true;
}

bool ProximalSystem::FactorizeImpulses(std::span<const Matrix6> derivatives) {
  derivatives_.assign(derivatives.begin(), derivatives.end());
  std::vector<int> place(derivatives.size(), -1);
  active_.clear();
  for (size_t i = 0; i < derivatives.size(); ++i) {
    if (derivatives[i].isZero(0.0)) continue;
    place[i] = 6 * static_cast<int>(active_.size());
    active_.push_back(static_cast<uint32_t>(i));
  }
  const auto size = 6 * static_cast<Eigen::Index>(active_.size());
  Triplets triplets;
  for (const uint32_t row : active_) {
    AddBlock(place[row], place[row], Matrix6::Identity(), triplets);
    const std::span<const uint32_t> columns = problem_.delassus.whole().Columns(row);
    const std::span<const Matrix6> blocks = problem_.delassus.whole().Blocks(row);
    for (size_t k = 0; k < columns.size(); ++k) {
      if (place[columns[k]] < 0) continue;
      AddBlock(place[row], place[columns[k]], kappa_ * derivatives[row] * blocks[k], triplets);
    }
  }
  SparseMatrix matrix(size, size);
  matrix.setFromTriplets(triplets.begin(), triplets.end());
  return factor_.Factorize(matrix, limits_);
}

bool ProximalSystem::SolveImpulses(const Eigen::VectorXd& right, Eigen::VectorXd& solution) const {
  // What the other blocks do is r itself: their J is zero.
  Eigen::VectorXd others = right;
  for (const uint32_t block : active_) {
    others.segment<6>(6 * static_cast<Eigen::Index>(block)).setZero();
  }
  Eigen::VectorXd reduced(6 * static_cast<Eigen::Index>(active_.size()));
  for (size_t k = 0; k < active_.size(); ++k) {
    const auto at = 6 * static_cast<Eigen::Index>(active_[k]);
    reduced.segment<6>(6 * static_cast<Eigen::Index>(k)) =
        right.segment<6>(at) - kappa_ * derivatives_[active_[k]] *
                                   problem_.delassus.whole().MultiplyRow(active_[k], others);
  }
  Eigen::VectorXd solved;
  if (!factor_.Solve(reduced, solved)) return false;
  solution = right;
  for (size_t k = 0; k < active_.size(); ++k) {
    solution.segment<6>(6 * static_cast<Eigen::Index>(active_[k])) =
        solved.segment<6>(6 * static_cast<Eigen::Index>(k));
  }
  return true;
}

}  // namespace talus::matrix
