// Contact of a sphere and a box: one point, where the box is closest to the centre.
#pragma once

#include "solver/collision/contact_point.h"
#include "solver/scene/shape.h"

namespace talus {

// Appends the contact, with the normal from the sphere to the box, if its gap is at most
// `margin_m`. A centre inside the box leaves by the nearest face; equally near faces rank x, y, z
// and plus before minus. There is only ever one contact, so the feature is 0, also while the sphere
// rolls over an edge.
void CollideSphereBox(const Sphere& sphere, const Pose& sphere_pose, const Box& box,
                      const Pose& box_pose, double margin_m, ContactManifold& manifold);

}  // namespace talus
