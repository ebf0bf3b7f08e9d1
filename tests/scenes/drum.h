// A drum that turns about the y axis, half full of gravel: sixteen staves and two ends, one
// kinematic body. Row 0 is the drum.
#pragma once

#include <cstdint>

#include "solver/scene/scene_def.h"

namespace talus::scenes {

struct DrumOptions {
  int64_t stones = 2000;  // as long as its inner radius when half full of these
  double turn_rad_s = 1.5;
  uint64_t seed = 1;
};
SceneDef Drum(const DrumOptions& options = {});

}  // namespace talus::scenes
