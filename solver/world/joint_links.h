// Which body rows the joints of a scene connect, and what that means beside the solve: for islands,
// for collisions, and when bodies or joints go.
//
// A joint goes with either of its bodies.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "solver/constraints/joint_rows.h"
#include "solver/state/scene_state.h"

namespace talus {

struct JointLink {
  uint32_t row_a = kWorldRow;  // kWorldRow: the world
  uint32_t row_b = kWorldRow;
  bool driven = false;  // by a motor whose target is not zero: its bodies do not sleep
};

// By joint, in the order of the state. The memory is reused.
void FindJointLinks(const SceneState& state, std::vector<JointLink>& links);

// The rows whose bodies may not collide, the smaller one first, sorted.
void FindExcludedRows(const SceneState& state,
                      std::vector<std::pair<uint32_t, uint32_t>>& excluded);

// The bodies of the joint wake, or count from 0 again until they sleep.
void WakeJoined(const JointState& joint, SceneState& state);

// Takes out the joints and loads of bodies that leave and wakes the bodies that stay. `leaving` has
// one entry a row.
void RemoveJointsAndLoadsOf(std::span<const uint8_t> leaving, SceneState& state);

}  // namespace talus
