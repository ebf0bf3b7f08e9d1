// A scene's whole state as bytes, and back: what is saved goes on bit for bit.
//
//   "TALUSNAP"  u32 version  u64 payload bytes  payload  u64 seal
//
// Which version is of which scenes: snapshot_features.h.
// All numbers little-endian; doubles are their own bits. The seal is XXH3 over everything before
// it: it finds damage, it is no signature. A reader therefore believes nothing it reads: whatever
// passes RestoreSnapshot is a state that a scene could have reached, with every bound of
// base/limits.h checked again. Saving the restored state gives the same bytes.
#pragma once

#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "solver/state/scene_state.h"

namespace talus {

std::string SaveSnapshot(const SceneState& state);

// INVALID_ARGUMENT: not a snapshot, of another version, damaged, or of a state no scene can be in.
absl::StatusOr<SceneState> RestoreSnapshot(std::string_view bytes);

// The state hash is taken over the state, not over these bytes: see scene_state.h.

}  // namespace talus
