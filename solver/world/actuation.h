// Driving a scene from outside: from what a caller calls an actuator to the body or joint it
// drives, and from values to the state they act on.
//
// Targets are found once and hold as long as the body or joint is there: ids are never reused. What
// was driven to other values than before wakes.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "solver/scene/actuator_def.h"

namespace talus {

struct SceneState;

// What one actuator drives.
struct ActuatorTarget {
  ActuatorKind kind = ActuatorKind::kBodyWrench;
  uint64_t id = 0;  // of the body or joint
  int axis = 0;

  bool operator==(const ActuatorTarget&) const = default;
};

struct ActuatorTargets {
  std::vector<ActuatorTarget> targets;  // in the order of the definitions
  size_t value_count = 0;               // of all together
};

// NOT_FOUND: no such body or joint. INVALID_ARGUMENT: neither id nor name, or both; a body or axis
// of another kind; a target given twice. RESOURCE_EXHAUSTED beyond base/limits.h. Paths begin with
// `actuators`.
absl::StatusOr<ActuatorTargets> FindActuatorTargets(const SceneState& state,
                                                    std::span<const ActuatorDef> actuators);

// What setting values has changed.
enum class ActuationEffect : uint8_t {
  kNone,    // all were what they had been
  kJoints,  // targets of joints
  kBodies,  // loads or velocities: bodies move differently also where nothing holds them
};

// What acted before, for setting it again.
struct DrivenBefore {
  struct One {
    ActuatorTarget target;
    std::array<double, 6> values{};
    bool actuated = false;  // of a joint
  };
  std::vector<One> ones;
  std::vector<uint32_t> still_steps;  // where bodies may sleep
  ActuationEffect effect = ActuationEffect::kNone;

  void Forget() {
    ones.clear();
    effect = ActuationEffect::kNone;
  }
};

// All or none: sets the values, in the order of the targets, and tells in `before` what they were.
// INVALID_ARGUMENT names the value (`values[3]`), their count, or a target that is of another kind
// in this state; NOT_FOUND where a body or joint has gone.
absl::StatusOr<ActuationEffect> Actuate(const ActuatorTargets& actuators,
                                        std::span<const double> values, SceneState& state,
                                        DrivenBefore& before);

// The state as it was before that Actuate, to the bit, where it has not changed otherwise since.
void TakeBackActuation(const DrivenBefore& before, SceneState& state);

}  // namespace talus
