// Where a ray meets one shape, in closed form.
//
// A shape is a closed solid: the ray meets it at the first of its points that lies in the shape or
// on its surface. What it grazes it meets, and what it starts in or on at distance 0, whichever way
// it looks; the point is then its origin and the normal the opposite of its direction.
//
// Formulas go by the place of the ray's nearest point to the shape, not by differences of squares
// of distances: from far away the point and the normal are as exact as the origin and the direction
// themselves are, one rounding at each of them, and the point lies on the surface.
#pragma once

#include <optional>

#include "solver/base/math.h"
#include "solver/rays/ray.h"
#include "solver/scene/shape.h"

namespace talus {

// A ball with this centre (world, metres).
std::optional<RayContact> MeetSphere(const Ray& ray, const Vec3& center, double radius_m);
// On an edge the normal is that of the face whose plane the ray comes to last; of several at once,
// that across the first of the box's axes.
std::optional<RayContact> MeetBox(const Ray& ray, const Box& box, const Pose& pose_world);
// From below, and along the plane within it: at distance 0; along it above: never.
std::optional<RayContact> MeetPlane(const Ray& ray, const Plane& plane, const Pose& pose_world);

// `geometry` is a sphere, a box or a plane: containers were expanded to boxes. Nothing where the
// shape is not met, or only beyond the ray's reach.
std::optional<RayContact> MeetShape(const Ray& ray, const Geometry& geometry,
                                    const Pose& pose_world);

}  // namespace talus
