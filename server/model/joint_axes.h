// From a joint of a URDF model to the axes of one in a scene: what its kind and its limits come to.
// What else acts on it is a joint of its own (model_import.cc).
#pragma once

#include <array>

#include "server/model/unsupported_list.h"
#include "server/model/urdf_model.h"
#include "solver/scene/joint_def.h"

namespace talus::model {

// The axes of the joint itself; its frames have x along the URDF joint's axis. Limits that no axis
// can have are listed, and the axis is free.
std::array<JointAxis, 6> FindAxes(const UrdfJoint& joint, UnsupportedList& unsupported);
// Which of them moves alone; -1: none or several.
int FindMovingAxis(UrdfJointKind kind);

// child <- child at position 0, of a joint that moves along one axis.
Pose MoveTo(const UrdfJoint& joint, double position);

}  // namespace talus::model
