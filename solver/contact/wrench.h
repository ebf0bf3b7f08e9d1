// Six numbers per contact in the contact frame: (n, u, w) of a force-like part, then (n, u, w) of a
// torque-like part.
//
// As an impulse: γ_n, γ_u, γ_w in N s, τ_n, τ_u, τ_w in N m s, on body B. As a velocity, its dual:
// u_n, u_u, u_w in m/s and ω_n, ω_u, ω_w in rad/s, of body B relative to body A at the contact
// point. The torque about the normal is the spinning part, the other two the rolling part.
#pragma once

#include <Eigen/Core>

namespace talus {

using Wrench = Eigen::Matrix<double, 6, 1>;

}  // namespace talus
