#include "server/runtime/environment_actions.h"

#include <array>
#include <charconv>
#include <optional>
#include <string_view>
#include <utility>

#include "server/session/error.h"
#include "solver/base/field_error.h"

namespace talus {
namespace {

constexpr std::array<std::string_view, 6> kAxes = {"x", "y", "z", "rx", "ry", "rz"};
// Where a LOCKED axis may be held: as far as anybody looks, and as far as a rotation is told.
constexpr double kFarthestM = 1e3;
constexpr double kFarthestRad = 3.0;

void SetBounds(const ActionBounds& bounds, EnvironmentAction& action) {
  switch (action.actuator.kind) {
    case ActuatorKind::kBodyWrench:
    case ActuatorKind::kJointForce:
      action.max = bounds.force;
      break;
    case ActuatorKind::kBodyVelocity:
    case ActuatorKind::kJointVelocity:
      action.max = bounds.speed;
      break;
    case ActuatorKind::kJointPosition:
      action.max = action.actuator.axis < kRotations ? kFarthestM : kFarthestRad;
      break;
  }
  action.min = action.actuator.kind == ActuatorKind::kJointForce ? 0.0 : -action.max;
}

// Takes what stands behind the last dot off `text`; empty where there is no dot.
std::string_view TakeLast(std::string_view& text) {
  const size_t dot = text.rfind('.');
  if (dot == std::string_view::npos) return {};
  const std::string_view last = text.substr(dot + 1);
  text = text.substr(0, dot);
  return last;
}

std::optional<int> FindAxis(std::string_view text) {
  for (size_t axis = 0; axis < kAxes.size(); ++axis) {
    if (kAxes[axis] == text) return static_cast<int>(axis);
  }
  return std::nullopt;
}

// `#ID` or a name.
bool SetTarget(std::string_view text, ActuatorDef& actuator) {
  if (text.empty()) return false;
  if (text[0] != '#') {
    actuator.name = std::string(text);
    return true;
  }
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data() + 1, end, actuator.id);
  return error == std::errc() && stop == end && actuator.id != 0;
}

std::optional<ActuatorDef> ParseActuator(std::string_view text) {
  const size_t dot = text.find('.');
  if (dot == std::string_view::npos) return std::nullopt;
  const bool of_body = text.substr(0, dot) == "body";
  if (!of_body && text.substr(0, dot) != "joint") return std::nullopt;
  text.remove_prefix(dot + 1);
  const std::string_view what = TakeLast(text);
  ActuatorDef actuator;
  if (of_body) {
    if (what != "wrench" && what != "velocity") return std::nullopt;
    actuator.kind = what == "wrench" ? ActuatorKind::kBodyWrench : ActuatorKind::kBodyVelocity;
  } else {
    const std::optional<int> axis = FindAxis(TakeLast(text));
    if (!axis.has_value()) return std::nullopt;
    actuator.axis = *axis;
    if (what == "velocity") {
      actuator.kind = ActuatorKind::kJointVelocity;
    } else if (what == "force") {
      actuator.kind = ActuatorKind::kJointForce;
    } else if (what == "position") {
      actuator.kind = ActuatorKind::kJointPosition;
    } else {
      return std::nullopt;
    }
  }
  if (!SetTarget(text, actuator)) return std::nullopt;
  return actuator;
}

// Of a body or joint, as an action's name has it, and as an actuator does.
std::string NameTarget(const std::string& name, uint64_t id, ActuatorDef& actuator) {
  actuator.name = name;
  if (!name.empty()) return name;
  actuator.id = id;
  return '#' + std::to_string(id);
}

}  // namespace

absl::StatusOr<EnvironmentAction> ParseAction(const std::string& name, const ActionBounds& bounds,
                                              const std::string& field) {
  std::optional<ActuatorDef> actuator = ParseActuator(name);
  if (!actuator.has_value()) {
    return InvalidFieldError(field, FormatValue(std::string_view(name)),
                             "must be body.NAME.wrench, body.NAME.velocity, or joint.NAME.AXIS. "
                             "with velocity, force or position; AXIS is x, y, z, rx, ry or rz");
  }
  EnvironmentAction action{name, *std::move(actuator), 0.0, 0.0};
  SetBounds(bounds, action);
  return action;
}

absl::StatusOr<std::vector<EnvironmentAction>> ListActions(const Layout& layout,
                                                           const std::vector<JointRecord>& joints,
                                                           const std::vector<JointDef>& defs,
                                                           const ActionBounds& bounds) {
  std::vector<EnvironmentAction> actions;
  for (size_t row = 0; row < layout.body_ids.size(); ++row) {
    const BodyKind kind = layout.body_kinds[row];
    if (kind == BodyKind::kStatic) continue;
    const bool dynamic = kind == BodyKind::kDynamic;
    EnvironmentAction& action = actions.emplace_back();
    action.actuator.kind = dynamic ? ActuatorKind::kBodyWrench : ActuatorKind::kBodyVelocity;
    action.name = "body." +
                  NameTarget(layout.body_names[row], layout.body_ids[row], action.actuator) +
                  (dynamic ? ".wrench" : ".velocity");
    SetBounds(bounds, action);
  }
  for (size_t index = 0; index < joints.size(); ++index) {
    for (size_t axis = 0; axis < kAxes.size(); ++axis) {
      if (defs[index].axes[axis].mode != AxisMode::kMotor) continue;
      EnvironmentAction& action = actions.emplace_back();
      action.actuator.kind = ActuatorKind::kJointVelocity;
      action.actuator.axis = static_cast<int>(axis);
      action.name = "joint." +
                    NameTarget(joints[index].name, ToInteger(joints[index].id), action.actuator) +
                    '.' + std::string(kAxes[axis]) + ".velocity";
      SetBounds(bounds, action);
    }
  }
  if (actions.size() > kMostActions) {
    const std::string met = std::to_string(actions.size());
    ErrorInfo info;
    info.reason = ErrorReason::kLimitReached;
    info.field = "settings[actions]";
    info.value = met;
    info.allowed = "must name at most " + std::to_string(kMostActions);
    return MakeError(absl::StatusCode::kResourceExhausted,
                     "the scene has " + met + " actions: choose at most " +
                         std::to_string(kMostActions) + " by the setting `actions`",
                     info);
  }
  return actions;
}

}  // namespace talus
