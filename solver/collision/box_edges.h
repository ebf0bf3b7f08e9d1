// The contacts of two boxes that touch with edges or corners instead of faces.
#pragma once

#include "solver/collision/contact_point.h"
#include "solver/collision/oriented_box.h"
#include "solver/collision/separating_axis.h"

namespace talus {

// Two boxes that overlap: appends the contact of the edges that face each other along
// `edge.normal`, with gap `edge.separation`.
void AddCrossingEdges(const OrientedBox& a, const OrientedBox& b, const EdgeAxis& edge,
                      ContactManifold& manifold);

// Two boxes that are apart: appends the contact of their closest points if their distance is at
// most `margin_m`, and of the corners that are as close up to a small fraction of `scale_m`, the
// smaller box's size. `edge` is the best edge axis: if edges cross at the closest points, it is
// along them.
void AddClosestPoints(const OrientedBox& a, const OrientedBox& b, const EdgeAxis& edge,
                      double margin_m, double scale_m, ContactManifold& manifold);

}  // namespace talus
