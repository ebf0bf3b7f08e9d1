// The two contact laws the cone solvers know, as the velocity each one pairs with the impulse:
//
//   Z* ∋ û ⟂ γ ∈ Z,   Z* = { u_n ≥ μ‖u_T‖ + ρ‖ω_T‖ + σ|ω_n| }.
//
// CCP [TA]: û = u, the convex relaxation. It lifts a moving contact by h A_r.
// NCP [AB, extended by spinning]: û_n = u_n + A_r with A_r = μ‖u_T‖ + ρ‖ω_T‖ + σ|ω_n| (the De Saxcé
// shift): exact Coulomb friction with maximal dissipation in each part and no dilatancy.
#pragma once

#include <cmath>

#include "solver/contact/cones/rolling_cone.h"
#include "solver/contact/wrench.h"

namespace talus {

// A_r, m/s.
inline double DeSaxceShift(const RollingCone& cone, const Wrench& u) {
  return cone.sliding * std::sqrt(u[1] * u[1] + u[2] * u[2]) +
         cone.rolling * std::sqrt(u[4] * u[4] + u[5] * u[5]) + cone.spinning * std::abs(u[3]);
}

struct NcpLaw {
  static Wrench PairedVelocity(const RollingCone& cone, Wrench u) {
    u[0] += DeSaxceShift(cone, u);
    return u;
  }
};

struct CcpLaw {
  static Wrench PairedVelocity(const RollingCone&, const Wrench& u) { return u; }
};

}  // namespace talus
