// Contact of two spheres: one point on the line of centres, halfway between the surfaces, normal
// from A to B.
#pragma once

#include "solver/collision/contact_point.h"
#include "solver/scene/shape.h"

namespace talus {

// Whether the gap of spheres with these centres (world, metres) and radii is at most `margin_m`; if
// so, fills in the rest of the contact, in place. Inline: most pairs of a heap come here.
inline bool FindSphereContact(const Vec3& center_a, double radius_a, const Vec3& center_b,
                              double radius_b, double margin_m, Vec3& point, Vec3& normal,
                              double& gap) {
  // Closer than this fraction of the radii, the direction between the centres is rounding.
  constexpr double kConcentric = 1e-12;
  const Vec3 offset = center_b - center_a;
  const double distance = offset.norm();
  const double radii = radius_a + radius_b;
  const double apart = distance - radii;
  if (!(apart <= margin_m)) return false;
  if (distance > kConcentric * radii) {
    normal = offset / distance;
  } else {
    normal = Vec3::UnitZ();
  }
  point = center_a + (radius_a + 0.5 * apart) * normal;
  gap = apart;
  return true;
}

// Appends the contact if its gap is at most `margin_m`. The feature is 0. Concentric spheres are
// pushed apart along z.
void CollideSphereSphere(const Sphere& a, const Pose& pose_a, const Sphere& b, const Pose& pose_b,
                         double margin_m, ContactManifold& manifold);

}  // namespace talus
