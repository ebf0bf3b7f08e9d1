#include "solver/matrix_solvers/smoothed_clipping.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

namespace talus::matrix {
namespace {

// Where ρ is many radii, m ν would be a rounding larger than any impulse that rolling takes.
// docs/TRIED.md has what a pile costs with more and with less.
constexpr double kSteepest = 5.0;

struct PositivePart {
  double value;
  double derivative;
  double complement;  // 1 − derivative
};

// Each number from the terms that do not cancel.
PositivePart RoundedPositivePart(double a, double rounding) {
  const double square = 2.0 * rounding * rounding;
  const double root = std::sqrt(a * a + 2.0 * square);
  const double small = square / (root * (root + std::abs(a)));
  if (a > 0.0) return {0.5 * (a + root), 1.0 - small, small};
  return {square / (root - a), small, 1.0 - small};
}

template <int row, int size>
void ClipPart(double coefficient, const Wrench& x, double rounding, SmoothedMap& map) {
  if (coefficient <= 0.0) return;
  const double own = std::min(coefficient, kSteepest) * rounding;
  const double bound = coefficient * map.value[0];
  const auto direction = x.segment<size>(row);
  const double length = std::sqrt(direction.squaredNorm() + own * own);
  const PositivePart beyond = RoundedPositivePart(length - bound, own);
  const double width = bound + beyond.value;
  map.value.segment<size>(row) = direction * (bound / width);
  auto complement = map.complement.block<size, size>(row, row);
  complement =
      direction * direction.transpose() * (bound * beyond.derivative / (width * width * length));
  complement.diagonal().array() += beyond.value / width;
  auto derivative = map.derivative.block<size, size>(row, row);
  derivative = -complement;
  derivative.diagonal().array() += 1.0;
  // A larger bound lengthens what is clipped by it.
  const double growth = (beyond.value + bound * beyond.derivative) / (width * width);
  map.derivative.block<size, 1>(row, 0) = direction * (growth * coefficient * map.derivative(0, 0));
  map.complement.block<size, 1>(row, 0) = -map.derivative.block<size, 1>(row, 0);
}

// Of A, which has nothing but its first column beside the parts on its diagonal.
template <int row, int size>
void InvertPart(const Matrix6& a, Matrix6& inverse) {
  inverse.block<size, size>(row, row) = a.block<size, size>(row, row).inverse();
  inverse.block<size, 1>(row, 0) =
      inverse.block<size, size>(row, row) * a.block<size, 1>(row, 0) * -inverse(0, 0);
}

SmoothedMap HoldWithinBounds(const BlockLaw& law, const Wrench& x, double rounding) {
  SmoothedMap map;
  for (int row = 0; row < 6; ++row) {
    double value = x[row];
    double held = 0.0;
    if (std::isfinite(law.lower[row])) {
      const PositivePart below = RoundedPositivePart(law.lower[row] - x[row], rounding);
      value += below.value;
      held += below.derivative;
    }
    if (std::isfinite(law.upper[row])) {
      const PositivePart above = RoundedPositivePart(x[row] - law.upper[row], rounding);
      value -= above.value;
      held += above.derivative;
    }
    map.value[row] = value;
    map.complement(row, row) = held;
    map.derivative(row, row) = 1.0 - held;
  }
  return map;
}

}  // namespace

SmoothedMap MapSmoothly(const BlockLaw& law, const Wrench& x, double rounding) {
  if (law.kind == BlockLawKind::kBounds) return HoldWithinBounds(law, x, rounding);
  SmoothedMap map;
  const PositivePart normal = RoundedPositivePart(x[0], rounding);
  map.value[0] = normal.value;
  map.derivative(0, 0) = normal.derivative;
  map.complement(0, 0) = normal.complement;
  ClipPart<1, 2>(law.cone.sliding, x, rounding, map);
  ClipPart<3, 1>(law.cone.spinning, x, rounding, map);
  ClipPart<4, 2>(law.cone.rolling, x, rounding, map);
  return map;
}

Matrix6 InvertComplement(const SmoothedMap& map, double compliance) {
  const Matrix6 a = map.complement + compliance * map.derivative;
  Matrix6 inverse = Matrix6::Zero();
  inverse(0, 0) = 1.0 / a(0, 0);
  InvertPart<1, 2>(a, inverse);
  InvertPart<3, 1>(a, inverse);
  InvertPart<4, 2>(a, inverse);
  return inverse;
}

}  // namespace talus::matrix
