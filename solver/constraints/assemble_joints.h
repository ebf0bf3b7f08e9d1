// From the joints of a scene to their rows in this step.
//
// Both bodies receive the impulse at the same point, B's origin of the joint, so that linear and
// angular momentum are kept:  D_B = (a_k, r_B × a_k),  D_A = −(a_k, r_A × a_k)  for a translation
// along a_k, r from each centre of mass to that point; ±(0, a_k) for a rotation. D_Aᵀ v_A + D_Bᵀ
// v_B is then the rate of the positions of joint_pose.h at the start of the step.
#pragma once

#include <vector>

#include "solver/constraints/joint_pose.h"
#include "solver/constraints/joint_rows.h"
#include "solver/state/scene_state.h"

namespace talus {

// Where a joint stands in this state.
JointPose FindJointPose(const JointState& joint, const BodyStore& bodies);

// By joint, in the order of the state.
void AssembleJoints(const SceneState& state, std::vector<JointRows>& joints);

}  // namespace talus
