// Shapes and bodies between the wire and the solver's descriptions.
//
// Decode rejects what a description cannot hold (a geometry that is not set, an unknown enum value) with
// INVALID_ARGUMENT and the field's path; ranges are the question of solver/scene/validate. Encode then Decode gives the
// same description, bit for bit.
#pragma once

#include <vector>

#include "absl/status/statusor.h"
#include "server/wire/field_path.h"
#include "solver/scene/body_def.h"
#include "talus/v1/scene.pb.h"

namespace talus::wire {

absl::StatusOr<BodyDef> DecodeBody(const v1::BodySpec& message, const FieldPath& path);
void EncodeBody(const BodyDef& body, v1::BodySpec& message);

// The repeated field `name` of the message at `path`.
absl::StatusOr<std::vector<BodyDef>> DecodeBodies(
    const google::protobuf::RepeatedPtrField<v1::BodySpec>& messages, const FieldPath& path,
    std::string_view name);

// A direction of any finite non-zero length, made unit; one that is unit already keeps its bits, and one that has no
// direction is passed on for validation to reject.
Vec3 DecodeDirection(const v1::Vector3& message);

}  // namespace talus::wire
