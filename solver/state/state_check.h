// Whether numbers that claim to be a scene's state can be one: what scene/validate.h is for
// descriptions, for states that come back from bytes. Nothing is normalised, because a state must
// return with the bits it left with.
#pragma once

#include "absl/status/status.h"
#include "solver/state/scene_state.h"

namespace talus {

// Ids stop here, so that counting on can never wrap.
inline constexpr uint64_t kMaxBodyId = uint64_t{1} << 62;

// Whether the row may follow those in `bodies`.
absl::Status CheckBodyRow(BodyId id, const BodyRow& row, size_t material_count,
                          const BodyStore& bodies);

// Settings, domain, materials, emitters, counters and what of it sleeps; otherwise the bodies were
// checked row by row.
absl::Status CheckSceneState(const SceneState& state);

}  // namespace talus
