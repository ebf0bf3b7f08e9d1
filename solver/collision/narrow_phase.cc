#include "solver/collision/narrow_phase.h"

#include "solver/collision/box_box.h"
#include "solver/collision/box_plane.h"
#include "solver/collision/sphere_box.h"
#include "solver/collision/sphere_plane.h"
#include "solver/collision/sphere_sphere.h"

namespace talus {
namespace {

// Calls the function of the pair for the shapes in its order, then turns the new normals around if
// that was not the caller's order.
template <typename First, typename Second>
bool CollideInOrder(void (*collide)(const First&, const Pose&, const Second&, const Pose&, double,
                                    ContactManifold&),
                    const ShapeProxy& a, const ShapeProxy& b, double margin_m,
                    ContactManifold& manifold) {
  const First* first = std::get_if<First>(&a.geometry);
  const Second* second = std::get_if<Second>(&b.geometry);
  if (first != nullptr && second != nullptr) {
    collide(*first, a.pose_world, *second, b.pose_world, margin_m, manifold);
    return true;
  }
  first = std::get_if<First>(&b.geometry);
  second = std::get_if<Second>(&a.geometry);
  if (first == nullptr || second == nullptr) return false;
  const int count = manifold.count;
  collide(*first, b.pose_world, *second, a.pose_world, margin_m, manifold);
  for (int i = count; i < manifold.count; ++i) {
    Vec3& normal = manifold.points[static_cast<size_t>(i)].normal;
    normal = -normal;
  }
  return true;
}

}  // namespace

void FindContacts(const ShapeProxy& a, const ShapeProxy& b, double margin_m,
                  ContactManifold& manifold) {
  // At most one of them is of the pair's types; the frequent ones come first.
  (void)(CollideInOrder(CollideSphereSphere, a, b, margin_m, manifold) ||
         CollideInOrder(CollideSphereBox, a, b, margin_m, manifold) ||
         CollideInOrder(CollideSpherePlane, a, b, margin_m, manifold) ||
         CollideInOrder(CollideBoxBox, a, b, margin_m, manifold) ||
         CollideInOrder(CollideBoxPlane, a, b, margin_m, manifold));
}

}  // namespace talus
