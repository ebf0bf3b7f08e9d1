// A solid half-space in the world frame: what the broad phase knows of a plane.
#pragma once

#include "solver/base/math.h"
#include "solver/collision/aabb.h"

namespace talus {

struct HalfSpace {
  Vec3 normal = Vec3::UnitZ();  // unit, out of the solid
  double offset_m = 0.0;        // the solid is { x : normal . x <= offset_m }

  // Whether some corner of the box lies in the solid. False for a box that is not finite.
  bool Overlaps(const Aabb& box) const {
    const Vec3 deepest((normal.x() > 0.0 ? box.min : box.max).x(),
                       (normal.y() > 0.0 ? box.min : box.max).y(),
                       (normal.z() > 0.0 ? box.min : box.max).z());
    return normal.dot(deepest) <= offset_m;
  }
};

}  // namespace talus
