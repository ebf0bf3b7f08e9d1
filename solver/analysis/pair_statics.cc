#include "solver/analysis/pair_statics.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>

namespace talus {
namespace {

constexpr double kLargestRatio = 1e6;
constexpr int kGoldenSections = 200;  // 0.618^200 = 10⁻⁴² of the range: down to rounding
constexpr int kHalvings = 150;
// Forces that hold both points, and more of them: rolling + λ line_force.
struct ForceLine {
  const PairDynamics& pair;
  PairRows rolling;  // of the smallest friction
  double tolerance;  // N

  // How far they lie outside of the cones, N: convex in λ, as a largest of convex functions is.
  double Excess(double lambda) const {
    const PairRows sum = rolling + lambda * pair.line_force;
    double excess = -std::numeric_limits<double>::infinity();
    for (int i = 0; i < 2; ++i) {
      excess = std::max(
          excess, sum.segment<2>(3 * i + 1).norm() - tolerance - pair.friction[i] * sum(3 * i));
      excess = std::max(excess, -sum(3 * i));
    }
    return excess;
  }
  bool Admits(double lambda) const { return Excess(lambda) <= 0.0; }
};

ForceLine FindRollingForces(const PairDynamics& pair) {
  ForceLine line{pair, PairRows::Zero(), 0.0};
  const Eigen::Vector4d along = pair.line_force(kSlipRows).normalized();
  Eigen::Matrix4d slips = pair.mobility(kSlipRows, kSlipRows);
  // W̃ has rank three; what it lacks, along the line, is put in to the value that makes the solution
  // the one without a part along it, which is the smallest.
  slips += 0.25 * slips.trace() * along * along.transpose();
  Eigen::Vector4d friction = -slips.fullPivLu().solve(pair.free_rows(kSlipRows));
  friction -= along.dot(friction) * along;
  line.rolling(kSlipRows) = friction;
  line.rolling(kNormalRows) = pair.free_normal_forces + pair.normal_response * friction;
  line.tolerance = kFrictionTolerance * friction.norm();
  return line;
}

double FindDeepest(const ForceLine& line, double reach) {
  const double section = 0.5 * (std::sqrt(5.0) - 1.0);
  double low = -reach;
  double high = reach;
  double left = high - section * (high - low);
  double right = low + section * (high - low);
  double left_excess = line.Excess(left);
  double right_excess = line.Excess(right);
  for (int step = 0; step < kGoldenSections; ++step) {
    if (left_excess < right_excess) {
      high = right;
      right = left;
      right_excess = left_excess;
      left = high - section * (high - low);
      left_excess = line.Excess(left);
    } else {
      low = left;
      left = right;
      left_excess = right_excess;
      right = low + section * (high - low);
      right_excess = line.Excess(right);
    }
  }
  return 0.5 * (low + high);
}

// Between a λ that is admitted and one beyond: the last that is.
double FindLastAdmitted(const ForceLine& line, double inside, double outside) {
  for (int halving = 0; halving < kHalvings; ++halving) {
    const double middle = 0.5 * (inside + outside);
    (line.Admits(middle) ? inside : outside) = middle;
  }
  return inside;
}

}  // namespace

PairStatics FindPairStatics(const PairDynamics& pair) {
  PairStatics statics;
  const ForceLine line = FindRollingForces(pair);
  // Where on the line the smallest forces are.
  const double smallest = -line.rolling.dot(pair.line_force) / pair.line_force.squaredNorm();
  const double size = line.rolling.norm();
  if (size == 0.0) {
    statics.possible = true;
    return statics;
  }
  const double reach = kLargestRatio * size;
  const double deepest = line.Admits(0.0) ? 0.0 : FindDeepest(line, reach);
  if (!line.Admits(deepest)) return statics;
  statics.possible = true;
  const double infinity = std::numeric_limits<double>::infinity();
  const double least = line.Admits(-reach) ? -infinity : FindLastAdmitted(line, deepest, -reach);
  const double largest = line.Admits(reach) ? infinity : FindLastAdmitted(line, deepest, reach);
  statics.least_line_force_n = least - smallest;
  statics.largest_line_force_n = largest - smallest;
  statics.forces = line.rolling + std::clamp(smallest, least, largest) * pair.line_force;
  return statics;
}

}  // namespace talus
