#include "solver/collision/sphere_plane.h"

namespace talus {

void CollideSpherePlane(const Sphere& sphere, const Pose& sphere_pose, const Plane& plane,
                        const Pose& plane_pose, double margin_m, ContactManifold& manifold) {
  ContactPoint found;
  if (FindPlaneContact(sphere_pose.position, sphere.radius_m, plane, plane_pose, margin_m,
                       found.point, found.normal, found.gap)) {
    manifold.Add(found);
  }
}

}  // namespace talus
