// Vectors and rotations between the wire and the solver. Numbers pass as they are, bit for bit:
// whether they are finite, unit or in range is the question of solver/scene/validate.
#pragma once

#include "solver/base/math.h"
#include "talus/v1/geometry.pb.h"

namespace talus::wire {

inline Vec3 DecodeVector(const v1::Vector3& message) {
  return Vec3(message.x(), message.y(), message.z());
}
inline Quat DecodeQuaternion(const v1::Quaternion& message) {
  return Quat(message.w(), message.x(), message.y(), message.z());
}

inline void EncodeVector(const Vec3& vector, v1::Vector3& message) {
  message.set_x(vector.x());
  message.set_y(vector.y());
  message.set_z(vector.z());
}
inline void EncodeQuaternion(const Quat& rotation, v1::Quaternion& message) {
  message.set_w(rotation.w());
  message.set_x(rotation.x());
  message.set_y(rotation.y());
  message.set_z(rotation.z());
}

}  // namespace talus::wire
