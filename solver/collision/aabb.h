// An axis-aligned bounding box in the world frame, metres: all that the broad phase knows of a
// shape.
#pragma once

#include "solver/base/math.h"

namespace talus {

struct Aabb {
  Vec3 min = Vec3::Zero();
  Vec3 max = Vec3::Zero();

  // Without branches: most candidates of the broad phase fail, and which axis separates them is not
  // predictable.
  bool Overlaps(const Aabb& other) const {
    return (min.x() <= other.max.x()) & (other.min.x() <= max.x()) & (min.y() <= other.max.y()) &
           (other.min.y() <= max.y()) & (min.z() <= other.max.z()) & (other.min.z() <= max.z());
  }
};

}  // namespace talus
