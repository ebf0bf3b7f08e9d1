#include "solver/constraints/joint_pose.h"

#include <cmath>

namespace talus {
namespace {

// The one rotation that is not locked, 0 to 2; −1 where there are none or three.
int FindTwistAxis(const std::array<JointAxis, 6>& axes) {
  int twist = -1;
  int count = 0;
  for (int k = 0; k < 3; ++k) {
    if (axes[kRotations + k].mode == AxisMode::kLocked) continue;
    twist = k;
    ++count;
  }
  return count == 1 ? twist : -1;
}

// The vector of a rotation: axis times angle, |angle| ≤ π. The logarithm of SO(3).
Vec3 RotationVector(Quat turn) {
  if (turn.w() < 0.0) turn.coeffs() = -turn.coeffs();
  const double sine = turn.vec().norm();
  // angle / sin(angle / 2) is 2 to machine precision for small angles.
  const double scale = sine > 1e-8 ? 2.0 * std::atan2(sine, turn.w()) / sine : 2.0;
  return scale * turn.vec();
}

Vec3 RotationPositions(const Quat& turn, int twist_axis) {
  if (twist_axis < 0) return RotationVector(turn);
  const double along = turn.vec()[twist_axis];
  const double length = std::hypot(turn.w(), along);
  // A tilt of half a turn leaves the angle open.
  if (length == 0.0) return RotationVector(turn);
  Quat twist(turn.w() / length, 0.0, 0.0, 0.0);
  twist.vec()[twist_axis] = along / length;
  if (twist.w() < 0.0) twist.coeffs() = -twist.coeffs();
  Vec3 positions = RotationVector(turn * twist.conjugate());
  positions[twist_axis] = 2.0 * std::atan2(twist.vec()[twist_axis], twist.w());
  return positions;
}

}  // namespace

JointPose FindJointPose(const Pose& frame_a, const Pose& frame_b,
                        const std::array<JointAxis, 6>& axes) {
  JointPose pose;
  pose.axes = frame_a.orientation.toRotationMatrix();
  pose.point = frame_b.position;
  pose.positions.head<3>() = pose.axes.transpose() * (frame_b.position - frame_a.position);
  const Quat turn = frame_a.orientation.conjugate() * frame_b.orientation;
  pose.positions.tail<3>() = RotationPositions(turn, FindTwistAxis(axes));
  return pose;
}

}  // namespace talus
