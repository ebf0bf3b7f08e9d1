#include "solver/analysis/pair_statics.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>

namespace talus {
namespace {

constexpr double kLargestRatio = 1e6;
constexpr int kGoldenSections = 120;  // 0.618^120 = 10⁻²⁵ of the range: down to rounding
constexpr int kHalvings = 100;

// How far forces + λ line_force lie outside of the cones, N: convex in λ, as a largest of convex
// functions is.
double Excess(const PairDynamics& pair, const PairRows& forces, double lambda) {
  const PairRows sum = forces + lambda * pair.line_force;
  double excess = -std::numeric_limits<double>::infinity();
  for (int i = 0; i < 2; ++i) {
    excess = std::max(excess, sum.segment<2>(3 * i + 1).norm() - pair.friction[i] * sum(3 * i));
    excess = std::max(excess, -sum(3 * i));
  }
  return excess;
}

double FindDeepest(const PairDynamics& pair, const PairRows& forces, double reach) {
  const double section = 0.5 * (std::sqrt(5.0) - 1.0);
  double low = -reach;
  double high = reach;
  double left = high - section * (high - low);
  double right = low + section * (high - low);
  double left_excess = Excess(pair, forces, left);
  double right_excess = Excess(pair, forces, right);
  for (int step = 0; step < kGoldenSections; ++step) {
    if (left_excess < right_excess) {
      high = right;
      right = left;
      right_excess = left_excess;
      left = high - section * (high - low);
      left_excess = Excess(pair, forces, left);
    } else {
      low = left;
      left = right;
      left_excess = right_excess;
      right = low + section * (high - low);
      right_excess = Excess(pair, forces, right);
    }
  }
  return 0.5 * (low + high);
}

// Between a λ that is admitted and one beyond: the last that is.
double FindLastAdmitted(const PairDynamics& pair, const PairRows& forces, double inside,
                        double outside) {
  for (int halving = 0; halving < kHalvings; ++halving) {
    const double middle = 0.5 * (inside + outside);
    (Excess(pair, forces, middle) <= 0.0 ? inside : outside) = middle;
  }
  return inside;
}

}  // namespace

PairStatics FindPairStatics(const PairDynamics& pair) {
  PairStatics statics;
  // W has rank five; what it lacks, along the line, is put in to the value that makes the solution
  // the one without a part along it, which is the smallest.
  const double fill = pair.mobility.trace() / 6.0;
  const PairMatrix full = pair.mobility + fill * pair.line_force * pair.line_force.transpose();
  const PairRows smallest = full.fullPivLu().solve(-pair.free_rows);
  const double size = smallest.norm();
  if (size == 0.0) {
    statics.possible = true;
    return statics;
  }
  const double reach = kLargestRatio * size;
  const double deepest =
      Excess(pair, smallest, 0.0) <= 0.0 ? 0.0 : FindDeepest(pair, smallest, reach);
  if (Excess(pair, smallest, deepest) > 0.0) return statics;
  statics.possible = true;
  const double infinity = std::numeric_limits<double>::infinity();
  statics.least_line_force_n = Excess(pair, smallest, -reach) <= 0.0
                                   ? -infinity
                                   : FindLastAdmitted(pair, smallest, deepest, -reach);
  statics.largest_line_force_n = Excess(pair, smallest, reach) <= 0.0
                                     ? infinity
                                     : FindLastAdmitted(pair, smallest, deepest, reach);
  const double nearest = std::clamp(0.0, statics.least_line_force_n, statics.largest_line_force_n);
  statics.forces = smallest + nearest * pair.line_force;
  return statics;
}

}  // namespace talus
