// Vectors, rotations and the few operations on them that the whole solver shares.
//
// SI units, right-handed frames, double precision. Quaternions are unit, world <- body.
#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <cmath>

namespace talus {

using Vec3 = Eigen::Vector3d;
using Mat3 = Eigen::Matrix3d;
using Quat = Eigen::Quaterniond;

struct Pose {
  Vec3 position = Vec3::Zero();
  Quat orientation = Quat::Identity();

  Vec3 operator*(const Vec3& point) const { return orientation * point + position; }
  Pose operator*(const Pose& inner) const {
    return {orientation * inner.position + position, orientation * inner.orientation};
  }
  // The point in this pose's own frame.
  Vec3 InverseTransform(const Vec3& point) const {
    return orientation.conjugate() * (point - position);
  }
};

// The rotation by `angle_vector` (axis times angle in radians): the exponential map of so(3).
inline Quat ExpRotation(const Vec3& angle_vector) {
  const double angle = angle_vector.norm();
  // Below 1e-4 rad the series of sin(angle / 2) / angle is exact to machine precision.
  const double scale = angle > 1e-4 ? std::sin(0.5 * angle) / angle : 0.5 - angle * angle / 48.0;
  return Quat(std::cos(0.5 * angle), scale * angle_vector.x(), scale * angle_vector.y(),
              scale * angle_vector.z());
}

inline bool IsFinite(const Vec3& v) {
  return std::isfinite(v.x()) && std::isfinite(v.y()) && std::isfinite(v.z());
}
inline bool IsFinite(const Quat& q) {
  return std::isfinite(q.w()) && std::isfinite(q.x()) && std::isfinite(q.y()) &&
         std::isfinite(q.z());
}

}  // namespace talus
