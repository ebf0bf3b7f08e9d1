#include "server/wire/joint_codec.h"

#include <limits>
#include <string>

#include "server/wire/geometry_codec.h"
#include "solver/base/field_error.h"

namespace talus::wire {
namespace {

constexpr double kNoLimit = std::numeric_limits<double>::infinity();

absl::StatusOr<AxisMode> DecodeMode(v1::AxisMode mode, const FieldPath& path) {
  switch (mode) {
    case v1::AXIS_MODE_UNSPECIFIED:
    case v1::AXIS_MODE_FREE:
      return AxisMode::kFree;
    case v1::AXIS_MODE_LOCKED:
      return AxisMode::kLocked;
    case v1::AXIS_MODE_LIMITED:
      return AxisMode::kLimited;
    case v1::AXIS_MODE_MOTOR:
      return AxisMode::kMotor;
    case v1::AXIS_MODE_FRICTION:
      return AxisMode::kFriction;
    default:
      return FieldError(path.ToString(), std::to_string(static_cast<int>(mode)),
                        "must be a value of AxisMode");
  }
}

v1::AxisMode EncodeMode(AxisMode mode) {
  switch (mode) {
    case AxisMode::kFree:
      return v1::AXIS_MODE_FREE;
    case AxisMode::kLocked:
      return v1::AXIS_MODE_LOCKED;
    case AxisMode::kLimited:
      return v1::AXIS_MODE_LIMITED;
    case AxisMode::kMotor:
      return v1::AXIS_MODE_MOTOR;
    case AxisMode::kFriction:
      return v1::AXIS_MODE_FRICTION;
  }
  return v1::AXIS_MODE_UNSPECIFIED;
}

absl::StatusOr<JointAxis> DecodeAxis(const v1::JointAxis& message, const FieldPath& path) {
  absl::StatusOr<AxisMode> mode = DecodeMode(message.mode(), FieldPath(path, "mode"));
  if (!mode.ok()) return mode.status();
  JointAxis axis;
  axis.mode = *mode;
  axis.position = message.position();
  axis.compliance = message.compliance();
  axis.lower = message.lower();
  axis.upper = message.upper();
  axis.velocity = message.velocity();
  axis.max_force = message.max_force();
  if (axis.mode == AxisMode::kMotor && !message.has_max_force()) {
    axis.max_force = kNoLimit;
  }
  return axis;
}

}  // namespace

absl::StatusOr<std::vector<JointDef>> DecodeJoints(
    const google::protobuf::RepeatedPtrField<v1::JointSpec>& messages, const FieldPath* parent) {
  std::vector<JointDef> joints;
  joints.reserve(static_cast<size_t>(messages.size()));
  for (const v1::JointSpec& message : messages) {
    const FieldPath path = parent == nullptr ? FieldPath("joints", joints.size())
                                             : FieldPath(*parent, "joints", joints.size());
    JointDef& joint = joints.emplace_back();
    joint.name = message.name();
    joint.body_a = message.body_a();
    joint.body_b = message.body_b();
    joint.frame_a.position = DecodeVector(message.position_a_m());
    joint.frame_b.position = DecodeVector(message.position_b_m());
    if (message.has_orientation_a()) {
      joint.frame_a.orientation = DecodeQuaternion(message.orientation_a());
    }
    if (message.has_orientation_b()) {
      joint.frame_b.orientation = DecodeQuaternion(message.orientation_b());
    }
    if (static_cast<size_t>(message.axes_size()) > joint.axes.size()) {
      return FieldError("size(" + FieldPath(path, "axes").ToString() + ")",
                        std::to_string(message.axes_size()), "must be <= 6");
    }
    for (int k = 0; k < message.axes_size(); ++k) {
      absl::StatusOr<JointAxis> axis =
          DecodeAxis(message.axes(k), FieldPath(path, "axes", static_cast<size_t>(k)));
      if (!axis.ok()) return axis.status();
      joint.axes[static_cast<size_t>(k)] = *axis;
    }
    joint.bodies_collide = message.bodies_collide();
  }
  return joints;
}

void EncodeJoint(const JointDef& joint, v1::JointSpec& message) {
  message.set_name(joint.name);
  message.set_body_a(joint.body_a);
  message.set_body_b(joint.body_b);
  EncodeVector(joint.frame_a.position, *message.mutable_position_a_m());
  EncodeQuaternion(joint.frame_a.orientation, *message.mutable_orientation_a());
  EncodeVector(joint.frame_b.position, *message.mutable_position_b_m());
  EncodeQuaternion(joint.frame_b.orientation, *message.mutable_orientation_b());
  for (const JointAxis& axis : joint.axes) {
    v1::JointAxis& encoded = *message.add_axes();
    encoded.set_mode(EncodeMode(axis.mode));
    encoded.set_position(axis.position);
    encoded.set_compliance(axis.compliance);
    encoded.set_lower(axis.lower);
    encoded.set_upper(axis.upper);
    encoded.set_velocity(axis.velocity);
    // A motor without limit has none on the wire.
    if (axis.mode != AxisMode::kMotor || axis.max_force != kNoLimit) {
      encoded.set_max_force(axis.max_force);
    }
  }
  message.set_bodies_collide(joint.bodies_collide);
}

void EncodeJointState(const JointRecord& record, v1::JointState& message) {
  message.set_joint_id(ToInteger(record.id));
  message.set_name(record.name);
  message.set_body_a_id(ToInteger(record.body_a));
  message.set_body_b_id(ToInteger(record.body_b));
  EncodeVector(record.translation_m, *message.mutable_translation_m());
  EncodeVector(record.rotation_rad, *message.mutable_rotation_rad());
  EncodeVector(record.force_n, *message.mutable_force_n());
  EncodeVector(record.torque_n_m, *message.mutable_torque_n_m());
  EncodeQuaternion(record.axes_world, *message.mutable_axes_world());
}

}  // namespace talus::wire
