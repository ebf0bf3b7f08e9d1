#include "solver/constraints/assemble_joints.h"

#include "solver/constraints/bilateral_row.h"
#include "solver/constraints/friction_row.h"
#include "solver/constraints/limit_row.h"
#include "solver/constraints/motor_row.h"

namespace talus {
namespace {

Pose FrameInWorld(const BodyStore& bodies, BodyId body, const Pose& frame) {
  if (body == kWorld) return frame;
  const size_t row = bodies.FindRow(body).value();
  return Pose{bodies.positions()[row], bodies.orientations()[row]} * frame;
}

JointRow MakeRow(const JointAxis& axis, double position, const StepSettings& settings) {
  const double h = settings.time_step_s;
  switch (axis.mode) {
    case AxisMode::kLocked:
      return MakeBilateralRow(axis, position, h, settings.recovery_speed_m_s, settings.theta);
    case AxisMode::kLimited:
      return MakeLimitRow(axis, position, h, settings.recovery_speed_m_s);
    case AxisMode::kMotor:
      return MakeMotorRow(axis, h);
    case AxisMode::kFriction:
      return MakeFrictionRow(axis, h);
    case AxisMode::kFree:
      break;
  }
  return {};
}

void AssembleSide(const JointState& joint, const JointPose& pose, const SceneState& state,
                  size_t side, JointRows& rows) {
  auto& direction = rows.directions[side];
  direction.setZero();
  const BodyId body = side == 0 ? joint.body_a : joint.body_b;
  rows.bodies[side] = kWorldRow;
  if (body == kWorld) return;
  const size_t row = state.bodies.FindRow(body).value();
  rows.bodies[side] = static_cast<uint32_t>(row);
  const Vec3 arm = pose.point - state.bodies.positions()[row];
  const double sign = side == 0 ? -1.0 : 1.0;
  for (int k = 0; k < 3; ++k) {
    const Vec3 axis = sign * pose.axes.col(k);
    if (joint.def.axes[k].mode != AxisMode::kFree) {
      direction.col(k).head<3>() = axis;
      direction.col(k).tail<3>() = arm.cross(axis);
    }
    if (joint.def.axes[kRotations + k].mode != AxisMode::kFree) {
      direction.col(kRotations + k).tail<3>() = axis;
    }
  }
}

}  // namespace

JointPose FindJointPose(const JointState& joint, const BodyStore& bodies) {
  return FindJointPose(FrameInWorld(bodies, joint.body_a, joint.def.frame_a),
                       FrameInWorld(bodies, joint.body_b, joint.def.frame_b), joint.def.axes);
}

void AssembleJoints(const SceneState& state, std::vector<JointRows>& joints) {
  joints.resize(state.joints.size());
  for (size_t index = 0; index < joints.size(); ++index) {
    const JointState& joint = state.joints[index];
    const JointPose pose = FindJointPose(joint, state.bodies);
    JointRows& rows = joints[index];
    for (size_t side = 0; side < 2; ++side) AssembleSide(joint, pose, state, side, rows);
    for (int k = 0; k < 6; ++k) {
      const JointRow row = MakeRow(joint.def.axes[k], pose.positions[k], state.settings);
      rows.bias[k] = row.bias;
      rows.lower[k] = row.lower;
      rows.upper[k] = row.upper;
      rows.compliance[k] = row.compliance;
    }
  }
}

}  // namespace talus
