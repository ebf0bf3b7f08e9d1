// One shape of one body, placed in the world: what the narrow phase looks at.
#pragma once

#include "solver/base/math.h"
#include "solver/scene/shape.h"

namespace talus {

struct ShapeProxy {
  Geometry geometry;  // a sphere, a box or a plane: containers were expanded to boxes
  Pose pose_world;    // world <- shape
};

}  // namespace talus
