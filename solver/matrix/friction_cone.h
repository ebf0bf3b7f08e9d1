// The cone of admissible impulses of one contact, in scalars: projections onto it and their
// derivatives, for the algorithms that take a contact problem as matrices.
//
//   Z = { (γ, τ) : ‖γ_T‖ ≤ μ γ_n,  |τ_n| ≤ σ γ_n,  ‖τ_T‖ ≤ ρ γ_n }            [TA] eq. (8)
//
// Two maps, both the identity inside Z and onto it: the Euclidean projection, whose fixed points
// under γ ← Π(γ − s u) are the solutions of CCP, and the clipping of Alart and Curnier, which takes
// the normal first and then shortens each friction part to the bound of that normal: its fixed
// points are the solutions of NCP. Metric: that of the caller, who scales unknowns and
// coefficients (scaled_problem.h).
#pragma once

#include <Eigen/Core>

#include "solver/contact/wrench.h"
#include "solver/scene/solver_settings.h"

namespace talus {

using Matrix6 = Eigen::Matrix<double, 6, 6>;

struct FrictionCone {
  double sliding = 0.0;   // μ, no unit
  double spinning = 0.0;  // σ, m
  double rolling = 0.0;   // ρ, m

  bool operator==(const FrictionCone&) const = default;
};

// The nearest point of the cone: the three bounds share γ_n and are met together
// (contact/kernels/cone-inl.h has the formula).
Wrench ProjectToCone(const FrictionCone& cone, const Wrench& x);
// A generalized derivative of it: symmetric, eigenvalues in [0, 1].
Matrix6 ProjectionDerivative(const FrictionCone& cone, const Wrench& x);

// γ_n = max(x_n, 0), then each friction part shortened to its coefficient times γ_n.
Wrench ClipToCone(const FrictionCone& cone, const Wrench& x);
// A generalized derivative of it: not symmetric where a part is clipped.
Matrix6 ClippingDerivative(const FrictionCone& cone, const Wrench& x);

// A_r = μ‖u_T‖ + σ|ω_n| + ρ‖ω_T‖, m/s: what NCP adds to the normal velocity.
double DeSaxceShift(const FrictionCone& cone, const Wrench& u);

// û, the velocity that the law pairs with γ: u under CCP, u + A_r n under NCP.
Wrench LawVelocity(ContactLaw law, const FrictionCone& cone, const Wrench& u);

}  // namespace talus
