// Contact of a sphere and a half-space: one point below the centre.
#pragma once

#include "solver/collision/contact_point.h"
#include "solver/scene/shape.h"

namespace talus {

// Whether the gap of a sphere with this centre (world, metres) and radius is at most `margin_m`; if
// so, fills in the rest of the contact, in place, with the normal from the sphere to the plane.
// Inline: most contacts of a heap that are not between spheres come here.
inline bool FindPlaneContact(const Vec3& center, double radius, const Plane& plane,
                             const Pose& plane_pose, double margin_m, Vec3& point, Vec3& normal,
                             double& gap) {
  const Vec3 down = -(plane_pose.orientation * plane.normal);
  const double apart = down.dot(plane_pose.position - center) - radius;
  if (!(apart <= margin_m)) return false;
  point = center + (radius + 0.5 * apart) * down;
  normal = down;
  gap = apart;
  return true;
}

// Appends the contact, with the normal from the sphere to the plane, if its gap is at most
// `margin_m`. The feature is 0.
void CollideSpherePlane(const Sphere& sphere, const Pose& sphere_pose, const Plane& plane,
                        const Pose& plane_pose, double margin_m, ContactManifold& manifold);

}  // namespace talus
