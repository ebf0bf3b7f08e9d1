#include "solver/collision/box_plane.h"

#include "solver/collision/oriented_box.h"

namespace talus {

void CollideBoxPlane(const Box& box, const Pose& box_pose, const Plane& plane,
                     const Pose& plane_pose, double margin_m, ContactManifold& manifold) {
  const Vec3 normal = -(plane_pose.orientation * plane.normal);
  // Relative to the box's centre, so that the gap keeps its digits far from the origin.
  const double height = normal.dot(plane_pose.position - box_pose.position);
  const OrientedBox corners{Vec3::Zero(), box_pose.orientation.toRotationMatrix(),
                            box.half_extents_m};
  for (uint32_t id = 0; id < OrientedBox::kCornerCount; ++id) {
    const Vec3 corner = corners.FindCorner(id);
    const double gap = height - normal.dot(corner);
    if (!(gap <= margin_m)) continue;
    manifold.Add({box_pose.position + corner + 0.5 * gap * normal, normal, gap, id});
  }
}

}  // namespace talus
