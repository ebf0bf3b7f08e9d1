// The accelerations of a body's two contact points as a linear map of the contact forces: the
// equations under every question of rolling_transition.h.
//
// Rows and forces are in contact frames, three a contact: normal, t₁, t₂. With l the unit vector
// from contact 1 to contact 0, t₁ = l × n / |l × n| and t₂ = n × t₁, so that rigidity says
// c₀ u₂ = c₁ u₂' of the slip velocities, c = |l × n| > 0. Of the slip accelerations it says the
// same, so the map has rank five: a pair of forces along l moves nothing.
#pragma once

#include <Eigen/Core>
#include <array>

#include "absl/status/statusor.h"
#include "solver/analysis/rolling_transition.h"
#include "solver/analysis/two_point_body.h"
#include "solver/base/math.h"

namespace talus {

using PairRows = Eigen::Matrix<double, 6, 1>;
using PairMatrix = Eigen::Matrix<double, 6, 6>;

struct PairDynamics {
  std::array<Mat3, 2> frames;  // columns n, t₁, t₂
  std::array<Vec3, 2> arms;
  std::array<double, 2> friction;
  double inverse_mass = 0.0;
  Mat3 inverse_inertia = Mat3::Zero();
  Vec3 free_acceleration = Vec3::Zero();  // of the centre of mass, without contact forces
  Vec3 free_angular_acceleration = Vec3::Zero();

  PairMatrix mobility;  // W: acceleration of the contact rows a unit force, 1/kg
  PairRows free_rows;   // a: relative acceleration of the contact points without contact forces
  PairRows line_force;  // a pair of forces of 1 N along l that presses the body
  double scale = 0.0;   // larger norm of a at one contact, m/s²

  // The force a unit normal force brings while the point slips at angle φ: (1, −μ cos φ, −μ sin φ).
  Vec3 SlipForce(int contact, double angle) const;
  // Slip accelerations and what else a motion is, from contact forces.
  PairMotion Motion(ContactPairState state, const PairRows& forces) const;
};

// `body` must be valid. INVALID_ARGUMENT: the surfaces part.
absl::StatusOr<PairDynamics> AssemblePairDynamics(const TwoPointBody& body);

}  // namespace talus
