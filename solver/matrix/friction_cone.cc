#include "solver/matrix/friction_cone.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace talus {
namespace {

// A friction part: where its rows begin, how many there are, what bounds it.
struct ConePart {
  int row = 0;
  int size = 0;
  double coefficient = 0.0;
};

std::array<ConePart, 3> PartsOf(const FrictionCone& cone) {
  return {{{1, 2, cone.sliding}, {3, 1, cone.spinning}, {4, 2, cone.rolling}}};
}

// The normal of the projection, before it is held at zero, and which parts stand at their bounds.
struct Normal {
  double value = 0.0;
  std::array<bool, 3> bound = {};
  double denominator = 1.0;  // 1 + Σ m² of those
};

Normal FindNormal(const std::array<ConePart, 3>& parts, const Wrench& x) {
  std::array<double, 3> length;
  for (size_t i = 0; i < 3; ++i) length[i] = x.segment(parts[i].row, parts[i].size).norm();
  Normal normal;
  normal.bound = {true, true, true};
  normal.value = -std::numeric_limits<double>::infinity();
  for (int pass = 0; pass < 4; ++pass) {
    double numerator = x[0];
    normal.denominator = 1.0;
    for (size_t i = 0; i < 3; ++i) {
      if (!normal.bound[i]) continue;
      numerator += parts[i].coefficient * length[i];
      normal.denominator += parts[i].coefficient * parts[i].coefficient;
    }
    normal.value = std::max(normal.value, numerator / normal.denominator);
    bool left = false;
    for (size_t i = 0; i < 3; ++i) {
      if (!normal.bound[i] || parts[i].coefficient * normal.value < length[i]) continue;
      normal.bound[i] = false;
      left = true;
    }
    if (!left) break;
  }
  return normal;
}

// What a part shortened to `bound` changes with its own rows: bound / L (I − t tᵀ).
void AddTurning(const ConePart& part, const Wrench& x, double length, double bound,
                Matrix6& derivative) {
  const double turning = bound / length;
  const auto rows = x.segment(part.row, part.size);
  auto own = derivative.block(part.row, part.row, part.size, part.size);
  own.diagonal().array() += turning;
  own -= turning / (length * length) * rows * rows.transpose();
}

}  // namespace

Wrench ProjectToCone(const FrictionCone& cone, const Wrench& x) {
  const std::array<ConePart, 3> parts = PartsOf(cone);
  const double y = std::max(FindNormal(parts, x).value, 0.0);
  Wrench result = x;
  result[0] = y;
  for (const ConePart& part : parts) {
    auto rows = result.segment(part.row, part.size);
    const double length = rows.norm();
    if (part.coefficient * y < length) rows *= part.coefficient * y / length;
  }
  return result;
}

Matrix6 ProjectionDerivative(const FrictionCone& cone, const Wrench& x) {
  const std::array<ConePart, 3> parts = PartsOf(cone);
  const Normal normal = FindNormal(parts, x);
  Matrix6 derivative = Matrix6::Zero();
  if (normal.value <= 0.0) return derivative;
  // What the result changes by with y, and ∂y/∂x but for the denominator: 1, and m t of each bound
  // part.
  Wrench direction = Wrench::Unit(0);
  for (size_t i = 0; i < 3; ++i) {
    const ConePart& part = parts[i];
    if (!normal.bound[i]) {
      derivative.block(part.row, part.row, part.size, part.size).setIdentity();
      continue;
    }
    const double length = x.segment(part.row, part.size).norm();
    direction.segment(part.row, part.size) =
        part.coefficient / length * x.segment(part.row, part.size);
    AddTurning(part, x, length, part.coefficient * normal.value, derivative);
  }
  derivative += direction * direction.transpose() / normal.denominator;
  return derivative;
}

Wrench ClipToCone(const FrictionCone& cone, const Wrench& x) {
  Wrench result = x;
  result[0] = std::max(x[0], 0.0);
  for (const ConePart& part : PartsOf(cone)) {
    auto rows = result.segment(part.row, part.size);
    const double bound = part.coefficient * result[0];
    const double length = rows.norm();
    if (length > bound) rows *= bound / length;
  }
  return result;
}

Matrix6 ClippingDerivative(const FrictionCone& cone, const Wrench& x) {
  Matrix6 derivative = Matrix6::Zero();
  if (x[0] <= 0.0) return derivative;
  derivative(0, 0) = 1.0;
  for (const ConePart& part : PartsOf(cone)) {
    const double length = x.segment(part.row, part.size).norm();
    const double bound = part.coefficient * x[0];
    if (length <= bound) {
      derivative.block(part.row, part.row, part.size, part.size).setIdentity();
      continue;
    }
    derivative.block(part.row, 0, part.size, 1) =
        part.coefficient / length * x.segment(part.row, part.size);
    AddTurning(part, x, length, bound, derivative);
  }
  return derivative;
}

double DeSaxceShift(const FrictionCone& cone, const Wrench& u) {
  return cone.sliding * u.segment<2>(1).norm() + cone.spinning * std::abs(u[3]) +
         cone.rolling * u.segment<2>(4).norm();
}

Wrench LawVelocity(ContactLaw law, const FrictionCone& cone, const Wrench& u) {
  Wrench result = u;
  if (law == ContactLaw::kNcp) result[0] += DeSaxceShift(cone, u);
  return result;
}

}  // namespace talus
