#include "solver/collision/shape_bounds.h"

#include "solver/base/check.h"

namespace talus {

bool IsBounded(const Geometry& geometry) { return !std::holds_alternative<Plane>(geometry); }

Aabb FindBounds(const Geometry& geometry, const Pose& pose_world, double margin_m) {
  Vec3 reach;
  if (const Sphere* sphere = std::get_if<Sphere>(&geometry)) {
    reach = Vec3::Constant(sphere->radius_m + margin_m);
  } else {
    const Box* box = std::get_if<Box>(&geometry);
    TALUS_CHECK(box != nullptr);
    const Mat3 rotation = pose_world.orientation.toRotationMatrix();
    reach = rotation.cwiseAbs() * box->half_extents_m + Vec3::Constant(margin_m);
  }
  return {pose_world.position - reach, pose_world.position + reach};
}

HalfSpace FindHalfSpace(const Plane& plane, const Pose& pose_world, double margin_m) {
  const Vec3 normal = pose_world.orientation * plane.normal;
  return {normal, normal.dot(pose_world.position) + margin_m};
}

}  // namespace talus
