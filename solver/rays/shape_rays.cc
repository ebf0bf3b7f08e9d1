#include "solver/rays/shape_rays.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "solver/base/check.h"

namespace talus {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

RayContact MeetAtOrigin(const Ray& ray) { return {0.0, ray.origin, -ray.direction}; }

// What of the ray lies between two parallel faces of a box.
struct SlabSpan {
  double begin = -kInfinity;  // distances along the ray, metres
  double end = kInfinity;     // < begin: nothing
};

SlabSpan CrossSlab(double origin, double direction, double half) {
  if (direction == 0.0)
    return std::abs(origin) <= half ? SlabSpan{} : SlabSpan{kInfinity, -kInfinity};
  const double near = direction > 0.0 ? -half : half;
  return {(near - origin) / direction, (-near - origin) / direction};
}

}  // namespace

std::optional<RayContact> MeetSphere(const Ray& ray, const Vec3& center, double radius_m) {
  const Vec3 offset = ray.origin - center;
  if (offset.squaredNorm() <= radius_m * radius_m) return MeetAtOrigin(ray);
  // The nearest point of the line, from the centre. What rounding leaves along the ray is taken off
  // once more: from far away it is as large as the ball.
  double along = -offset.dot(ray.direction);
  Vec3 nearest = offset + along * ray.direction;
  const double rest = -nearest.dot(ray.direction);
  along += rest;
  nearest += rest * ray.direction;
  const double apart = nearest.norm();
  if (!(apart <= radius_m)) return std::nullopt;
  // From outside, a ball whose nearest point to the line is not ahead lies behind.
  if (!(along > 0.0)) return std::nullopt;
  const double half_chord = std::sqrt((radius_m - apart) * (radius_m + apart));
  const double distance = std::max(along - half_chord, 0.0);
  if (!(distance <= ray.reach_m)) return std::nullopt;
  const Vec3 normal = (nearest - half_chord * ray.direction).normalized();
  return RayContact{distance, center + radius_m * normal, normal};
}

std::optional<RayContact> MeetBox(const Ray& ray, const Box& box, const Pose& pose_world) {
  const Vec3 origin = pose_world.InverseTransform(ray.origin);
  if ((origin.array().abs() <= box.half_extents_m.array()).all()) return MeetAtOrigin(ray);
  const Vec3 direction = pose_world.orientation.conjugate() * ray.direction;
  double begin = -kInfinity;
  double end = kInfinity;
  int face = 0;
  for (int axis = 0; axis < 3; ++axis) {
    const SlabSpan span = CrossSlab(origin[axis], direction[axis], box.half_extents_m[axis]);
    if (span.begin > begin) {
      begin = span.begin;
      face = axis;
    }
    end = std::min(end, span.end);
  }
  if (!(begin >= 0.0 && begin <= end && begin <= ray.reach_m)) return std::nullopt;
  const double side = direction[face] > 0.0 ? -1.0 : 1.0;
  Vec3 point = origin + begin * direction;
  point = point.cwiseMax(-box.half_extents_m).cwiseMin(box.half_extents_m);
  point[face] = side * box.half_extents_m[face];
  const Vec3 normal = pose_world.orientation * (side * Vec3::Unit(face));
  return RayContact{begin, pose_world * point, normal};
}

std::optional<RayContact> MeetPlane(const Ray& ray, const Plane& plane, const Pose& pose_world) {
  const Vec3 normal = pose_world.orientation * plane.normal;
  const double height = normal.dot(ray.origin - pose_world.position);
  if (height <= 0.0) return MeetAtOrigin(ray);
  const double fall = -normal.dot(ray.direction);
  if (!(fall > 0.0)) return std::nullopt;
  const double distance = height / fall;
  if (!(distance <= ray.reach_m) || !std::isfinite(distance)) return std::nullopt;
  Vec3 point = ray.origin + distance * ray.direction;
  point -= normal.dot(point - pose_world.position) * normal;
  return RayContact{distance, point, normal};
}

std::optional<RayContact> MeetShape(const Ray& ray, const Geometry& geometry,
                                    const Pose& pose_world) {
  if (const auto* sphere = std::get_if<Sphere>(&geometry)) {
    return MeetSphere(ray, pose_world.position, sphere->radius_m);
  }
  if (const auto* box = std::get_if<Box>(&geometry)) return MeetBox(ray, *box, pose_world);
  const auto* plane = std::get_if<Plane>(&geometry);
  TALUS_CHECK(plane != nullptr);
  return MeetPlane(ray, *plane, pose_world);
}

}  // namespace talus
