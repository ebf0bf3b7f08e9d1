#include "server/wire/actuation_codec.h"

#include <algorithm>
#include <limits>

namespace talus::wire {
namespace {

static_assert(static_cast<int>(ActuatorKind::kBodyWrench) == v1::ACTUATOR_KIND_BODY_WRENCH);
static_assert(static_cast<int>(ActuatorKind::kJointPosition) == v1::ACTUATOR_KIND_JOINT_POSITION);
static_assert(v1::ActuatorKind_MAX == v1::ACTUATOR_KIND_JOINT_POSITION);

// What is no kind stays none: proto3 enums are open, any number may arrive.
ActuatorKind DecodeActuatorKind(v1::ActuatorKind kind) {
  constexpr int kMost = std::numeric_limits<uint8_t>::max();
  return static_cast<ActuatorKind>(std::clamp(static_cast<int>(kind), 0, kMost));
}

}  // namespace

std::vector<ActuatorDef> DecodeActuators(
    const google::protobuf::RepeatedPtrField<v1::Actuator>& messages) {
  std::vector<ActuatorDef> actuators;
  actuators.reserve(static_cast<size_t>(messages.size()));
  for (const v1::Actuator& message : messages) {
    actuators.push_back(
        {DecodeActuatorKind(message.kind()), message.id(), message.name(), message.axis()});
  }
  return actuators;
}

}  // namespace talus::wire
