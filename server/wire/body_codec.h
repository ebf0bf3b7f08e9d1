// Shapes and bodies between the wire and the solver's descriptions.
//
// Decode rejects what a description cannot hold (a geometry that is not set, an unknown enum value)
// with INVALID_ARGUMENT and the field's path; ranges are the question of solver/scene/validate.
// Encode then Decode gives the same description, bit for bit.
#pragma once

#include <vector>

#include "absl/status/statusor.h"
#include "solver/scene/body_def.h"
#include "solver/scene/field_checks.h"
#include "talus/v1/scene.pb.h"

namespace talus::wire {

absl::StatusOr<BodyDef> DecodeBody(const v1::BodySpec& message, const FieldPath& path);
void EncodeBody(const BodyDef& body, v1::BodySpec& message);

// The field `bodies` of the message at `parent`, or of the request itself when that is null.
absl::StatusOr<std::vector<BodyDef>> DecodeBodies(
    const google::protobuf::RepeatedPtrField<v1::BodySpec>& messages, const FieldPath* parent);

}  // namespace talus::wire
