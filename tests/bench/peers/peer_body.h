// One body of a state (peer_state.h) and its JSON form.
//
// SI units, world frame unless a name says body.
#pragma once

#include <vector>

#include "absl/status/status.h"
#include "solver/base/math.h"
#include "solver/scene/body_def.h"
#include "tests/bench/peers/json_vectors.h"

namespace talus::peers {

// A dynamic body carries one sphere or one box at its centre of mass. A kinematic one, which keeps
// its velocities whatever touches it, carries any number of both; a static one planes as well.
struct PeerBody {
  BodyKind kind = BodyKind::kStatic;
  double mass_kg = 0.0;                     // > 0 when dynamic, else 0
  Vec3 inertia_body_kg_m2 = Vec3::Zero();   // principal, in the axes of the body; the same
  Pose pose;                                // world <- body
  Vec3 linear_velocity_m_s = Vec3::Zero();  // of the centre of mass; 0 when static
  Vec3 angular_velocity_rad_s = Vec3::Zero();
  std::vector<ShapeDef> shapes;  // without material names

  bool is_dynamic() const { return kind == BodyKind::kDynamic; }
  bool is_kinematic() const { return kind == BodyKind::kKinematic; }
};

// INVALID_ARGUMENT names the field of `bodies[index]`, its value and what is allowed.
absl::Status CheckBody(const PeerBody& body, size_t index);

// Where a body is after `time_s` at the velocities it has.
Pose AdvancePose(const PeerBody& body, double time_s);

Json ToJson(const PeerBody& body);
// Throws std::exception with what CheckBody says.
PeerBody ParseBody(const Json& json, size_t index);

}  // namespace talus::peers
