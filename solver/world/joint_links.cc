#include "solver/world/joint_links.h"

#include <algorithm>
#include <optional>

namespace talus {
namespace {

uint32_t RowOf(const BodyStore& bodies, BodyId body) {
  return body == kWorld ? kWorldRow : static_cast<uint32_t>(bodies.FindRow(body).value());
}

bool IsDriven(const JointState& joint) {
  return std::ranges::any_of(joint.def.axes, [](const JointAxis& axis) {
    return axis.mode == AxisMode::kMotor && axis.velocity != 0.0 && axis.max_force > 0.0;
  });
}

}  // namespace

void FindJointLinks(const SceneState& state, std::vector<JointLink>& links) {
  links.clear();
  for (const JointState& joint : state.joints) {
    links.push_back(
        {RowOf(state.bodies, joint.body_a), RowOf(state.bodies, joint.body_b), IsDriven(joint)});
  }
}

void FindExcludedRows(const SceneState& state,
                      std::vector<std::pair<uint32_t, uint32_t>>& excluded) {
  excluded.clear();
  for (const JointState& joint : state.joints) {
    if (joint.def.bodies_collide || joint.body_a == kWorld) continue;
    excluded.push_back(
        std::minmax({RowOf(state.bodies, joint.body_a), RowOf(state.bodies, joint.body_b)}));
  }
  std::ranges::sort(excluded);
}

void WakeJoined(const JointState& joint, SceneState& state) {
  for (const BodyId body : {joint.body_a, joint.body_b}) {
    if (body != kWorld) state.bodies.Stir(state.bodies.FindRow(body).value());
  }
}

void RemoveJointsAndLoadsOf(std::span<const uint8_t> leaving, SceneState& state) {
  std::erase_if(state.loads, [&](const BodyLoad& load) {
    return leaving[state.bodies.FindRow(load.body).value()] != 0;
  });
  std::erase_if(state.joints, [&](const JointState& joint) {
    const auto leaves = [&](BodyId body) {
      return body != kWorld && leaving[state.bodies.FindRow(body).value()] != 0;
    };
    if (!leaves(joint.body_a) && !leaves(joint.body_b)) return false;
    WakeJoined(joint, state);
    return true;
  });
}

}  // namespace talus
