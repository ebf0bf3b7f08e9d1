#include "tests/bench/peers/free_bodies.h"

#include <utility>

#include "solver/integrator/free_motion.h"

namespace talus::peers {

FreeBodies::FreeBodies(const PeerState& state) : materials{state.material} {
  for (const PeerBody& body : state.bodies) {
    positions.push_back(body.pose.position);
    old_linear.push_back(body.linear_velocity_m_s);
    old_angular.push_back(body.angular_velocity_rad_s);
    free_linear.push_back(body.linear_velocity_m_s);
    free_angular.push_back(body.angular_velocity_rad_s);
    inverse_masses.push_back(0.0);
    tensor_rows.push_back(static_cast<uint32_t>(tensor_rows.size()));
    inverse_inertias.push_back(Mat3::Zero());
    if (!body.is_dynamic()) continue;
    const Mat3 turn = body.pose.orientation.toRotationMatrix();
    const Vec3 inverse = body.inertia_body_kg_m2.cwiseInverse();
    inverse_masses.back() = 1.0 / body.mass_kg;
    inverse_inertias.back() = turn * inverse.asDiagonal() * turn.transpose();
    free_linear.back() += state.time_step_s * state.gravity_m_s2;
    free_angular.back() =
        AdvanceGyroscopic(body.inertia_body_kg_m2.asDiagonal(), body.pose.orientation,
                          body.angular_velocity_rad_s, state.time_step_s);
  }
}

DynamicsView FreeBodies::view() const {
  return {positions,   inverse_masses, {},         tensor_rows, inverse_inertias,
          free_linear, free_angular,   old_linear, old_angular, materials};
}

std::vector<BodyVelocity> FreeBodies::ApplyImpulses(
    const std::vector<RecordContact>& contacts) const {
  std::vector<BodyVelocity> velocity(positions.size());
  for (size_t row = 0; row < velocity.size(); ++row) {
    velocity[row] = {free_linear[row], free_angular[row]};
  }
  for (const RecordContact& contact : contacts) {
    for (const auto& [row, sign] : {std::pair{contact.body_a, -1.0}, {contact.body_b, 1.0}}) {
      const Vec3 arm = contact.point - positions[row];
      const Vec3 moment = arm.cross(contact.linear_impulse) + contact.angular_impulse;
      velocity[row].linear += sign * inverse_masses[row] * contact.linear_impulse;
      velocity[row].angular += sign * (inverse_inertias[row] * moment);
    }
  }
  return velocity;
}

}  // namespace talus::peers
