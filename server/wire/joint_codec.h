// Joints between the wire and the solver: descriptions both ways, and what they carried one way.
// Same promises as body_codec.h: numbers pass bit for bit, and whether they make sense is the
// question of solver/scene/validate.h.
#pragma once

#include <vector>

#include "absl/status/statusor.h"
#include "solver/scene/field_checks.h"
#include "solver/scene/joint_def.h"
#include "solver/world/joint_record.h"
#include "talus/v1/query_service.pb.h"
#include "talus/v1/scene.pb.h"

namespace talus::wire {

// INVALID_ARGUMENT: more than six axes, or a mode that is none. `parent` is the path of the scene;
// null: the joints are a field of the request itself.
absl::StatusOr<std::vector<JointDef>> DecodeJoints(
    const google::protobuf::RepeatedPtrField<v1::JointSpec>& messages, const FieldPath* parent);
void EncodeJoint(const JointDef& joint, v1::JointSpec& message);

void EncodeJointState(const JointRecord& record, v1::JointState& message);

}  // namespace talus::wire
