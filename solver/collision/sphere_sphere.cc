#include "solver/collision/sphere_sphere.h"

namespace talus {

void CollideSphereSphere(const Sphere& a, const Pose& pose_a, const Sphere& b, const Pose& pose_b,
                         double margin_m, ContactManifold& manifold) {
  ContactPoint contact;
  if (FindSphereContact(pose_a.position, a.radius_m, pose_b.position, b.radius_m, margin_m,
                        contact.point, contact.normal, contact.gap)) {
    manifold.Add(contact);
  }
}

}  // namespace talus
