// The contact problem of one step: everything that is constant while it is solved.
//
//   u = Dᵀ v + b,   v = v_free + M⁻¹ D γ,   law(u, γ)             docs/NOTATION.md §2
//
// Contacts stand in colour order: contacts of one colour share no dynamic body, so that they can be
// swept at once. The metric gives each contact four steps: s_n, s_t, s_r, s_s, the inverse square
// roots of the diagonal of its local block (means over the two tangents); in scaled unknowns γ' = γ
// / s, u' = s u, all rows have one unit and the cone has the coefficients μ' = μ s_n / s_t, ρ' = ρ
// s_n / s_r, σ' = σ s_n / s_s. Does not know shapes, materials' names or time.
#pragma once

#include <cstdint>
#include <vector>

#include "solver/base/math.h"
#include "solver/contact/cones/rolling_cone.h"
#include "solver/contact/contact_frame.h"
#include "solver/contact/wrench.h"

namespace talus {

struct BodyVelocity {
  Vec3 linear = Vec3::Zero();   // m/s
  Vec3 angular = Vec3::Zero();  // rad/s
};

// M⁻¹ of one body; zero for prescribed bodies.
struct BodyMobility {
  double inverse_mass = 0.0;
  double xx = 0.0, yy = 0.0, zz = 0.0, xy = 0.0, xz = 0.0, yz = 0.0;  // inverse inertia, world

  bool dynamic() const { return inverse_mass > 0.0; }
  Vec3 InverseInertiaTimes(const Vec3& t) const {
    return {xx * t.x() + xy * t.y() + xz * t.z(), xy * t.x() + yy * t.y() + yz * t.z(),
            xz * t.x() + yz * t.y() + zz * t.z()};
  }
};

// One contact as the sweeps need it.
struct ContactRow {
  uint32_t body_a = 0;
  uint32_t body_b = 0;
  ContactFrame frame;
  Vec3 arm_a = Vec3::Zero();  // contact point minus centre of mass, m
  Vec3 arm_b = Vec3::Zero();
  double bias = 0.0;  // b_n, m/s: u_n + b_n >= 0 is what the normal part asks for
  RollingCone cone;   // μ, ρ, σ in SI
  // The local block W = D_iᵀ M⁻¹ D_i, symmetric, in SI.
  Eigen::Matrix<double, 6, 6> block;
  // Steps of the four parts, in the order of the wrench: s_n, s_t, s_t, s_s, s_r, s_r; 1/sqrt(kg)
  // and 1/(m sqrt(kg)).
  Wrench step;
  Wrench weight;  // 1 / step², so that ‖γ'‖² = Σ weight γ²
  double block_bound =
      1.0;  // λ: an upper bound of the largest eigenvalue of the scaled block S W S
  int32_t local_steps = 1;     // >= 1, steps an accelerated sweep takes here: assemble.h
  double normal_step = 0.0;    // 1 / W_nn, kg
  double spinning_step = 0.0;  // 1 / W of the spinning row, kg m^2
  double sliding_step = 0.0;   // 1 / λ_max of the two sliding rows of W, kg
  double rolling_step = 0.0;   // 1 / λ_max of the two rolling rows of W, kg m^2
};

struct ContactProblem {
  std::vector<BodyMobility> mobility;  // by body row
  std::vector<BodyVelocity> free_velocity;
  std::vector<ContactRow> contacts;   // in colour order
  std::vector<uint32_t> input_index;  // contact -> position in the caller's list
  std::vector<uint32_t> color_begin;  // colour -> first contact; one more entry than colours
  bool last_color_serial =
      false;  // the last colour holds contacts that share bodies: in order, on one thread
  double free_scale = 0.0;  // ‖Π_Z'(−r')‖ with r = Dᵀ v_free + b: what the residual is relative to

  size_t contact_count() const { return contacts.size(); }
  size_t color_count() const { return color_begin.empty() ? 0 : color_begin.size() - 1; }
};

// The cone in the metric of its contact.
inline RollingCone ScaledCone(const ContactRow& c) {
  return {c.cone.sliding * c.step[0] / c.step[1], c.cone.rolling * c.step[0] / c.step[4],
          c.cone.spinning * c.step[0] / c.step[3]};
}

}  // namespace talus
