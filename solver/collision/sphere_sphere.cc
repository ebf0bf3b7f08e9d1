#include "solver/collision/sphere_sphere.h"

namespace talus {

void CollideSphereSphere(const Sphere& a, const Pose& pose_a, const Sphere& b, const Pose& pose_b,
                         double margin_m, ContactManifold& manifold) {
  // Closer than this fraction of the radii, the direction between the centres is rounding.
  constexpr double kConcentric = 1e-12;
  const Vec3 offset = pose_b.position - pose_a.position;
  const double distance = offset.norm();
  const double radii = a.radius_m + b.radius_m;
  const double gap = distance - radii;
  if (!(gap <= margin_m)) return;
  const Vec3 normal = distance > kConcentric * radii ? Vec3(offset / distance) : Vec3::UnitZ();
  manifold.Add({pose_a.position + (a.radius_m + 0.5 * gap) * normal, normal, gap, 0});
}

}  // namespace talus
