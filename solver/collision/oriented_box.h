// A solid box anywhere in space, with names for its faces, edges and corners.
//
// Corner `id` has the sign + along axis k where bit k of `id` is set. A set of faces is six bits
// (BoxFace); an edge is where two of them meet, a corner where three do.
#pragma once

#include <cstddef>
#include <cstdint>

#include "solver/base/math.h"

namespace talus {

// The bit of the face across `axis`, on its positive or negative side.
inline uint32_t BoxFace(int axis, bool positive) { return 1u << (2 * axis + (positive ? 0 : 1)); }

struct OrientedBox {
  static constexpr uint32_t kCornerCount = 8;

  Vec3 center;  // metres
  Mat3 axes;    // unit columns
  Vec3 half;    // half extents along the axes, metres

  Vec3 FindCorner(uint32_t id) const {
    return center + axes * Vec3((id & 1u) != 0 ? half.x() : -half.x(),
                                (id & 2u) != 0 ? half.y() : -half.y(),
                                (id & 4u) != 0 ? half.z() : -half.z());
  }
  static uint32_t FindCornerFaces(uint32_t id) {
    return BoxFace(0, (id & 1u) != 0) | BoxFace(1, (id & 2u) != 0) | BoxFace(2, (id & 4u) != 0);
  }
  // The corner furthest along `direction`.
  uint32_t FindSupport(const Vec3& direction) const {
    const Vec3 local = axes.transpose() * direction;
    return (local.x() > 0.0 ? 1u : 0u) | (local.y() > 0.0 ? 2u : 0u) | (local.z() > 0.0 ? 4u : 0u);
  }
};

// The key of a contact of two boxes: the faces of a and of b that meet in it. A corner of b on a
// face of a is 1 + 3 faces, crossing edges are 2 + 2, whichever algorithm found them, so keys
// survive a change of algorithm.
inline uint32_t BoxPairFeature(uint32_t faces_a, uint32_t faces_b) {
  return faces_a | faces_b << 6;
}

}  // namespace talus
