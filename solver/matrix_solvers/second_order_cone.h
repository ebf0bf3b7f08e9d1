// The second-order cone { x : x₀ ≥ ‖(x₁, x₂)‖ } as interior-point methods need it: its product, its
// boundary, and the scaling of Nesterov and Todd, which takes an impulse y and a velocity z inside
// the cone to one and the same point λ = R z = R⁻¹ y.
//
// With  det x = x₀² − x₁² − x₂²,  η² = (det y / det z)^½  and a direction d of det 1,
//
//   R = η ( d₀  d_Tᵀ ; d_T  I + d_T d_Tᵀ/(1 + d₀) ),   F = R⁻²,   F y = z.
//
// Narrower cones leave x₂, or x₁ and x₂, zero. It knows nothing of contacts.
#pragma once

#include <Eigen/Core>

namespace talus::matrix {

using ConePoint = Eigen::Vector3d;

double ConeDeterminant(const ConePoint& x);
// x ∘ y = (xᵀ y, x₀ y_T + y₀ x_T), and the x for which `factor` ∘ x = `product`.
ConePoint ConeProduct(const ConePoint& x, const ConePoint& y);
ConePoint ConeQuotient(const ConePoint& product, const ConePoint& factor);
// The s at which `x` + s `step` leaves the cone; infinite where it never does. `x` inside.
double ConeReach(const ConePoint& x, const ConePoint& step);

struct ConeScaling {
  Eigen::Matrix3d root;          // R
  Eigen::Matrix3d inverse_root;  // R⁻¹
  ConePoint point;               // λ
  ConePoint direction;           // d
  double ratio = 1.0;            // η²
};

// `y` and `z` inside.
ConeScaling ScaleCone(const ConePoint& y, const ConePoint& z);

}  // namespace talus::matrix
