#include "server/wire/body_update_codec.h"

#include <string>
#include <utility>
#include <variant>

#include "server/wire/geometry_codec.h"
#include "solver/base/field_error.h"
#include "solver/base/status.h"
#include "solver/scene/field_checks.h"

namespace talus::wire {
namespace {

// Paths of a mask: fields of BodySpec.
constexpr char kPosition[] = "position_world_m";
constexpr char kOrientation[] = "orientation_world";
constexpr char kLinearVelocity[] = "linear_velocity_world_m_s";
constexpr char kAngularVelocity[] = "angular_velocity_world_rad_s";

// False: no such path can be set.
bool TakeValue(const std::string& path, const v1::BodySpec& values, BodyUpdate& update) {
  if (path == kPosition) {
    update.position_world_m = DecodeVector(values.position_world_m());
  } else if (path == kOrientation) {
    update.orientation_world = values.has_orientation_world()
                                   ? DecodeQuaternion(values.orientation_world())
                                   : Quat::Identity();
  } else if (path == kLinearVelocity) {
    update.linear_velocity_world_m_s = DecodeVector(values.linear_velocity_world_m_s());
  } else if (path == kAngularVelocity) {
    update.angular_velocity_world_rad_s = DecodeVector(values.angular_velocity_world_rad_s());
  } else {
    return false;
  }
  return true;
}

absl::StatusOr<BodyUpdate> DecodeUpdate(const v1::BodyUpdate& message, const FieldPath& path) {
  BodyUpdate update;
  switch (message.body_case()) {
    case v1::BodyUpdate::kBodyId:
      update.body = BodyId{message.body_id()};
      break;
    case v1::BodyUpdate::kBodyName:
      update.body = message.body_name();
      break;
    case v1::BodyUpdate::BODY_NOT_SET:
      return FieldError(FieldPath(path, "body").ToString(), "unset",
                        "must be set: body_id or body_name");
  }
  const FieldPath mask(path, "update_mask");
  for (int index = 0; index < message.update_mask().paths_size(); ++index) {
    const std::string& name = message.update_mask().paths(index);
    if (TakeValue(name, message.values(), update)) continue;
    return FieldError(FieldPath(mask, "paths", static_cast<size_t>(index)).ToString(),
                      FormatValue(name),
                      std::string("must be ") + kPosition + ", " + kOrientation + ", " +
                          kLinearVelocity + " or " + kAngularVelocity);
  }
  return update;
}

}  // namespace

absl::StatusOr<std::vector<BodyUpdate>> DecodeUpdates(
    const google::protobuf::RepeatedPtrField<v1::BodyUpdate>& messages) {
  std::vector<BodyUpdate> updates;
  updates.reserve(static_cast<size_t>(messages.size()));
  for (const v1::BodyUpdate& message : messages) {
    TALUS_ASSIGN_OR_RETURN(BodyUpdate update,
                           DecodeUpdate(message, FieldPath("updates", updates.size())));
    updates.push_back(std::move(update));
  }
  return updates;
}

void EncodeUpdate(const BodyUpdate& update, v1::BodyUpdate& message) {
  if (const auto* id = std::get_if<BodyId>(&update.body)) {
    message.set_body_id(ToInteger(*id));
  } else {
    message.set_body_name(std::get<std::string>(update.body));
  }
  v1::BodySpec& values = *message.mutable_values();
  const auto name = [&](const char* path) { message.mutable_update_mask()->add_paths(path); };
  if (update.position_world_m) {
    EncodeVector(*update.position_world_m, *values.mutable_position_world_m());
    name(kPosition);
  }
  if (update.orientation_world) {
    EncodeQuaternion(*update.orientation_world, *values.mutable_orientation_world());
    name(kOrientation);
  }
  if (update.linear_velocity_world_m_s) {
    EncodeVector(*update.linear_velocity_world_m_s, *values.mutable_linear_velocity_world_m_s());
    name(kLinearVelocity);
  }
  if (update.angular_velocity_world_rad_s) {
    EncodeVector(*update.angular_velocity_world_rad_s,
                 *values.mutable_angular_velocity_world_rad_s());
    name(kAngularVelocity);
  }
}

}  // namespace talus::wire
