// Contacts of a box and a half-space: the box's corners in it.
#pragma once

#include "solver/collision/contact_point.h"
#include "solver/scene/shape.h"

namespace talus {

// Appends up to 8 contacts with gaps of at most `margin_m`, in the order of their features, with
// the normal from the box to the plane. The feature is the corner's number
// (OrientedBox::FindCorner).
void CollideBoxPlane(const Box& box, const Pose& box_pose, const Plane& plane,
                     const Pose& plane_pose, double margin_m, ContactManifold& manifold);

}  // namespace talus
