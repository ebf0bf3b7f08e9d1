// What is to be set of bodies, between the wire and the solver's description: a mask and values
// there, values or none here.
//
// Decode rejects a mask that names what cannot be set, and an update that names no body, with
// INVALID_ARGUMENT and the field's path; the values themselves are the question of
// solver/scene/validate. Encode then Decode gives the same updates, bit for bit.
#pragma once

#include <vector>

#include "absl/status/statusor.h"
#include "solver/scene/body_update.h"
#include "talus/v1/scene.pb.h"

namespace talus::wire {

// The field `updates` of a request.
absl::StatusOr<std::vector<BodyUpdate>> DecodeUpdates(
    const google::protobuf::RepeatedPtrField<v1::BodyUpdate>& messages);
void EncodeUpdate(const BodyUpdate& update, v1::BodyUpdate& message);

}  // namespace talus::wire
