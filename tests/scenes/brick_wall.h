// A wall of bricks in running bond, free at both ends: flat contacts of four points each, stacked
// high. Row 0 is the ground.
#pragma once

#include "solver/scene/scene_def.h"

namespace talus::scenes {

struct BrickWallOptions {
  int courses = 20;  // >= 1, one above the other
  int bricks_a_course =
      25;                  // >= 2; every other course has two half bricks more and a whole one less
  double joint_m = 0.005;  // open, between the ends of two neighbours
};
SceneDef BrickWall(const BrickWallOptions& options = {});

}  // namespace talus::scenes
