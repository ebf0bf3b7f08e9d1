#include "solver/collision/sphere_box.h"

namespace talus {

void CollideSphereBox(const Sphere& sphere, const Pose& sphere_pose, const Box& box,
                      const Pose& box_pose, double margin_m, ContactManifold& manifold) {
  // A centre closer to the surface than this fraction of the box is on it: the direction to it
  // would be rounding.
  constexpr double kOnSurface = 1e-12;
  const Vec3& half = box.half_extents_m;
  const Vec3 center = box_pose.InverseTransform(sphere_pose.position);
  const Vec3 closest = center.cwiseMax(-half).cwiseMin(half);
  const Vec3 offset = closest - center;
  double distance = offset.norm();  // of the centre from the surface, < 0 inside
  Vec3 normal_box;
  if (distance > kOnSurface * half.maxCoeff()) {
    normal_box = offset / distance;
  } else {
    int axis = 0;
    (half - center.cwiseAbs()).minCoeff(&axis);
    distance = std::abs(center[axis]) - half[axis];
    normal_box = center[axis] < 0.0 ? Vec3::Unit(axis) : Vec3(-Vec3::Unit(axis));
  }
  const double gap = distance - sphere.radius_m;
  if (!(gap <= margin_m)) return;
  const Vec3 normal = box_pose.orientation * normal_box;
  manifold.Add({sphere_pose.position + (sphere.radius_m + 0.5 * gap) * normal, normal, gap, 0});
}

}  // namespace talus
