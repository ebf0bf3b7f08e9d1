#include "solver/state/joint_snapshot.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "solver/base/limits.h"
#include "solver/base/status.h"
#include "solver/scene/validate.h"

namespace talus {
namespace {

// Ids up to here are exact as doubles, as a client may hold them.
constexpr uint64_t kMaxJointId = uint64_t{1} << 53;

void EncodePose(const Pose& pose, ByteWriter& out) {
  out.WriteVector(pose.position);
  out.WriteQuaternion(pose.orientation);
}

Pose DecodePose(ByteReader& in) {
  Pose pose;
  pose.position = in.ReadVector();
  pose.orientation = in.ReadQuaternion();
  return pose;
}

template <typename Axis, typename Visit>
void VisitNumbers(Axis& axis, const Visit& visit) {
  visit(axis.position);
  visit(axis.compliance);
  visit(axis.lower);
  visit(axis.upper);
  visit(axis.velocity);
  visit(axis.max_force);
}

constexpr size_t kAxisBytes = 1 + 6 * sizeof(double);
constexpr size_t kJointBytes = 3 * 8 + 4 + 14 * sizeof(double) + 6 * kAxisBytes + 1 + 6 * 8;

JointState DecodeJoint(ByteReader& in) {
  JointState joint;
  joint.id = in.Read<JointId>();
  joint.body_a = in.Read<BodyId>();
  joint.body_b = in.Read<BodyId>();
  joint.def.name = in.ReadText(kMaxNameLength);
  joint.def.frame_a = DecodePose(in);
  joint.def.frame_b = DecodePose(in);
  for (JointAxis& axis : joint.def.axes) {
    axis.mode = in.Read<AxisMode>();
    VisitNumbers(axis, [&](double& value) { value = in.Read<double>(); });
  }
  const auto collide = in.Read<uint8_t>();
  if (collide > 1) in.Fail();
  joint.def.bodies_collide = collide == 1;
  for (double& value : joint.impulse) value = in.Read<double>();
  return joint;
}

absl::Status NameBodies(const BodyStore& bodies, JointState& joint) {
  for (const auto& [id, name] : {std::pair<BodyId, std::string*>{joint.body_a, &joint.def.body_a},
                                 {joint.body_b, &joint.def.body_b}}) {
    if (id == kWorld && name == &joint.def.body_a) continue;
    const std::optional<size_t> row = bodies.FindRow(id);
    if (!row.has_value() || bodies.name(*row).empty()) {
      return absl::InvalidArgumentError("a joint holds no body of the scene");
    }
    *name = bodies.name(*row);
  }
  return absl::OkStatus();
}

absl::Status CheckJoints(const SceneState& state) {
  if (state.joints.size() > kMaxJoints) return absl::InvalidArgumentError("too many joints");
  if (!state.joints.empty()) TALUS_RETURN_IF_ERROR(ValidateJointSolver(state.settings.solver));
  std::vector<JointDef> defs;
  uint64_t least = 1;
  for (const JointState& joint : state.joints) {
    if (ToInteger(joint.id) < least || ToInteger(joint.id) >= state.next_joint_id) {
      return absl::InvalidArgumentError("joint ids must grow");
    }
    least = ToInteger(joint.id) + 1;
    if (!std::ranges::all_of(joint.impulse, [](double v) { return std::isfinite(v); })) {
      return absl::InvalidArgumentError("a joint's impulse is not finite");
    }
    defs.push_back(joint.def);
  }
  // A copy is normalised: the state keeps the bits it was saved with.
  const NameTest none = [](std::string_view) { return false; };
  return ValidateJoints(defs, none, [&](std::string_view name) {
    const std::optional<size_t> row = state.bodies.FindRow(name);
    return row.has_value() ? std::optional(state.bodies.kinds()[*row]) : std::nullopt;
  });
}

}  // namespace

void EncodeJoints(const SceneState& state, ByteWriter& out) {
  out.Write(state.next_joint_id);
  out.Write(static_cast<uint64_t>(state.joints.size()));
  for (const JointState& joint : state.joints) {
    out.Write(joint.id);
    out.Write(joint.body_a);
    out.Write(joint.body_b);
    out.WriteText(joint.def.name);
    EncodePose(joint.def.frame_a, out);
    EncodePose(joint.def.frame_b, out);
    for (const JointAxis& axis : joint.def.axes) {
      out.Write(axis.mode);
      VisitNumbers(axis, [&](const double& value) { out.Write(value); });
    }
    out.Write(static_cast<uint8_t>(joint.def.bodies_collide ? 1 : 0));
    for (const double value : joint.impulse) out.Write(value);
  }
}

absl::Status DecodeJoints(ByteReader& in, SceneState& state) {
  state.next_joint_id = in.Read<uint64_t>();
  const uint64_t count = in.ReadCount(kJointBytes);
  for (uint64_t index = 0; index < count && in.ok(); ++index) {
    state.joints.push_back(DecodeJoint(in));
  }
  // A scene that never had joints is of another version.
  if (!in.ok() || state.next_joint_id < 2 || state.next_joint_id > kMaxJointId) {
    return absl::InvalidArgumentError("the joints do not parse");
  }
  for (JointState& joint : state.joints) {
    TALUS_RETURN_IF_ERROR(NameBodies(state.bodies, joint));
  }
  return CheckJoints(state);
}

}  // namespace talus
