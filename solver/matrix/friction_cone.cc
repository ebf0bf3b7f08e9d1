#include "solver/matrix/friction_cone.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace talus {
namespace {

// A friction part: the rows that it has, known to the compiler, and what bounds it.
template <int kFirst, int kCount>
struct ConePart {
  static constexpr int kIndex = kFirst / 2;
  double coefficient = 0.0;

  static auto RowsOf(auto& x) { return x.template segment<kCount>(kFirst); }
  static auto BlockOf(Matrix6& x) { return x.block<kCount, kCount>(kFirst, kFirst); }
};

template <typename Visit>
void VisitParts(const FrictionCone& cone, const Visit& visit) {
  visit(ConePart<1, 2>{cone.sliding});
  visit(ConePart<3, 1>{cone.spinning});
  visit(ConePart<4, 2>{cone.rolling});
}

// By ConePart::kIndex.
std::array<double, 3> CoefficientsOf(const FrictionCone& cone) {
  return {cone.sliding, cone.spinning, cone.rolling};
}

// Number by number: a pair that begins at an odd row would wait until both its neighbours, which
// have just been written in pairs, have come to memory. All by their squares: what has none, below
// 1e-162, has no length in any part.
std::array<double, 3> LengthsOf(const Wrench& x) {
  return {std::sqrt(x[1] * x[1] + x[2] * x[2]), std::sqrt(x[3] * x[3]),
          std::sqrt(x[4] * x[4] + x[5] * x[5])};
}

// The normal of the projection, before it is held at zero, and which parts stand at their bounds.
struct Normal {
  double value = 0.0;
  std::array<bool, 3> bound = {};
  double denominator = 1.0;  // 1 + Σ m² of those
};

Normal FindNormal(const FrictionCone& cone, const std::array<double, 3>& length, double pressed) {
  const std::array<double, 3> coefficients = CoefficientsOf(cone);
  Normal normal;
  normal.bound = {true, true, true};
  normal.value = -std::numeric_limits<double>::infinity();
  for (int pass = 0; pass < 4; ++pass) {
    double numerator = pressed;
    normal.denominator = 1.0;
    for (size_t i = 0; i < 3; ++i) {
      if (!normal.bound[i]) continue;
      numerator += coefficients[i] * length[i];
      normal.denominator += coefficients[i] * coefficients[i];
    }
    normal.value = std::max(normal.value, numerator / normal.denominator);
    bool left = false;
    for (size_t i = 0; i < 3; ++i) {
      if (!normal.bound[i] || coefficients[i] * normal.value < length[i]) continue;
      normal.bound[i] = false;
      left = true;
    }
    if (!left) break;
  }
  return normal;
}

// What a part shortened to `bound` changes with its own rows: bound / L (I − t tᵀ).
template <typename Part>
void AddTurning(Part part, const Wrench& x, double length, double bound, Matrix6& derivative) {
  const double turning = bound / length;
  const auto rows = part.RowsOf(x);
  auto own = part.BlockOf(derivative);
  own.diagonal().array() += turning;
  own -= turning / (length * length) * rows * rows.transpose();
}

}  // namespace

Wrench ProjectToCone(const FrictionCone& cone, const Wrench& x) {
  const std::array<double, 3> lengths = LengthsOf(x);
  const double y = std::max(FindNormal(cone, lengths, x[0]).value, 0.0);
  Wrench result = x;
  result[0] = y;
  VisitParts(cone, [&](auto part) {
    const double length = lengths[part.kIndex];
    if (part.coefficient * y < length) part.RowsOf(result) *= part.coefficient * y / length;
  });
  return result;
}

Matrix6 ProjectionDerivative(const FrictionCone& cone, const Wrench& x) {
  const std::array<double, 3> lengths = LengthsOf(x);
  const Normal normal = FindNormal(cone, lengths, x[0]);
  Matrix6 derivative = Matrix6::Zero();
  if (normal.value <= 0.0) return derivative;
  // What the result changes by with y, and ∂y/∂x but for the denominator: 1, and m t of each bound
  // part.
  Wrench direction = Wrench::Unit(0);
  VisitParts(cone, [&](auto part) {
    if (!normal.bound[part.kIndex]) {
      part.BlockOf(derivative).setIdentity();
      return;
    }
    const double length = lengths[part.kIndex];
    part.RowsOf(direction) = part.coefficient / length * part.RowsOf(x);
    AddTurning(part, x, length, part.coefficient * normal.value, derivative);
  });
  derivative += direction * direction.transpose() / normal.denominator;
  return derivative;
}

Wrench ClipToCone(const FrictionCone& cone, const Wrench& x) {
  const std::array<double, 3> lengths = LengthsOf(x);
  Wrench result = x;
  result[0] = std::max(x[0], 0.0);
  VisitParts(cone, [&](auto part) {
    const double bound = part.coefficient * result[0];
    const double length = lengths[part.kIndex];
    if (length > bound) part.RowsOf(result) *= bound / length;
  });
  return result;
}

Matrix6 ClippingDerivative(const FrictionCone& cone, const Wrench& x) {
  Matrix6 derivative = Matrix6::Zero();
  if (x[0] <= 0.0) return derivative;
  derivative(0, 0) = 1.0;
  const std::array<double, 3> lengths = LengthsOf(x);
  VisitParts(cone, [&](auto part) {
    const double length = lengths[part.kIndex];
    const double bound = part.coefficient * x[0];
    if (length <= bound) {
      part.BlockOf(derivative).setIdentity();
      return;
    }
    auto first = derivative.col(0);
    part.RowsOf(first) = part.coefficient / length * part.RowsOf(x);
    AddTurning(part, x, length, bound, derivative);
  });
  return derivative;
}

double DeSaxceShift(const FrictionCone& cone, const Wrench& u) {
  const std::array<double, 3> lengths = LengthsOf(u);
  return cone.sliding * lengths[0] + cone.spinning * lengths[1] + cone.rolling * lengths[2];
}

Wrench LawVelocity(ContactLaw law, const FrictionCone& cone, const Wrench& u) {
  Wrench result = u;
  if (law == ContactLaw::kNcp) result[0] += DeSaxceShift(cone, u);
  return result;
}

}  // namespace talus
