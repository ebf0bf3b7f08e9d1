// The cone of admissible contact impulses with sliding, rolling and spinning friction, and the
// projection onto it.
//
//   Z = { (γ, τ) : ‖γ_T‖ ≤ μ γ_n,  ‖τ_T‖ ≤ ρ γ_n,  |τ_n| ≤ σ γ_n }            [TA] eq. (8),
//   docs/NOTATION.md §4
//
// γ is the impulse (N s) and τ the angular impulse (N m s) that body B receives, in the contact
// frame (n, u, w). μ has no unit; ρ and σ are lengths in metres. In the solver's metric
// (contact_problem.h) all six components share one unit and the coefficients become μ', ρ', σ'
// without unit; the projection below is Euclidean and serves both.
//
// The three bounds share γ_n, so they are projected together: doing them in turn would let the last
// one spoil the first.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "solver/contact/wrench.h"

namespace talus {

struct RollingCone {
  double sliding = 0.0;   // μ, >= 0
  double rolling = 0.0;   // ρ, >= 0
  double spinning = 0.0;  // σ, >= 0
};

// The nearest point of the cone. No sorting, no division by a coefficient: with L_i the length of
// the i-th friction part,
//   y = (x_n + Σ_A m_i L_i) / (1 + Σ_A m_i²),   A ← { i ∈ A : m_i y < L_i },
// starting from all three active; three removals at most, so four passes settle the active set.
// Then γ_n = max(y, 0) and each part is shortened to m_i γ_n where it is longer.
inline Wrench ProjectToCone(const RollingCone& cone, const Wrench& x) {
  const std::array<double, 3> m = {cone.sliding, cone.rolling, cone.spinning};
  const std::array<double, 3> length = {std::sqrt(x[1] * x[1] + x[2] * x[2]),
                                        std::sqrt(x[4] * x[4] + x[5] * x[5]), std::abs(x[3])};
  std::array<double, 3> active = {1.0, 1.0, 1.0};
  double y = -std::numeric_limits<double>::infinity();
  for (int pass = 0; pass < 4; ++pass) {
    const double numerator = x[0] + active[0] * m[0] * length[0] + active[1] * m[1] * length[1] +
                             active[2] * m[2] * length[2];
    const double denominator =
        1.0 + active[0] * m[0] * m[0] + active[1] * m[1] * m[1] + active[2] * m[2] * m[2];
    y = std::max(y, numerator / denominator);
    for (size_t i = 0; i < 3; ++i) active[i] = (m[i] * y < length[i]) ? active[i] : 0.0;
  }
  y = std::max(y, 0.0);
  std::array<double, 3> shrink;
  for (size_t i = 0; i < 3; ++i) shrink[i] = m[i] * y < length[i] ? m[i] * y / length[i] : 1.0;
  Wrench projected;
  projected << y, shrink[0] * x[1], shrink[0] * x[2], shrink[2] * x[3], shrink[1] * x[4],
      shrink[1] * x[5];
  return projected;
}

}  // namespace talus
