// The folder of scene files that `--scenes` names: each `NAME.json` in it is a scene that callers
// may make by its name, talus.v1.SceneSpec in proto3 JSON as in clients/scenes.
//
// Read once, when the server starts, and with bounds. What callers send is looked up in the table
// that is made here and never becomes a path.
#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "server/session/scene_library.h"

namespace talus::app {

// All scenes of `folder`; none where it is empty. Hidden files, and those with other endings, are
// left aside. FAILED_PRECONDITION: `--scenes FOLDER/NAME.json: what is wrong with it`, down to the
// field.
absl::StatusOr<SceneLibrary> ReadSceneFolder(const std::string& folder);

}  // namespace talus::app
