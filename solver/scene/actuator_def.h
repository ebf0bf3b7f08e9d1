// What of a scene can be driven from outside while it runs: a load on a body, the motion of a
// kinematic body, the target of a joint's axis.
//
// An actuator takes a fixed count of values. They act in every step from the next one on, until
// they are set again or what they drive goes; a snapshot and a fork hold them.
//
//   BODY_WRENCH     6  force (N), then torque about the centre of mass (N m), world frame, on a
//                      dynamic body; added to gravity: v_f = v + h (g + F / m)
//   BODY_VELOCITY   6  linear (m/s), then angular velocity (rad/s), world frame, of a kinematic
//   body JOINT_VELOCITY  1  target of a MOTOR axis, m/s or rad/s JOINT_FORCE     1  the most force
//   of a MOTOR or FRICTION axis, N or N m, >= 0 JOINT_POSITION  1  where a LOCKED axis is held,
//   rigidly or by its spring, m or rad
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace talus {

enum class ActuatorKind : uint8_t {
  kBodyWrench = 1,
  kBodyVelocity = 2,
  kJointVelocity = 3,
  kJointForce = 4,
  kJointPosition = 5,
};

inline constexpr size_t kMostActuatorValues = 6;

// How many values an actuator of this kind takes.
constexpr size_t CountValues(ActuatorKind kind) {
  const bool of_body = kind == ActuatorKind::kBodyWrench || kind == ActuatorKind::kBodyVelocity;
  return of_body ? kMostActuatorValues : 1;
}

constexpr bool DrivesJoint(ActuatorKind kind) { return CountValues(kind) == 1; }

struct ActuatorDef {
  ActuatorKind kind = ActuatorKind::kBodyWrench;
  uint64_t id = 0;   // of the body or joint; 0: by name
  std::string name;  // of the body or joint; empty: by id
  int axis = 0;      // of a joint, 0 to 5 as in JointDef::axes; 0 for a body

  bool operator==(const ActuatorDef&) const = default;
};

}  // namespace talus
