// The joints of a scene within a snapshot (snapshot.h): their descriptions, and the impulses that
// the next step starts from. The reader believes nothing it reads.
#pragma once

#include "absl/status/status.h"
#include "solver/state/byte_stream.h"
#include "solver/state/scene_state.h"

namespace talus {

void EncodeJoints(const SceneState& state, ByteWriter& out);

// Into a state that has its bodies. INVALID_ARGUMENT: these are no joints that a scene can have.
absl::Status DecodeJoints(ByteReader& in, SceneState& state);

}  // namespace talus
