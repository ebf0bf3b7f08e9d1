#include "solver/world/actuation.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <string>
#include <tuple>

#include "solver/base/field_error.h"
#include "solver/base/limits.h"
#include "solver/base/status.h"
#include "solver/scene/field_checks.h"
#include "solver/state/scene_state.h"
#include "solver/world/joint_links.h"

namespace talus {
namespace {

std::string PathOf(size_t index, const char* field) {
  return FieldPath(FieldPath("actuators", index), field).ToString();
}

absl::Status RefuseMissing(size_t index, const ActuatorDef& def) {
  const std::string allowed =
      std::string("must be ") + (DrivesJoint(def.kind) ? "a joint" : "a body") + " of the scene";
  const bool by_id = def.id != 0;
  return FieldError(PathOf(index, by_id ? "id" : "name"),
                    by_id ? FormatValue(def.id) : FormatValue(def.name), allowed,
                    absl::StatusCode::kNotFound);
}

absl::Status CheckDef(size_t index, const ActuatorDef& def) {
  if (def.kind < ActuatorKind::kBodyWrench || def.kind > ActuatorKind::kJointPosition) {
    return FieldError(PathOf(index, "kind"), FormatValue(static_cast<int64_t>(def.kind)),
                      "must be a value of ActuatorKind");
  }
  if ((def.id == 0) == def.name.empty()) {
    return FieldError(PathOf(index, "name"), FormatValue(def.name),
                      "must be given where id is 0, and only there");
  }
  const int most = DrivesJoint(def.kind) ? 5 : 0;
  return CheckRange(FieldPath(FieldPath("actuators", index), "axis"), int64_t{def.axis}, 0, most);
}

absl::Status CheckBodyKind(size_t index, ActuatorKind kind, BodyKind met) {
  const bool wrench = kind == ActuatorKind::kBodyWrench;
  if (met == (wrench ? BodyKind::kDynamic : BodyKind::kKinematic)) return absl::OkStatus();
  return FieldError(PathOf(index, "kind"), wrench ? "BODY_WRENCH" : "BODY_VELOCITY",
                    wrench ? "must drive a dynamic body" : "must drive a kinematic body");
}

absl::StatusOr<uint64_t> FindBody(const SceneState& state, size_t index, const ActuatorDef& def) {
  const std::optional<size_t> row =
      def.id != 0 ? state.bodies.FindRow(BodyId{def.id}) : state.bodies.FindRow(def.name);
  if (!row.has_value()) return RefuseMissing(index, def);
  TALUS_RETURN_IF_ERROR(CheckBodyKind(index, def.kind, state.bodies.kinds()[*row]));
  return ToInteger(state.bodies.ids()[*row]);
}

bool Drives(ActuatorKind kind, AxisMode mode) {
  switch (kind) {
    case ActuatorKind::kJointVelocity:
      return mode == AxisMode::kMotor;
    case ActuatorKind::kJointForce:
      return mode == AxisMode::kMotor || mode == AxisMode::kFriction;
    case ActuatorKind::kJointPosition:
      return mode == AxisMode::kLocked;
    default:
      return false;
  }
}

const char* DescribeDriven(ActuatorKind kind) {
  if (kind == ActuatorKind::kJointVelocity) return "must be an axis of mode MOTOR";
  if (kind == ActuatorKind::kJointForce) return "must be an axis of mode MOTOR or FRICTION";
  return "must be an axis of mode LOCKED";
}

absl::Status CheckAxisMode(size_t index, ActuatorKind kind, int axis, const JointState& joint) {
  if (Drives(kind, joint.def.axes[static_cast<size_t>(axis)].mode)) return absl::OkStatus();
  return FieldError(PathOf(index, "axis"), FormatValue(int64_t{axis}), DescribeDriven(kind));
}

absl::StatusOr<uint64_t> FindJoint(const SceneState& state, size_t index, const ActuatorDef& def) {
  const auto found = std::ranges::find_if(state.joints, [&](const JointState& joint) {
    return def.id != 0 ? ToInteger(joint.id) == def.id : joint.def.name == def.name;
  });
  if (found == state.joints.end()) return RefuseMissing(index, def);
  TALUS_RETURN_IF_ERROR(CheckAxisMode(index, def.kind, def.axis, *found));
  return ToInteger(found->id);
}

JointState* FindJointState(SceneState& state, uint64_t id) {
  const auto found = std::ranges::lower_bound(
      state.joints, id, {}, [](const JointState& joint) { return ToInteger(joint.id); });
  return found != state.joints.end() && ToInteger(found->id) == id ? &*found : nullptr;
}

double& TargetOf(const ActuatorTarget& target, JointState& joint) {
  JointAxis& axis = joint.def.axes[static_cast<size_t>(target.axis)];
  if (target.kind == ActuatorKind::kJointVelocity) return axis.velocity;
  if (target.kind == ActuatorKind::kJointForce) return axis.max_force;
  return axis.position;
}

// The largest magnitude of value `part` of a target.
double LimitOf(const ActuatorTarget& target, size_t part) {
  const bool rotation = target.axis >= kRotations;
  switch (target.kind) {
    case ActuatorKind::kBodyVelocity:
      return part < 3 ? kMaxSpeedMS : kMaxAngularSpeedRadS;
    case ActuatorKind::kJointVelocity:
      return rotation ? kMaxAngularSpeedRadS : kMaxSpeedMS;
    case ActuatorKind::kJointPosition:
      return rotation ? kMaxJointAngleRad : kMaxSizeM;
    default:
      return kMaxForce;
  }
}

absl::Status CheckValue(const ActuatorTarget& target, size_t part, double value, size_t index) {
  const FieldPath path("values", index);
  const double limit = LimitOf(target, part);
  if (target.kind == ActuatorKind::kJointForce) return CheckNotNegative(path, value, limit);
  return CheckMagnitude(path, value, limit);
}

// What was found once may have gone, or, where the scene was restored from another, be another
// thing.
absl::Status CheckTarget(const ActuatorTarget& target, size_t index, SceneState& state) {
  if (DrivesJoint(target.kind)) {
    const JointState* joint = FindJointState(state, target.id);
    if (joint != nullptr) return CheckAxisMode(index, target.kind, target.axis, *joint);
  } else if (const auto row = state.bodies.FindRow(BodyId{target.id})) {
    return CheckBodyKind(index, target.kind, state.bodies.kinds()[*row]);
  }
  return RefuseMissing(index, {target.kind, target.id, {}, target.axis});
}

bool SetLoad(BodyId body, std::span<const double> values, SceneState& state) {
  const BodyLoad load{body, Vec3(values[0], values[1], values[2]),
                      Vec3(values[3], values[4], values[5])};
  const bool any = !load.force.isZero(0.0) || !load.torque.isZero(0.0);
  const auto place = std::ranges::lower_bound(state.loads, body, {}, &BodyLoad::body);
  const bool loaded = place != state.loads.end() && place->body == body;
  if (!any && !loaded) return false;
  if (!any) {
    state.loads.erase(place);
  } else if (!loaded) {
    state.loads.insert(place, load);
  } else if (place->force == load.force && place->torque == load.torque) {
    return false;
  } else {
    *place = load;
  }
  state.bodies.Stir(state.bodies.FindRow(body).value());
  return true;
}

bool SetVelocity(BodyId body, std::span<const double> values, SceneState& state) {
  const size_t row = state.bodies.FindRow(body).value();
  const Vec3 linear(values[0], values[1], values[2]);
  const Vec3 angular(values[3], values[4], values[5]);
  if (state.bodies.linear_velocities()[row] == linear &&
      state.bodies.angular_velocities()[row] == angular) {
    return false;
  }
  state.bodies.SetVelocity(row, linear, angular);
  return true;
}

bool SetJoint(const ActuatorTarget& target, double value, SceneState& state) {
  JointState& joint = *FindJointState(state, target.id);
  double& driven = TargetOf(target, joint);
  if (driven == value) return false;
  driven = value;
  joint.actuated = true;
  WakeJoined(joint, state);
  return true;
}

ActuationEffect SetValues(const ActuatorTarget& target, std::span<const double> values,
                          SceneState& state) {
  using enum ActuationEffect;
  switch (target.kind) {
    case ActuatorKind::kBodyWrench:
      return SetLoad(BodyId{target.id}, values, state) ? kBodies : kNone;
    case ActuatorKind::kBodyVelocity:
      return SetVelocity(BodyId{target.id}, values, state) ? kBodies : kNone;
    default:
      return SetJoint(target, values[0], state) ? kJoints : kNone;
  }
}

DrivenBefore::One FindDriven(const ActuatorTarget& target, SceneState& state) {
  DrivenBefore::One driven{target};
  const auto store = [&](const Vec3& first, const Vec3& second) {
    driven.values = {first.x(), first.y(), first.z(), second.x(), second.y(), second.z()};
  };
  if (DrivesJoint(target.kind)) {
    JointState& joint = *FindJointState(state, target.id);
    driven.values[0] = TargetOf(target, joint);
    driven.actuated = joint.actuated;
  } else if (target.kind == ActuatorKind::kBodyVelocity) {
    const size_t row = state.bodies.FindRow(BodyId{target.id}).value();
    store(state.bodies.linear_velocities()[row], state.bodies.angular_velocities()[row]);
  } else {
    const auto place =
        std::ranges::lower_bound(state.loads, BodyId{target.id}, {}, &BodyLoad::body);
    const bool loaded = place != state.loads.end() && place->body == BodyId{target.id};
    if (loaded) store(place->force, place->torque);
  }
  return driven;
}

}  // namespace

absl::StatusOr<ActuatorTargets> FindActuatorTargets(const SceneState& state,
                                                    std::span<const ActuatorDef> actuators) {
  if (actuators.size() > kMaxActuators) {
    return FieldError("size(actuators)", FormatValue(uint64_t{actuators.size()}),
                      "must be <= " + FormatValue(uint64_t{kMaxActuators}),
                      absl::StatusCode::kResourceExhausted);
  }
  ActuatorTargets found;
  std::set<std::tuple<ActuatorKind, uint64_t, int>> seen;
  for (size_t index = 0; index < actuators.size(); ++index) {
    const ActuatorDef& def = actuators[index];
    TALUS_RETURN_IF_ERROR(CheckDef(index, def));
    const absl::StatusOr<uint64_t> id =
        DrivesJoint(def.kind) ? FindJoint(state, index, def) : FindBody(state, index, def);
    if (!id.ok()) return id.status();
    if (!seen.emplace(def.kind, *id, def.axis).second) {
      return FieldError(PathOf(index, def.id != 0 ? "id" : "name"),
                        def.id != 0 ? FormatValue(def.id) : FormatValue(def.name),
                        "must not be driven twice");
    }
    found.targets.push_back({def.kind, *id, def.axis});
    found.value_count += CountValues(def.kind);
  }
  return found;
}

absl::StatusOr<ActuationEffect> Actuate(const ActuatorTargets& actuators,
                                        std::span<const double> values, SceneState& state,
                                        DrivenBefore& before) {
  if (values.size() != actuators.value_count) {
    return FieldError("size(values)", FormatValue(uint64_t{values.size()}),
                      "must be " + FormatValue(uint64_t{actuators.value_count}) +
                          ", what the actuators take together");
  }
  size_t next = 0;
  for (size_t index = 0; index < actuators.targets.size(); ++index) {
    const ActuatorTarget& target = actuators.targets[index];
    TALUS_RETURN_IF_ERROR(CheckTarget(target, index, state));
    for (size_t part = 0; part < CountValues(target.kind); ++part, ++next) {
      TALUS_RETURN_IF_ERROR(CheckValue(target, part, values[next], next));
    }
  }
  before.Forget();
  if (state.settings.sleep.has_value()) {
    const std::span<const uint32_t> still_steps = state.bodies.still_steps();
    before.still_steps.assign(still_steps.begin(), still_steps.end());
  }
  next = 0;
  for (const ActuatorTarget& target : actuators.targets) {
    const size_t count = CountValues(target.kind);
    before.ones.push_back(FindDriven(target, state));
    before.effect = std::max(before.effect, SetValues(target, values.subspan(next, count), state));
    next += count;
  }
  return before.effect;
}

void TakeBackActuation(const DrivenBefore& before, SceneState& state) {
  for (auto one = before.ones.rbegin(); one != before.ones.rend(); ++one) {
    SetValues(one->target, std::span(one->values).first(CountValues(one->target.kind)), state);
    if (DrivesJoint(one->target.kind)) {
      FindJointState(state, one->target.id)->actuated = one->actuated;
    }
  }
  if (!state.settings.sleep.has_value()) return;
  std::vector<uint32_t> still_steps = before.still_steps;
  state.bodies.SwapStillSteps(still_steps);
}

}  // namespace talus
