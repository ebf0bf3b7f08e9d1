#include "solver/matrix_solvers/smoothing_newton.h"

#include <algorithm>
#include <utility>

namespace talus::matrix {
namespace {

constexpr double kBegin = 1e-2;  // τ
constexpr double kLastSmoothing = 1e-6;
constexpr double kNear = 0.3;  // of ν in each contact
constexpr double kFall = 0.5;
constexpr double kGrowth = 5.0;
constexpr double kMoreGrowth = 1.7;        // another time: where it came down before it got stuck
constexpr double kDecrease = 0.1;          // of what a whole step should take off
constexpr double kShortSmoothStep = 0.02;  // share of a step
constexpr double kShortestSmoothStep = 1e-3;  // one as short may not lead down at all
constexpr int kMostShortSmoothSteps = 2;

}  // namespace

SmoothingNewton::SmoothingNewton(const ScaledProblem& problem, Eigen::VectorXd impulse,
                                 FactorLimits limits)
    : system_(problem, 0.0, std::move(limits)),
      near_(kNear * problem.free_scale),
      impulse_(std::move(impulse)),
      rounding_(kBegin),
      growth_(kGrowth) {}

bool SmoothingNewton::Advance() {
  Eigen::VectorXd rest = system_.RestOf(impulse_, rounding_, true);
  while (rest.norm() <= near_ * rounding_) {
    if (rounding_ <= kLastSmoothing) return false;
    rounding_ *= kFall;
    rest = system_.RestOf(impulse_, rounding_, true);
  }
  Eigen::VectorXd direction;
  if (!system_.Factorize() || !system_.Solve(-rest, direction)) return false;
  const Eigen::VectorXd from = impulse_;
  double share = 1.0;
  for (; share > kShortestSmoothStep; share *= 0.5) {
    impulse_ = from + share * direction;
    const double left = system_.RestOf(impulse_, rounding_, false).norm();
    if (left <= (1.0 - kDecrease * share) * rest.norm()) break;
  }
  if (share < kShortSmoothStep &&
      (++short_steps_ == kMostShortSmoothSteps || share <= kShortestSmoothStep)) {
    rounding_ = std::min(growth_ * rounding_, SmoothedSystem::kFirst);
    growth_ *= kMoreGrowth;
    short_steps_ = 0;
  }
  return true;
}

}  // namespace talus::matrix
