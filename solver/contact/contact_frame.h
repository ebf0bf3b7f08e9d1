// The contact frame (n, u, w): n points from body A to body B, w = n x u. It depends on n alone;
// warm impulses are kept in world coordinates, so the frame may turn about n from step to step.
#pragma once

#include <cmath>

#include "solver/base/math.h"

namespace talus {

struct ContactFrame {
  Vec3 n = Vec3::UnitX();
  Vec3 u = Vec3::UnitY();
  Vec3 w = Vec3::UnitZ();
};

// Duff et al., "Building an orthonormal basis, revisited", JCGT 6(1), 2017: no branch on the
// direction, exact for every unit normal. Their second tangent is n x (the first).
inline ContactFrame MakeContactFrame(const Vec3& normal) {
  const double sign = std::copysign(1.0, normal.z());
  const double a = -1.0 / (sign + normal.z());
  const double b = normal.x() * normal.y() * a;
  const Vec3 u(1.0 + sign * normal.x() * normal.x() * a, sign * b, -sign * normal.x());
  return {normal, u, normal.cross(u)};
}

}  // namespace talus
