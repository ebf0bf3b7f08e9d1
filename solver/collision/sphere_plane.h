// Contact of a sphere and a half-space: one point below the centre.
#pragma once

#include "solver/collision/contact_point.h"
#include "solver/scene/shape.h"

namespace talus {

// Appends the contact, with the normal from the sphere to the plane, if its gap is at most
// `margin_m`. The feature is 0.
void CollideSpherePlane(const Sphere& sphere, const Pose& sphere_pose, const Plane& plane,
                        const Pose& plane_pose, double margin_m, ContactManifold& manifold);

}  // namespace talus
