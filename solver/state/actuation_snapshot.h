// What a scene is driven with from outside within a snapshot (snapshot.h): the loads on bodies, and
// which joints had their targets set. The reader believes nothing it reads.
#pragma once

#include "absl/status/status.h"
#include "solver/state/byte_stream.h"
#include "solver/state/scene_state.h"

namespace talus {

// Whether there is anything to write.
bool IsActuated(const SceneState& state);

void EncodeActuation(const SceneState& state, ByteWriter& out);

// Into a state that has its bodies and joints. INVALID_ARGUMENT: these are no loads or joints that
// it can have.
absl::Status DecodeActuation(ByteReader& in, SceneState& state);

}  // namespace talus
