// Contact of two spheres: one point on the line of centres, halfway between the surfaces, normal
// from A to B.
#pragma once

#include "solver/collision/contact_point.h"
#include "solver/scene/shape.h"

namespace talus {

// Appends the contact if its gap is at most `margin_m`. The feature is 0. Concentric spheres are
// pushed apart along z.
void CollideSphereSphere(const Sphere& a, const Pose& pose_a, const Sphere& b, const Pose& pose_b,
                         double margin_m, ContactManifold& manifold);

}  // namespace talus
