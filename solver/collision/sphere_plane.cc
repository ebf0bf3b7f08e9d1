#include "solver/collision/sphere_plane.h"

namespace talus {

void CollideSpherePlane(const Sphere& sphere, const Pose& sphere_pose, const Plane& plane,
                        const Pose& plane_pose, double margin_m, ContactManifold& manifold) {
  const Vec3 normal = -(plane_pose.orientation * plane.normal);
  const double height = normal.dot(plane_pose.position - sphere_pose.position);
  const double gap = height - sphere.radius_m;
  if (!(gap <= margin_m)) return;
  manifold.Add({sphere_pose.position + (sphere.radius_m + 0.5 * gap) * normal, normal, gap, 0});
}

}  // namespace talus
