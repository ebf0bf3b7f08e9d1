// What is known of a scene, on one line of standard output: as `create`, `list` and `show` tell it.
#pragma once

#include "talus/v1/scene_service.pb.h"

namespace talus::cli {

void PrintScene(const v1::SceneInfo& scene);

}  // namespace talus::cli
