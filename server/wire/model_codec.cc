#include "server/wire/model_codec.h"

#include <string>

#include "server/wire/geometry_codec.h"
#include "solver/base/field_error.h"

namespace talus::wire {
namespace {

void EncodeImportedJoint(const model::ImportedJoint& joint, v1::ImportedJoint& message) {
  message.set_joint(joint.joint);
  message.set_name(joint.name);
  message.set_axis(joint.axis);
  message.set_lower(joint.limit.lower);
  message.set_upper(joint.limit.upper);
  message.set_effort(joint.limit.effort);
  message.set_velocity(joint.limit.velocity);
}

void EncodeImportedLink(const model::ImportedLink& link, v1::ImportedLink& message) {
  message.set_link(link.link);
  message.set_body(link.body);
  EncodeVector(link.pose_body.position, *message.mutable_position_body_m());
  EncodeQuaternion(link.pose_body.orientation, *message.mutable_orientation_body());
}

}  // namespace

absl::StatusOr<model::ModelOptions> DecodeModelOptions(const v1::ModelOptions& message) {
  model::ModelOptions options;
  options.name = message.name();
  options.pose_world.position = DecodeVector(message.position_world_m());
  if (message.has_orientation_world()) {
    options.pose_world.orientation = DecodeQuaternion(message.orientation_world());
  }
  if (!v1::ModelBase_IsValid(message.base())) {
    return FieldError("base", std::to_string(message.base()), "must be a value of ModelBase");
  }
  options.base = static_cast<model::ModelBase>(message.base());
  if (!v1::ShapeStandIn_IsValid(message.stand_in())) {
    return FieldError("stand_in", std::to_string(message.stand_in()),
                      "must be a value of ShapeStandIn");
  }
  options.stand_in = static_cast<model::ShapeStandIn>(message.stand_in());
  options.material = message.material();
  options.motors = message.motors();
  options.strict = message.strict();
  for (const v1::JointPosition& position : message.joint_positions()) {
    options.joint_positions.push_back({position.joint(), position.position()});
  }
  return options;
}

std::vector<model::ModelFile> DecodeModelFiles(
    const google::protobuf::RepeatedPtrField<v1::ModelFile>& messages) {
  std::vector<model::ModelFile> files;
  files.reserve(static_cast<size_t>(messages.size()));
  for (const v1::ModelFile& file : messages) files.push_back({file.name(), file.content()});
  return files;
}

void EncodeModelReport(const model::ModelReport& report, v1::ModelReport& message) {
  message.set_robot(report.robot);
  for (const model::ImportedLink& link : report.links)
    EncodeImportedLink(link, *message.add_links());
  for (const model::ImportedJoint& joint : report.joints)
    EncodeImportedJoint(joint, *message.add_joints());
  for (const model::UnsupportedElement& element : report.unsupported.first()) {
    v1::UnsupportedElement& told = *message.add_unsupported();
    told.set_element(element.element);
    told.set_line(element.line);
    told.set_effect(element.effect);
  }
  message.set_unsupported_count(report.unsupported.count());
  message.set_stand_in_count(report.stand_in_count);
}

}  // namespace talus::wire
