// Distance and overlap of two boxes by brute force over their features: slow, and independent of
// separating axes and clipping.
#pragma once

#include <algorithm>
#include <limits>

#include "solver/collision/oriented_box.h"
#include "solver/collision/shape_proxy.h"

namespace talus::testing {

inline OrientedBox ToOrientedBox(const ShapeProxy& shape) {
  return {shape.pose_world.position, shape.pose_world.orientation.toRotationMatrix(),
          std::get<Box>(shape.geometry).half_extents_m};
}

struct SegmentEnds {
  Vec3 from;
  Vec3 to;
};

// The 12 edges.
template <typename Visit>
void ForEachEdge(const OrientedBox& box, const Visit& visit) {
  for (uint32_t id = 0; id < OrientedBox::kCornerCount; ++id) {
    for (uint32_t axis = 0; axis < 3; ++axis) {
      if ((id & 1u << axis) == 0) {
        visit(SegmentEnds{box.FindCorner(id), box.FindCorner(id | 1u << axis)});
      }
    }
  }
}

// Whether the segment meets the solid box: the part of it between each pair of faces, intersected.
inline bool MeetsBox(const SegmentEnds& segment, const OrientedBox& box) {
  const Vec3 from = box.axes.transpose() * (segment.from - box.center);
  const Vec3 step = box.axes.transpose() * (segment.to - segment.from);
  double enter = 0.0;
  double leave = 1.0;
  for (int axis = 0; axis < 3; ++axis) {
    if (step[axis] == 0.0) {
      if (std::abs(from[axis]) > box.half[axis]) return false;
      continue;
    }
    const double first = (-box.half[axis] - from[axis]) / step[axis];
    const double second = (box.half[axis] - from[axis]) / step[axis];
    enter = std::max(enter, std::min(first, second));
    leave = std::min(leave, std::max(first, second));
  }
  return enter <= leave;
}

// Two solid boxes overlap iff an edge of one meets the other.
inline bool BoxesOverlap(const OrientedBox& a, const OrientedBox& b) {
  bool overlap = false;
  ForEachEdge(a, [&](const SegmentEnds& edge) { overlap |= MeetsBox(edge, b); });
  ForEachEdge(b, [&](const SegmentEnds& edge) { overlap |= MeetsBox(edge, a); });
  return overlap;
}

inline double PointDistance(const Vec3& point, const OrientedBox& box) {
  const Vec3 local = box.axes.transpose() * (point - box.center);
  return (local - local.cwiseMax(-box.half).cwiseMin(box.half)).norm();
}

// A convex function of each parameter: the closest points are in the inside or on one of the four
// ends.
inline double SegmentDistance(const SegmentEnds& a, const SegmentEnds& b) {
  const auto point_distance = [](const Vec3& point, const SegmentEnds& s) {
    const Vec3 step = s.to - s.from;
    const double t = std::clamp((point - s.from).dot(step) / step.squaredNorm(), 0.0, 1.0);
    return (s.from + t * step - point).norm();
  };
  double best = std::min({point_distance(a.from, b), point_distance(a.to, b),
                          point_distance(b.from, a), point_distance(b.to, a)});
  Eigen::Matrix<double, 3, 2> steps;
  steps << a.to - a.from, b.from - b.to;
  const Eigen::Matrix2d normal_matrix = steps.transpose() * steps;
  if (normal_matrix.determinant() > 1e-12 * normal_matrix(0, 0) * normal_matrix(1, 1)) {
    const Eigen::Vector2d t = normal_matrix.inverse() * (steps.transpose() * (b.from - a.from));
    if (t.minCoeff() >= 0.0 && t.maxCoeff() <= 1.0) {
      best = std::min(best, (a.from + steps * t - b.from).norm());
    }
  }
  return best;
}

// Of two boxes that do not overlap.
inline double BoxDistance(const OrientedBox& a, const OrientedBox& b) {
  double best = std::numeric_limits<double>::infinity();
  for (uint32_t id = 0; id < OrientedBox::kCornerCount; ++id) {
    best = std::min({best, PointDistance(a.FindCorner(id), b), PointDistance(b.FindCorner(id), a)});
  }
  ForEachEdge(a, [&](const SegmentEnds& edge_a) {
    ForEachEdge(b, [&](const SegmentEnds& edge_b) {
      best = std::min(best, SegmentDistance(edge_a, edge_b));
    });
  });
  return best;
}

// By how much b would have to move along `direction` (unit) to leave a behind.
inline double OverlapAlong(const OrientedBox& a, const OrientedBox& b, const Vec3& direction) {
  const double reach_a = (a.axes.transpose() * direction).cwiseAbs().dot(a.half);
  const double reach_b = (b.axes.transpose() * direction).cwiseAbs().dot(b.half);
  return reach_a + reach_b - direction.dot(b.center - a.center);
}

}  // namespace talus::testing
