// Where a joint stands: its axes in the world and the six positions of frame B as seen from frame
// A.
//
// Translations are those of B's origin along A's axes. Rotations are the vector of the rotation
// A ← B; where one rotation is not locked they are the angle of B about that axis, in (−π, π], and
// the tilt that then takes it to where it is, which is zero where the locks hold. Neither then
// jumps before half a turn.
#pragma once

#include <array>

#include "solver/base/math.h"
#include "solver/contact/wrench.h"
#include "solver/scene/joint_def.h"

namespace talus {

struct JointPose {
  Mat3 axes;         // columns, world
  Vec3 point;        // B's origin, world: where the joint acts on both bodies
  Wrench positions;  // m, rad
};

// `frame_a`, `frame_b`: world <- joint.
JointPose FindJointPose(const Pose& frame_a, const Pose& frame_b,
                        const std::array<JointAxis, 6>& axes);

}  // namespace talus
