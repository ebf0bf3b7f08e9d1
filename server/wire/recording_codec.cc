#include "server/wire/recording_codec.h"

#include <google/protobuf/descriptor.h>
#include <google/protobuf/descriptor.pb.h>

#include <set>
#include <utility>

#include "server/wire/actuation_codec.h"
#include "server/wire/body_codec.h"
#include "server/wire/body_update_codec.h"
#include "server/wire/frame_codec.h"
#include "server/wire/joint_codec.h"
#include "server/wire/report_codec.h"
#include "server/wire/scene_codec.h"
#include "talus/v1/frame.pb.h"

namespace talus::wire {
namespace {

// A file behind all that it imports.
void AddFile(const google::protobuf::FileDescriptor& file, std::set<std::string>* added,
             google::protobuf::FileDescriptorSet* set) {
  if (!added->insert(file.name()).second) return;
  for (int index = 0; index < file.dependency_count(); ++index) {
    AddFile(*file.dependency(index), added, set);
  }
  google::protobuf::FileDescriptorProto& message = *set->add_file();
  file.CopyTo(&message);
  file.CopyJsonNameTo(&message);  // protoc writes them too, and readers take them for granted
}

const google::protobuf::Descriptor& DescriptorOf(RecordingTopic topic) {
  switch (topic) {
    case RecordingTopic::kLayout:
      return *v1::Layout::descriptor();
    case RecordingTopic::kFrames:
    case RecordingTopic::kContacts:
      return *v1::Frame::descriptor();
    case RecordingTopic::kDiagnostics:
      return *v1::StepReport::descriptor();
    case RecordingTopic::kInputs:
      break;
  }
  return *v1::SceneInput::descriptor();
}

const char* TopicName(RecordingTopic topic) {
  switch (topic) {
    case RecordingTopic::kLayout:
      return "/layout";
    case RecordingTopic::kFrames:
      return "/frames";
    case RecordingTopic::kContacts:
      return "/contacts";
    case RecordingTopic::kDiagnostics:
      return "/diagnostics";
    case RecordingTopic::kInputs:
      break;
  }
  return "/inputs";
}

// One overload for each kind of input.
struct InputEncoder {
  v1::SceneInput& message;

  void operator()(const StepsMade& input) const {
    v1::StepsMade& steps = *message.mutable_steps();
    steps.set_residual_history(input.residual_history);
    steps.mutable_state_hashes()->Assign(input.state_hashes.begin(), input.state_hashes.end());
  }
  void operator()(const BodiesAdded& input) const {
    v1::BodiesAdded& added = *message.mutable_bodies_added();
    for (const BodyDef& body : input.bodies) EncodeBody(body, *added.add_bodies());
    EncodeMaterials(input.materials, *added.mutable_materials());
    for (const JointDef& joint : input.joints) EncodeJoint(joint, *added.add_joints());
  }
  void operator()(const BodiesRemoved& input) const {
    v1::BodiesRemoved& removed = *message.mutable_bodies_removed();
    for (const BodyId id : input.body_ids) removed.add_body_ids(ToInteger(id));
    for (const std::string& name : input.body_names) removed.add_body_names(name);
  }
  void operator()(const BodiesUpdated& input) const {
    v1::BodiesUpdated& updated = *message.mutable_bodies_updated();
    for (const BodyUpdate& update : input.updates) EncodeUpdate(update, *updated.add_updates());
  }
  void operator()(const EmittersAdded& input) const {
    v1::EmittersAdded& added = *message.mutable_emitters_added();
    for (const EmitterDef& emitter : input.emitters) EncodeEmitter(emitter, *added.add_emitters());
    EncodeMaterials(input.materials, *added.mutable_materials());
  }
  void operator()(const EmittersRemoved& input) const {
    v1::EmittersRemoved& removed = *message.mutable_emitters_removed();
    for (const std::string& name : input.names) removed.add_emitter_names(name);
  }
  void operator()(const JointsAdded& input) const {
    v1::JointsAdded& added = *message.mutable_joints_added();
    for (const JointDef& joint : input.joints) EncodeJoint(joint, *added.add_joints());
  }
  void operator()(const JointsRemoved& input) const {
    v1::JointsRemoved& removed = *message.mutable_joints_removed();
    for (const JointId id : input.joint_ids) removed.add_joint_ids(ToInteger(id));
    for (const std::string& name : input.joint_names) removed.add_joint_names(name);
  }
  void operator()(const Actuated& input) const {
    v1::Actuated& actuated = *message.mutable_actuated();
    for (const ActuatorTarget& target : input.targets) {
      v1::Actuator& actuator = *actuated.add_actuators();
      actuator.set_kind(static_cast<v1::ActuatorKind>(target.kind));
      actuator.set_id(target.id);
      actuator.set_axis(target.axis);
    }
    actuated.mutable_values()->Assign(input.values.begin(), input.values.end());
  }
  void operator()(const SceneRestored& input) const {
    message.mutable_restored()->set_snapshot(input.snapshot);
  }
};

BodiesRemoved DecodeRemoved(const v1::BodiesRemoved& message) {
  BodiesRemoved input;
  for (const uint64_t id : message.body_ids()) input.body_ids.push_back(BodyId{id});
  input.body_names.assign(message.body_names().begin(), message.body_names().end());
  return input;
}

JointsRemoved DecodeRemoved(const v1::JointsRemoved& message) {
  JointsRemoved input;
  for (const uint64_t id : message.joint_ids()) input.joint_ids.push_back(JointId{id});
  input.joint_names.assign(message.joint_names().begin(), message.joint_names().end());
  return input;
}

Actuated DecodeActuated(const v1::Actuated& message) {
  Actuated input;
  for (const ActuatorDef& actuator : DecodeActuators(message.actuators())) {
    input.targets.push_back({actuator.kind, actuator.id, actuator.axis});
  }
  input.values.assign(message.values().begin(), message.values().end());
  return input;
}

absl::StatusOr<SceneInput> DecodeInputKind(const v1::SceneInput& message) {
  switch (message.input_case()) {
    case v1::SceneInput::kSteps:
      return StepsMade{
          message.steps().residual_history(),
          {message.steps().state_hashes().begin(), message.steps().state_hashes().end()}};
    case v1::SceneInput::kBodiesAdded: {
      auto bodies = DecodeBodies(message.bodies_added().bodies(), nullptr);
      if (!bodies.ok()) return bodies.status();
      auto joints = DecodeJoints(message.bodies_added().joints(), nullptr);
      if (!joints.ok()) return joints.status();
      return BodiesAdded{*std::move(bodies), DecodeMaterials(message.bodies_added().materials()),
                         *std::move(joints)};
    }
    case v1::SceneInput::kBodiesRemoved:
      return DecodeRemoved(message.bodies_removed());
    case v1::SceneInput::kBodiesUpdated: {
      auto updates = DecodeUpdates(message.bodies_updated().updates());
      if (!updates.ok()) return updates.status();
      return BodiesUpdated{*std::move(updates)};
    }
    case v1::SceneInput::kEmittersAdded:
      return EmittersAdded{DecodeEmitters(message.emitters_added().emitters()),
                           DecodeMaterials(message.emitters_added().materials())};
    case v1::SceneInput::kEmittersRemoved:
      return EmittersRemoved{{message.emitters_removed().emitter_names().begin(),
                              message.emitters_removed().emitter_names().end()}};
    case v1::SceneInput::kJointsAdded: {
      auto joints = DecodeJoints(message.joints_added().joints(), nullptr);
      if (!joints.ok()) return joints.status();
      return JointsAdded{*std::move(joints)};
    }
    case v1::SceneInput::kJointsRemoved:
      return DecodeRemoved(message.joints_removed());
    case v1::SceneInput::kRestored:
      return SceneRestored{message.restored().snapshot()};
    case v1::SceneInput::kActuated:
      return DecodeActuated(message.actuated());
    case v1::SceneInput::INPUT_NOT_SET:
      break;
  }
  return absl::InvalidArgumentError("an input of a kind this version does not know");
}

}  // namespace

void EncodeInput(const InputRecord& input, v1::SceneInput& message) {
  message.set_step_index(input.step_index);
  message.set_time_s(input.time_s);
  message.set_state_hash(input.state_hash);
  std::visit(InputEncoder{message}, input.input);
}

absl::StatusOr<InputRecord> DecodeInput(const v1::SceneInput& message) {
  auto kind = DecodeInputKind(message);
  if (!kind.ok()) return kind.status();
  return InputRecord{message.step_index(), message.time_s(), message.state_hash(),
                     *std::move(kind)};
}

RecordingSchema ProtobufRecordingCodec::MakeSchema(RecordingTopic topic) const {
  const google::protobuf::Descriptor& descriptor = DescriptorOf(topic);
  google::protobuf::FileDescriptorSet files;
  std::set<std::string> added;
  AddFile(*descriptor.file(), &added, &files);
  return {TopicName(topic), descriptor.full_name(), "protobuf", files.SerializeAsString()};
}

std::string ProtobufRecordingCodec::Encode(RecordingTopic topic, const FrameData& frame,
                                           const FrameParts& parts) const {
  if (topic == RecordingTopic::kLayout) {
    v1::Layout message;
    EncodeLayout(*frame.layout, message);
    return message.SerializeAsString();
  }
  if (topic == RecordingTopic::kDiagnostics) {
    v1::StepReport message;
    EncodeReport(frame.report, message);
    return message.SerializeAsString();
  }
  FrameView view;
  if (topic == RecordingTopic::kContacts) {
    view.parts.contacts = true;
  } else {
    view.parts = parts;
    view.parts.contacts = view.parts.report = false;
  }
  v1::Frame message;
  EncodeFrame(frame, view, message);
  return message.SerializeAsString();
}

std::string ProtobufRecordingCodec::Encode(const InputRecord& input) const {
  v1::SceneInput message;
  EncodeInput(input, message);
  return message.SerializeAsString();
}

absl::StatusOr<InputRecord> ProtobufRecordingCodec::DecodeInput(std::string_view bytes) const {
  v1::SceneInput message;
  if (!message.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) {
    return absl::InvalidArgumentError("an input does not parse");
  }
  return wire::DecodeInput(message);
}

}  // namespace talus::wire
