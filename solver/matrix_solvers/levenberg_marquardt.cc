#include "solver/matrix_solvers/levenberg_marquardt.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "solver/matrix_solvers/block_map.h"
#include "solver/matrix_solvers/gauss_seidel.h"

namespace talus::matrix {
namespace {

constexpr double kFirstDamping = 1e-3;
constexpr double kLeastDamping = 1e-9;
constexpr double kMostDamping = 1e10;
constexpr double kLeastShift = 1e-13;  // λ: below, the matrix has no digits for it
constexpr double kAccepted = 1e-4;     // share of the foreseen decrease
constexpr double kWell = 0.75;
constexpr double kBadly = 0.25;
constexpr double kLess = 1.0 / 9.0;
constexpr double kMore = 4.0;

}  // namespace

LevenbergMarquardt::LevenbergMarquardt(const ScaledProblem& problem, Eigen::VectorXd impulse,
                                       FactorLimits limits)
    : problem_(problem),
      limits_(std::move(limits)),
      impulse_(std::move(impulse)),
      damping_(kFirstDamping) {
  const Eigen::VectorXd& scaling = problem.steps;  // S
  Eigen::VectorXd free_rows = problem.free_rows;   // SI
  for (Eigen::Index row = 0; row < scaling.size(); ++row) {
    if (scaling[row] > 0.0) free_rows[row] /= scaling[row];
  }
  const double a = std::max(free_rows.norm(), impulse_.cwiseProduct(scaling).norm());
  const double f = problem.free_scale > 0.0 ? problem.free_scale : impulse_.norm();
  weights_.setZero(scaling.size());
  steps_.setOnes(scaling.size());
  for (Eigen::Index row = 0; row < scaling.size(); ++row) {
    if (scaling[row] <= 0.0 || f <= 0.0 || a <= 0.0) continue;
    weights_[row] = std::hypot(1.0 / f, scaling[row] / a);
    steps_[row] = std::hypot(1.0 / f, 1.0 / (scaling[row] * a)) / weights_[row];
  }
  rest_ = RestOf(impulse_, true);
  length_ = rest_.norm();
}

Eigen::VectorXd LevenbergMarquardt::RestOf(const Eigen::VectorXd& impulse, bool keep) {
  const Eigen::VectorXd moved = impulse - steps_.cwiseProduct(VelocityOf(problem_, impulse));
  Eigen::VectorXd rest = impulse;
  for (size_t i = 0; i < problem_.block_count(); ++i) {
    const auto at = 6 * static_cast<Eigen::Index>(i);
    rest.segment<6>(at) -= MapBlock(problem_.laws[i], ContactLaw::kNcp, moved.segment<6>(at));
  }
  if (keep) moved_ = moved;
  return weights_.cwiseProduct(rest);
}

SparseMatrix LevenbergMarquardt::Derivative() const {
  std::vector<Eigen::Triplet<double>> triplets;
  for (size_t i = 0; i < problem_.block_count(); ++i) {
    const auto row = 6 * static_cast<Eigen::Index>(i);
    const Matrix6 own = MapDerivative(problem_.laws[i], ContactLaw::kNcp, moved_.segment<6>(row));
    const Matrix6 pushed = own * steps_.segment<6>(row).asDiagonal();
    const std::span<const uint32_t> columns = problem_.delassus.whole().Columns(i);
    const std::span<const Matrix6> blocks = problem_.delassus.whole().Blocks(i);
    for (size_t k = 0; k < columns.size(); ++k) {
      Matrix6 block = pushed * blocks[k];
      if (columns[k] == i) block += Matrix6::Identity() - own;
      for (int down = 0; down < 6; ++down) {
        for (int across = 0; across < 6; ++across) {
          if (block(down, across) == 0.0) continue;
          triplets.emplace_back(static_cast<int>(row) + down,
                                6 * static_cast<int>(columns[k]) + across,
                                weights_[row + down] * block(down, across));
        }
      }
    }
  }
  SparseMatrix matrix(rest_.size(), rest_.size());
  matrix.setFromTriplets(triplets.begin(), triplets.end());
  return matrix;
}

bool LevenbergMarquardt::Advance(int32_t most_factorizations) {
  const SparseMatrix derivative = Derivative();
  const SparseMatrix transposed = derivative.transpose();
  const SparseMatrix product = transposed * derivative;
  const Eigen::VectorXd right = -(transposed * rest_);
  // A row without weight has no equation but that it stays.
  const Eigen::VectorXd own =
      (weights_.array() > 0.0).select(weights_.cwiseProduct(steps_).cwiseAbs2(), 1.0);
  for (; damping_ <= kMostDamping && factorization_count_ < most_factorizations;
       damping_ *= kMore) {
    const double shift = std::max(damping_ * length_, kLeastShift);
    SparseMatrix matrix = product;
    matrix += SparseMatrix((shift * own).asDiagonal());
    ++factorization_count_;
    Eigen::VectorXd change;
    if (!factor_.Factorize(matrix, limits_) || !factor_.Solve(right, change)) return false;
    const Eigen::VectorXd next = impulse_ + change;
    const Eigen::VectorXd rest = RestOf(next, false);
    const double foreseen = length_ * length_ - (rest_ + derivative * change).squaredNorm();
    const double share = (length_ * length_ - rest.squaredNorm()) / foreseen;
    if (!(foreseen > 0.0) || !(share > kAccepted)) continue;
    impulse_ = next;
    rest_ = RestOf(next, true);
    length_ = rest_.norm();
    if (share > kWell) damping_ = std::max(damping_ * kLess, kLeastDamping);
    if (share < kBadly) damping_ *= kMore;
    return true;
  }
  return false;
}

}  // namespace talus::matrix
