// What an agent of the environment face can do to a scene: its actions, each an actuator under a
// name.
//
//   body.NAME.wrench             6  N, N m, world frame     of a dynamic body
//   body.NAME.velocity           6  m/s, rad/s, world frame of a kinematic body
//   joint.NAME.AXIS.velocity     1  m/s or rad/s            of a MOTOR axis
//   joint.NAME.AXIS.force        1  N or N m, >= 0          of a MOTOR or FRICTION axis
//   joint.NAME.AXIS.position     1  m or rad                of a LOCKED axis
//
// AXIS is x, y, z, rx, ry or rz; what has no name is called `#ID`.
#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "server/stream/frame.h"
#include "solver/scene/actuator_def.h"
#include "solver/scene/joint_def.h"
#include "solver/world/joint_record.h"

namespace talus {

struct EnvironmentAction {
  std::string name;
  ActuatorDef actuator;
  double min = 0.0;  // of each value, inclusive
  double max = 0.0;
};

// How far actions may go: an agent in search of its limits shall not end the scene.
struct ActionBounds {
  double force = 1e3;  // N and N m, in (0, 1e15]
  double speed = 1e2;  // m/s and rad/s, in (0, 1e6]
};

inline constexpr size_t kMostActions = 4096;

// The action of this name; whether there is something for it to drive is the scene's question.
// INVALID_ARGUMENT naming `field`.
absl::StatusOr<EnvironmentAction> ParseAction(const std::string& name, const ActionBounds& bounds,
                                              const std::string& field);
// The wrench of each dynamic body, the velocity of each kinematic one, then that of each MOTOR
// axis. RESOURCE_EXHAUSTED beyond kMostActions. `defs` are those of `joints`, in their order.
absl::StatusOr<std::vector<EnvironmentAction>> ListActions(const Layout& layout,
                                                           const std::vector<JointRecord>& joints,
                                                           const std::vector<JointDef>& defs,
                                                           const ActionBounds& bounds);

}  // namespace talus
