// Where two shapes touch or are about to: the narrow phase's result, the contact problem's input.
#pragma once

#include <array>
#include <cstdint>

#include "solver/base/math.h"

namespace talus {

struct ContactPoint {
  Vec3 point;            // world, midway between the two surfaces, metres
  Vec3 normal;           // unit, from shape A to shape B
  double gap = 0.0;      // Phi: > 0 apart, < 0 overlapping, metres
  uint32_t feature = 0;  // key of the touching features, stable from step to step within the pair
};

// The contacts of one shape pair: at most 8.
struct ContactManifold {
  std::array<ContactPoint, 8> points;
  int count = 0;

  void Add(const ContactPoint& point) {
    if (count < static_cast<int>(points.size())) points[static_cast<size_t>(count++)] = point;
  }
};

}  // namespace talus
