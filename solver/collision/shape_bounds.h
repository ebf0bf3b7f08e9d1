// The space a shape can touch: its axis-aligned box, or its half-space when it has no bounds.
//
// FindPairs reads it, so it is grown by `margin_m` on every side: two shapes closer than the sum of
// their margins get overlapping bounds. The bounds are tight up to rounding.
#pragma once

#include "solver/base/math.h"
#include "solver/collision/aabb.h"
#include "solver/collision/half_space.h"
#include "solver/scene/shape.h"

namespace talus {

// False for a plane.
bool IsBounded(const Geometry& geometry);

// `geometry` is a sphere or a box, `margin_m` >= 0.
Aabb FindBounds(const Geometry& geometry, const Pose& pose_world, double margin_m);

// `margin_m` >= 0.
HalfSpace FindHalfSpace(const Plane& plane, const Pose& pose_world, double margin_m);

}  // namespace talus
