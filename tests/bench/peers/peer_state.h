// A scene at one instant in a form that every engine can be given: bodies with mass, inertia, pose,
// velocity and shapes, one material for all of them, gravity and the time step.
//
// SI units, world frame unless a name says body. The JSON form is described in README.md.
#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "solver/base/math.h"
#include "solver/scene/material.h"
#include "solver/scene/scene_def.h"
#include "solver/state/scene_state.h"
#include "tests/bench/peers/peer_body.h"

namespace talus::peers {

struct PeerState {
  std::string id;
  double time_step_s = 0.0;  // > 0
  Vec3 gravity_m_s2 = Vec3::Zero();
  double recovery_speed_m_s = 0.0;  // overlap is undone at most this fast
  Material material;                // of every contact; no restitution
  std::vector<PeerBody> bodies;
};

// A world without its past: bodies where they are now, with the velocities they have, without warm
// impulses and emitters. INVALID_ARGUMENT: more than one material, restitution, or a body that
// CheckBody refuses.
absl::StatusOr<PeerState> MakePeerState(const std::string& id, const SceneState& scene);
SceneDef MakeScene(const PeerState& state);

// INVALID_ARGUMENT names what is wrong with the text.
std::string ToJson(const PeerState& state);
absl::StatusOr<PeerState> ParsePeerState(const std::string& text);

}  // namespace talus::peers
