#include <algorithm>
#include <cmath>
#include <set>

#include "solver/base/field_error.h"
#include "solver/base/limits.h"
#include "solver/base/status.h"
#include "solver/scene/field_checks.h"
#include "solver/scene/validate.h"

namespace talus {
namespace {

// Which fields of an axis its mode reads.
struct AxisFields {
  bool spring = false;
  bool range = false;
  bool velocity = false;
  bool force = false;
};

AxisFields FieldsOf(AxisMode mode) {
  return {.spring = mode == AxisMode::kLocked,
          .range = mode == AxisMode::kLimited,
          .velocity = mode == AxisMode::kMotor,
          .force = mode == AxisMode::kMotor || mode == AxisMode::kFriction};
}

absl::Status RefuseUnused(const FieldPath& path, const JointAxis& axis) {
  const AxisFields used = FieldsOf(axis.mode);
  const struct {
    const char* name;
    bool used;
    double value;
  } fields[] = {
      {"position", used.spring, axis.position},   {"compliance", used.spring, axis.compliance},
      {"lower", used.range, axis.lower},          {"upper", used.range, axis.upper},
      {"velocity", used.velocity, axis.velocity}, {"max_force", used.force, axis.max_force}};
  for (const auto& field : fields) {
    if (field.used || field.value == 0.0) continue;
    return FieldError(FieldPath(path, field.name).ToString(), FormatValue(field.value),
                      "must be 0 on an axis of this mode");
  }
  return absl::OkStatus();
}

absl::Status ValidateAxis(const FieldPath& path, const JointAxis& axis, bool rotation) {
  if (axis.mode > AxisMode::kFriction) {
    return FieldError(FieldPath(path, "mode").ToString(),
                      FormatValue(static_cast<int64_t>(axis.mode)),
                      "must be FREE, LOCKED, LIMITED, MOTOR or FRICTION");
  }
  const double reach = rotation ? kMaxJointAngleRad : kMaxSizeM;
  TALUS_RETURN_IF_ERROR(RefuseUnused(path, axis));
  TALUS_RETURN_IF_ERROR(CheckMagnitude(FieldPath(path, "position"), axis.position, reach));
  TALUS_RETURN_IF_ERROR(
      CheckNotNegative(FieldPath(path, "compliance"), axis.compliance, kMaxCompliance));
  TALUS_RETURN_IF_ERROR(CheckMagnitude(FieldPath(path, "lower"), axis.lower, reach));
  TALUS_RETURN_IF_ERROR(CheckMagnitude(FieldPath(path, "upper"), axis.upper, reach));
  if (axis.mode == AxisMode::kLimited && !(axis.lower < axis.upper)) {
    return FieldError(FieldPath(path, "upper").ToString(), FormatValue(axis.upper),
                      "must be > lower = " + FormatValue(axis.lower));
  }
  TALUS_RETURN_IF_ERROR(CheckMagnitude(FieldPath(path, "velocity"), axis.velocity,
                                       rotation ? kMaxAngularSpeedRadS : kMaxSpeedMS));
  const bool unlimited = axis.mode == AxisMode::kMotor && std::isinf(axis.max_force);
  if (unlimited && axis.max_force > 0.0) return absl::OkStatus();
  return CheckNotNegative(FieldPath(path, "max_force"), axis.max_force, kMaxForce);
}

absl::Status ValidateRotations(const FieldPath& path, const std::array<JointAxis, 6>& axes) {
  int moving = 0;
  int limited = -1;
  for (int axis = kRotations; axis < 6; ++axis) {
    moving += axes[axis].mode != AxisMode::kLocked ? 1 : 0;
    if (axes[axis].mode == AxisMode::kLimited) limited = axis;
  }
  if (moving == 2) {
    return FieldError(FieldPath(path, "axes").ToString(), "two rotations that are not locked",
                      "must lock all rotations, all but one, or none");
  }
  if (moving == 3 && limited >= 0) {
    return FieldError(FieldPath(path, "axes", static_cast<size_t>(limited)).ToString(), "LIMITED",
                      "must have the other two rotations locked");
  }
  return absl::OkStatus();
}

// `position`, `orientation`: what the schema calls them.
absl::Status ValidateFrame(const FieldPath& path, const char* position, const char* orientation,
                           Pose& frame, double reach) {
  TALUS_RETURN_IF_ERROR(CheckMagnitude(FieldPath(path, position), frame.position, reach));
  return NormalizeOrientation(FieldPath(path, orientation), frame.orientation);
}

absl::Status ValidateEnds(const FieldPath& path, const JointDef& joint, const FindKind& find_kind) {
  bool dynamic = false;
  for (const auto& [field, name] :
       {std::pair<const char*, const std::string*>{"body_a", &joint.body_a},
        {"body_b", &joint.body_b}}) {
    const bool world = name == &joint.body_a && name->empty();
    const std::optional<BodyKind> kind = world ? BodyKind::kStatic : find_kind(*name);
    if (!kind.has_value()) {
      return FieldError(FieldPath(path, field).ToString(), FormatValue(*name),
                        "must name a body of the scene");
    }
    dynamic = dynamic || *kind == BodyKind::kDynamic;
  }
  const FieldPath body_b(path, "body_b");
  if (joint.body_a == joint.body_b) {
    return FieldError(body_b.ToString(), FormatValue(joint.body_b), "must differ from body_a");
  }
  if (dynamic) return absl::OkStatus();
  return FieldError(body_b.ToString(), FormatValue(joint.body_b),
                    "must be dynamic where body_a is not");
}

}  // namespace

absl::Status ValidateJoints(std::span<JointDef> joints, const NameTest& joint_exists,
                            const FindKind& find_kind) {
  std::set<std::string_view> names;
  for (size_t index = 0; index < joints.size(); ++index) {
    const FieldPath path("joints", index);
    JointDef& joint = joints[index];
    TALUS_RETURN_IF_ERROR(ValidateEnds(path, joint, find_kind));
    TALUS_RETURN_IF_ERROR(ValidateFrame(path, "position_a_m", "orientation_a", joint.frame_a,
                                        joint.body_a.empty() ? kMaxPositionM : kMaxSizeM));
    TALUS_RETURN_IF_ERROR(
        ValidateFrame(path, "position_b_m", "orientation_b", joint.frame_b, kMaxSizeM));
    for (size_t axis = 0; axis < joint.axes.size(); ++axis) {
      TALUS_RETURN_IF_ERROR(
          ValidateAxis(FieldPath(path, "axes", axis), joint.axes[axis], axis >= kRotations));
    }
    TALUS_RETURN_IF_ERROR(ValidateRotations(path, joint.axes));
    if (joint.name.empty()) continue;
    const FieldPath name(path, "name");
    TALUS_RETURN_IF_ERROR(CheckName(name, joint.name));
    if (joint_exists(joint.name) || !names.insert(joint.name).second) {
      return FieldError(name.ToString(), FormatValue(joint.name), "must be unique in the scene",
                        absl::StatusCode::kAlreadyExists);
    }
  }
  return absl::OkStatus();
}

}  // namespace talus
