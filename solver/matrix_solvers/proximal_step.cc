#include "solver/matrix_solvers/proximal_step.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "solver/matrix_solvers/block_map.h"
#include "solver/matrix_solvers/gauss_seidel.h"

namespace talus::matrix {
namespace {

constexpr double kInexact = 0.2;
constexpr double kShortest = 1e-1;  // share of a step
constexpr double kArmijo = 1e-4;
constexpr double kDrowned = 3.0;  // times round-off
constexpr double kRowSum = 4.0;   // of |W'|, the diagonal of which is about one

// No more than this is round-off: W' has no entry above one, as its diagonal is about that.
double MostNoise(const ScaledProblem& problem, const Eigen::VectorXd& center, double kappa) {
  const double entries = 36.0 * static_cast<double>(problem.delassus.stored_count());
  const double length = center.norm();
  return kRoundOff * (length + kappa * (std::sqrt(entries) * length + problem.free_rows.norm()));
}

// W' γ + q' summed with more digits than the answer keeps.
Eigen::VectorXd FineVelocityOf(const ScaledProblem& problem, const Eigen::VectorXd& impulse) {
  Eigen::VectorXd velocity(impulse.size());
  for (size_t i = 0; i < problem.block_count(); ++i) {
    const std::span<const uint32_t> columns = problem.delassus.whole().Columns(i);
    const std::span<const Matrix6> blocks = problem.delassus.whole().Blocks(i);
    for (Eigen::Index row = 0; row < 6; ++row) {
      const Eigen::Index at = 6 * static_cast<Eigen::Index>(i) + row;
      long double sum = problem.free_rows[at];
      for (size_t k = 0; k < columns.size(); ++k) {
        const auto from = 6 * static_cast<Eigen::Index>(columns[k]);
        for (Eigen::Index column = 0; column < 6; ++column) {
          sum += static_cast<long double>(blocks[k](row, column)) * impulse[from + column];
        }
      }
      velocity[at] = static_cast<double>(sum);
    }
  }
  return velocity;
}

}  // namespace

Eigen::VectorXd MagnitudesOf(const ScaledProblem& problem, const Eigen::VectorXd& impulse) {
  const Eigen::VectorXd magnitude = impulse.cwiseAbs();
  Eigen::VectorXd sums = problem.free_rows.cwiseAbs();
  for (size_t i = 0; i < problem.block_count(); ++i) {
    auto sum = sums.segment<6>(6 * static_cast<Eigen::Index>(i));
    const std::span<const uint32_t> columns = problem.delassus.whole().Columns(i);
    const std::span<const Matrix6> blocks = problem.delassus.whole().Blocks(i);
    for (size_t k = 0; k < columns.size(); ++k) {
      sum += blocks[k].cwiseAbs() * magnitude.segment<6>(6 * static_cast<Eigen::Index>(columns[k]));
    }
  }
  return sums;
}

ProximalStep::ProximalStep(const ScaledProblem& problem, ContactLaw law, double kappa,
                           const Eigen::VectorXd& center, double floor)
    : problem_(problem),
      law_(law),
      kappa_(kappa),
      floor_(floor),
      center_(center),
      most_noise_(MostNoise(problem, center, kappa)) {
  if (most_noise_ > floor) magnitudes_ = MagnitudesOf(problem, center);
  if (kRoundOff * kappa * magnitudes_.norm() > floor) {
    velocity_ = FineVelocityOf(problem, center);
    magnitudes_ = velocity_.cwiseAbs();
  } else {
    velocity_ = VelocityOf(problem, center);
  }
  MoveTo(Eigen::VectorXd::Zero(center.size()), velocity_);
}

// `velocity`: W' γ + q'.
void ProximalStep::MoveTo(const Eigen::VectorXd& change, const Eigen::VectorXd& velocity) {
  change_ = change;
  velocity_ = velocity;
  moved_ = center_ - kappa_ * velocity;
  target_.resize(moved_.size());
  double envelope = 0.0;
  for (size_t i = 0; i < problem_.block_count(); ++i) {
    const auto at = 6 * static_cast<Eigen::Index>(i);
    const Wrench x = moved_.segment<6>(at);
    const Wrench y = MapBlock(problem_.laws[i], law_, x);
    target_.segment<6>(at) = y;
    envelope += x.squaredNorm() - (x - y).squaredNorm();
  }
  const Eigen::VectorXd rest = change - (target_ - center_);
  length_ = std::sqrt(std::max(0.0, rest.dot(MultiplyDelassus(problem_, rest))));
  merit_ = length_;
  if (law_ == ContactLaw::kCcp) {
    merit_ = 0.5 * (center_ + change).dot(velocity - problem_.free_rows) + 0.5 * envelope / kappa_;
  }
}

// What round-off leaves of a length: x is the difference of numbers κ times as large as those that
// velocities are sums of. Where P(x) is zero it does not show.
double ProximalStep::FindNoise() {
  if (magnitudes_.size() == 0) magnitudes_ = MagnitudesOf(problem_, center_);
  double squares = 0.0;
  for (Eigen::Index at = 0; at < target_.size(); at += 6) {
    if (target_.segment<6>(at).isZero(0.0)) continue;
    const Wrench sums = magnitudes_.segment<6>(at) + kRowSum * change_.segment<6>(at).cwiseAbs();
    squares += (center_.segment<6>(at).cwiseAbs() + kappa_ * sums).squaredNorm();
  }
  return kRoundOff * std::sqrt(squares);
}

bool ProximalStep::IsRoundOff() {
  const double moved = kRoundOff * kappa_ * kRowSum * change_.norm();
  if (length_ > most_noise_ + moved) return false;
  return length_ <= FindNoise();
}

bool ProximalStep::IsSolved() const {
  return length_ <= std::max(floor_, kInexact * (center_ - target_).norm() / kappa_);
}

bool ProximalStep::Drowns(double distance) {
  return IsRoundOff() && distance <= kDrowned * FindNoise();
}

bool ProximalStep::Improve(ProximalSystem& system, int32_t& factorization_count) {
  std::vector<Matrix6> derivatives;
  derivatives.reserve(problem_.block_count());
  for (size_t i = 0; i < problem_.block_count(); ++i) {
    derivatives.push_back(
        MapDerivative(problem_.laws[i], law_, moved_.segment<6>(6 * static_cast<Eigen::Index>(i))));
  }
  ++factorization_count;
  if (!system.Factorize(derivatives, kappa_)) return false;
  const Eigen::VectorXd from = change_;
  const Eigen::VectorXd from_velocity = velocity_;
  const Eigen::VectorXd rest = (target_ - center_) - change_;
  Eigen::VectorXd direction;
  if (!system.Solve(rest, direction)) return false;
  const Eigen::VectorXd along = MultiplyDelassus(problem_, direction);
  const double merit = merit_;
  const double length = length_;
  // θ falls at the rate (γ − P(x))ᵀ W' δ, the length by itself.
  const double slope = law_ == ContactLaw::kCcp ? -rest.dot(along) : -length_;
  for (double share = 1.0; share > kShortest; share *= 0.5) {
    MoveTo(from + share * direction, from_velocity + share * along);
    // Near the solution θ has no digits left to tell by; the length has.
    if (merit_ <= merit + kArmijo * share * slope) return true;
    if (length_ <= (1.0 - kArmijo * share) * length) return true;
  }
  MoveTo(from, from_velocity);
  return false;
}

}  // namespace talus::matrix
