#include "solver/world/scene_reset.h"

#include <algorithm>
#include <vector>

#include "solver/state/scene_state.h"
#include "solver/world/joint_links.h"
#include "solver/world/sleepers.h"

namespace talus {
namespace {

bool RemoveSpawned(const SceneState& origin, SceneState& state) {
  std::vector<uint8_t> leaving(state.bodies.size(), 0);
  bool any = false;
  for (size_t row = 0; row < leaving.size(); ++row) {
    leaving[row] = ToInteger(state.bodies.ids()[row]) >= origin.bodies.next_id() ? 1 : 0;
    any = any || leaving[row] != 0;
  }
  if (any) {
    WakeNeighbours(leaving, state);
    RemoveJointsAndLoadsOf(leaving, state);
    state.bodies.Remove(leaving);
  }
  const size_t joints = state.joints.size();
  std::erase_if(state.joints, [&](const JointState& joint) {
    const bool later = ToInteger(joint.id) >= origin.next_joint_id;
    if (later) WakeJoined(joint, state);
    return later;
  });
  return any || state.joints.size() != joints;
}

// Those that were there begin anew, now.
void RestartEmitters(const SceneState& origin, SceneState& state) {
  std::vector<EmitterState> kept;
  for (const EmitterState& emitter : state.emitters) {
    const auto was = std::ranges::find_if(origin.emitters, [&](const EmitterState& one) {
      return one.def.name == emitter.def.name && one.def.seed == emitter.def.seed;
    });
    if (was == origin.emitters.end()) continue;
    kept.push_back(*was);
    kept.back().added_step = state.step_index - (origin.step_index - was->added_step);
  }
  state.emitters = std::move(kept);
}

void ResetBodies(const SceneState& origin, SceneState& state) {
  for (size_t row = 0; row < origin.bodies.size(); ++row) {
    const std::optional<size_t> now = state.bodies.FindRow(origin.bodies.ids()[row]);
    if (now.has_value()) state.bodies.SetMotion(*now, origin.bodies, row);
  }
  state.loads.clear();
  for (const BodyLoad& load : origin.loads) {
    if (state.bodies.FindRow(load.body).has_value()) state.loads.push_back(load);
  }
}

void ResetJoints(const SceneState& origin, SceneState& state) {
  for (JointState& joint : state.joints) {
    const auto was = std::ranges::find(origin.joints, joint.id, &JointState::id);
    if (was != origin.joints.end()) {
      joint = *was;
    } else {
      joint.impulse = {};
    }
  }
}

void ResetTime(const SceneState& origin, SceneState& state) {
  const int64_t back = state.step_index - origin.step_index;
  for (EmitterState& emitter : state.emitters) emitter.added_step -= back;
  state.step_index = origin.step_index;
}

}  // namespace

bool ResetScene(const SceneState& origin, const ResetScope& scope, SceneState& state) {
  bool changed = false;
  if (scope.spawned) {
    changed = RemoveSpawned(origin, state);
    RestartEmitters(origin, state);
  }
  if (scope.state) {
    ResetBodies(origin, state);
    ResetJoints(origin, state);
    state.contact_cache.Clear();
    state.fault.clear();
  }
  if (scope.time) ResetTime(origin, state);
  if (changed) ++state.layout_version;
  return changed;
}

}  // namespace talus
