// The bodies of a state after free motion, as our contact problem is assembled from them, and what
// impulses make of their velocities.
#pragma once

#include <vector>

#include "solver/contact/contact_input.h"
#include "tests/bench/peers/step_record.h"

namespace talus::peers {

struct BodyVelocity {
  Vec3 linear = Vec3::Zero();   // m/s
  Vec3 angular = Vec3::Zero();  // rad/s
};

// Owns what a DynamicsView borrows; one entry a body.
struct FreeBodies {
  std::vector<Vec3> positions;         // m
  std::vector<double> inverse_masses;  // 1/kg, 0: static or kinematic
  std::vector<Mat3> inverse_inertias;  // world, 1/(kg m^2)
  std::vector<uint32_t> tensor_rows;   // in them: the body's own
  std::vector<Material> materials;     // one
  std::vector<Vec3> free_linear, free_angular, old_linear, old_angular;

  explicit FreeBodies(const PeerState& state);
  DynamicsView view() const;
  // By body, after the impulses of `contacts` in their order.
  std::vector<BodyVelocity> ApplyImpulses(const std::vector<RecordContact>& contacts) const;
};

}  // namespace talus::peers
