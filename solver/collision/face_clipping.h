// The contacts of two boxes that touch with a face of one: the opposite face of the other, cut to
// the size of the first.
#pragma once

#include "solver/collision/contact_point.h"
#include "solver/collision/oriented_box.h"
#include "solver/collision/separating_axis.h"

namespace talus {

// Appends up to 8 contacts whose gaps to the face are at most `margin_m`. `scale_m` is the smaller
// box's size: corners that stick out of the face by a small fraction of it are kept as they are,
// and points that close are one.
void AddFaceContacts(const OrientedBox& a, const OrientedBox& b, const FaceAxis& face,
                     double margin_m, double scale_m, ContactManifold& manifold);

}  // namespace talus
