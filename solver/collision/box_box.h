// Contacts of two boxes: up to 8 where faces meet, one or two where edges or corners do.
//
// Boxes that overlap are pushed apart along the separating axis of least penetration; boxes that
// are apart along the line of their closest points. A face wins over edges unless they are better
// by a small fraction of the smaller box, so that a box at rest keeps its whole face of contacts
// whatever the rounding.
#pragma once

#include "solver/collision/contact_point.h"
#include "solver/scene/shape.h"

namespace talus {

// Appends the contacts with gaps of at most `margin_m`, sorted by feature (BoxPairFeature), with
// the normal from a to b. Boxes that overlap always get at least one.
void CollideBoxBox(const Box& a, const Pose& pose_a, const Box& b, const Pose& pose_b,
                   double margin_m, ContactManifold& manifold);

}  // namespace talus
