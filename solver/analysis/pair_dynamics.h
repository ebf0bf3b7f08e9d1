// The accelerations of a body's two contact points as a linear map of the contact forces: the
// equations under every question of rolling_transition.h.
//
// Rows and forces are in contact frames, three a contact: normal, t₁, t₂. With l the unit vector
// from contact 1 to contact 0, t₁ = l × n / |l × n| and t₂ = n × t₁, so that rigidity says
// c₀ u₂ = c₁ u₂' of the slip velocities, c = |l × n| > 0. Of the slip accelerations it says the
// same, so the map has rank five: a pair of forces along l moves nothing.
//
// Gravity and the normal forces that answer it are larger than what friction does by 1/μ. So that
// small friction is not lost in their difference, the tangential rows have the normal ones
// eliminated: r = a_t − W_tn W_nn⁻¹ a_n, the slip accelerations without friction, and W̃ = W_tt −
// W_tn W_nn⁻¹ W_nt, what friction adds while normal forces keep both contacts closed.
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <array>

#include "absl/status/statusor.h"
#include "solver/analysis/rolling_transition.h"
#include "solver/analysis/two_point_body.h"
#include "solver/base/math.h"

namespace talus {

using PairRows = Eigen::Matrix<double, 6, 1>;
using PairMatrix = Eigen::Matrix<double, 6, 6>;

// Which rows are normal, which tangential.
inline constexpr std::array<int, 2> kNormalRows = {0, 3};
inline constexpr std::array<int, 4> kSlipRows = {1, 2, 4, 5};

struct PairDynamics {
  std::array<Mat3, 2> frames;  // columns n, t₁, t₂
  std::array<Vec3, 2> arms;
  std::array<double, 2> friction;
  double inverse_mass = 0.0;
  Mat3 inverse_inertia = Mat3::Zero();
  Vec3 free_acceleration = Vec3::Zero();  // of the centre of mass, without contact forces
  Vec3 free_angular_acceleration = Vec3::Zero();

  // Accelerations of the contact rows a unit force, 1/kg: W in the normal rows, (0, W̃) in the
  // tangential ones, which hold where the normal rows come to zero.
  PairMatrix mobility;
  // Without contact forces: a in the normal rows, r in the tangential ones, there without what is
  // rounding of a.
  PairRows free_rows;
  PairRows line_force;  // a pair of forces of 1 N along l that presses the body
  double scale = 0.0;   // larger norm of a at one contact, m/s²
  // The normal forces that keep both contacts closed: those without friction, N, and what a unit
  // force in each tangential row adds.
  Eigen::Vector2d free_normal_forces;
  Eigen::Matrix<double, 2, 4> normal_response;
  // Of each contact's slip acceleration, m/s²: |r| and what friction adds to it while the normal
  // forces are those without friction. Zero where the point cannot slip.
  std::array<double, 2> slip_scales = {0.0, 0.0};

  double slip_scale() const { return std::max(slip_scales[0], slip_scales[1]); }

  // The force a unit normal force brings while the point slips at angle φ: (1, −μ cos φ, −μ sin φ).
  Vec3 SlipForce(int contact, double angle) const;
  // Slip accelerations and what else a motion is, from contact forces.
  PairMotion Motion(ContactPairState state, const PairRows& forces) const;
};

// `body` must be valid. INVALID_ARGUMENT: the surfaces part.
absl::StatusOr<PairDynamics> AssemblePairDynamics(const TwoPointBody& body);

}  // namespace talus
