#include "server/model/joint_axes.h"

#include "solver/base/limits.h"

namespace talus::model {

int FindMovingAxis(UrdfJointKind kind) {
  if (kind == UrdfJointKind::kPrismatic) return 0;
  const bool turns = kind == UrdfJointKind::kRevolute || kind == UrdfJointKind::kContinuous;
  return turns ? kRotations : -1;
}

std::array<JointAxis, 6> FindAxes(const UrdfJoint& joint, UnsupportedList& unsupported) {
  std::array<JointAxis, 6> axes;
  axes.fill(JointAxis::Locked());
  if (joint.kind == UrdfJointKind::kPlanar) {
    for (const size_t axis : {1, 2, kRotations}) axes[axis] = JointAxis::Free();
    return axes;
  }
  const int moving = FindMovingAxis(joint.kind);
  if (moving < 0) return axes;
  JointAxis& axis = axes[static_cast<size_t>(moving)];
  axis = JointAxis::Free();
  if (joint.kind == UrdfJointKind::kContinuous || !joint.limit.has_value()) return axes;
  const auto [lower, upper, effort, velocity] = *joint.limit;
  const double reach = moving == 0 ? kMaxSizeM : kMaxJointAngleRad;
  if (lower < -reach || upper > reach) {
    unsupported.Add({"joint[" + joint.name + "].limit", joint.line,
                     moving == 0 ? "limits beyond 1e6 m: it slides without any"
                                 : "limits beyond 3 rad: it turns without any"});
    return axes;
  }
  axis = lower < upper ? JointAxis::Limited(lower, upper) : JointAxis::Locked(lower);
  return axes;
}

Pose MoveTo(const UrdfJoint& joint, double position) {
  if (joint.kind == UrdfJointKind::kPrismatic) return {position * joint.axis, Quat::Identity()};
  return {Vec3::Zero(), Quat(Eigen::AngleAxisd(position, joint.axis))};
}

}  // namespace talus::model
