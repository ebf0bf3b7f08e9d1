// Scenes as text: talus.v1.SceneSpec in proto3 JSON, as the files of clients/scenes. Who has only
// the text sees no message: this header knows none.
#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "solver/scene/scene_def.h"

namespace talus::wire {

// What the text describes, not validated. INVALID_ARGUMENT: `field` when it is no such JSON, else
// the field of the scene below it.
absl::StatusOr<SceneDef> DecodeSceneText(const std::string& text, const char* field);

}  // namespace talus::wire
