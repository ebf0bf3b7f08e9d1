// Rays into a scene, and what they hit: the values that travel between who asks, a world and the
// shapes. A body is a closed solid here (rays/shape_rays.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "solver/base/ids.h"
#include "solver/base/math.h"

namespace talus {

struct Ray {
  Vec3 origin = Vec3::Zero();                                // world, metres
  Vec3 direction = Vec3::UnitX();                            // world, unit
  double reach_m = std::numeric_limits<double>::infinity();  // > 0; what is just as far away is hit
};

// Where a ray meets one shape.
struct RayContact {
  double distance = 0.0;       // from the origin, metres; >= 0
  Vec3 point = Vec3::Zero();   // world, metres
  Vec3 normal = Vec3::Zero();  // world, unit, out of the shape
};

inline constexpr size_t kMaxRays = 10'000;  // in one query, and as many bodies to ignore

struct RayQuery {
  std::vector<Ray> rays;
  std::vector<BodyId> ignored;  // bodies that rays pass through
};

// What a ray hits first in a scene.
struct RayHit {
  bool hit = false;
  RayContact contact;  // where it hit
  BodyId body{};
  uint32_t shape = 0;  // among the shapes of the body, containers expanded to boxes
};

}  // namespace talus
