#include "solver/collision/box_edges.h"

#include <algorithm>
#include <array>
#include <limits>

namespace talus {
namespace {

// Fractions of the smaller box's size.
constexpr double kAsClose = 1e-3;
constexpr double kSameCrossing = 1e-2;
constexpr double kOnFeature = 1e-4;
// Cosine of the angle within which the directions of two closest points are called the same.
constexpr double kSameDirection = 0.9;

struct Edge {
  Vec3 center;
  Vec3 direction;  // unit
  double half = 0.0;
  uint32_t faces = 0;
};

// The edge of `box` along `axis` at the side of the corner `corner`.
Edge FindEdge(const OrientedBox& box, int axis, uint32_t corner) {
  const uint32_t bit = 1u << axis;
  return {0.5 * (box.FindCorner(corner | bit) + box.FindCorner(corner & ~bit)), box.axes.col(axis),
          box.half[axis],
          OrientedBox::FindCornerFaces(corner | bit) & OrientedBox::FindCornerFaces(corner & ~bit)};
}

struct ClosestPair {
  Vec3 on_a;
  Vec3 on_b;
  double distance = std::numeric_limits<double>::infinity();
  uint32_t feature = 0;
};

// The closest points of two edges that are not parallel (Ericson, "Real-Time Collision
// Detection", 5.1.9).
ClosestPair FindClosest(const Edge& a, const Edge& b) {
  const Vec3 offset = b.center - a.center;
  const double cosine = a.direction.dot(b.direction);
  const double along_a = offset.dot(a.direction);
  const double along_b = offset.dot(b.direction);
  const double determinant = a.direction.cross(b.direction).squaredNorm();
  const auto clamp = [](double value, const Edge& edge) {
    return std::clamp(value, -edge.half, edge.half);
  };
  double s = clamp((along_a - cosine * along_b) / determinant, a);
  const double t = clamp(cosine * s - along_b, b);
  s = clamp(cosine * t + along_a, a);
  ClosestPair pair{a.center + s * a.direction, b.center + t * b.direction, 0.0,
                   BoxPairFeature(a.faces, b.faces)};
  pair.distance = (pair.on_b - pair.on_a).norm();
  return pair;
}

// The point of `box` closest to `point`, which is outside, and the faces it lies in.
Vec3 FindClosestPoint(const OrientedBox& box, const Vec3& point, double slack, uint32_t& faces) {
  const Vec3 local = box.axes.transpose() * (point - box.center);
  faces = 0;
  for (int axis = 0; axis < 3; ++axis) {
    if (std::abs(local[axis]) >= box.half[axis] - slack) faces |= BoxFace(axis, local[axis] > 0.0);
  }
  return box.center + box.axes * local.cwiseMax(-box.half).cwiseMin(box.half);
}

using CornerPairs = std::array<ClosestPair, 2 * OrientedBox::kCornerCount>;

// For each corner of either box, the point of the other box closest to it.
CornerPairs FindCornerPairs(const OrientedBox& a, const OrientedBox& b, double scale_m) {
  CornerPairs pairs;
  for (uint32_t id = 0; id < OrientedBox::kCornerCount; ++id) {
    uint32_t faces = 0;
    ClosestPair& from_a = pairs[id];
    from_a.on_a = a.FindCorner(id);
    from_a.on_b = FindClosestPoint(b, from_a.on_a, kOnFeature * scale_m, faces);
    from_a.feature = BoxPairFeature(OrientedBox::FindCornerFaces(id), faces);
    ClosestPair& from_b = pairs[OrientedBox::kCornerCount + id];
    from_b.on_b = b.FindCorner(id);
    from_b.on_a = FindClosestPoint(a, from_b.on_b, kOnFeature * scale_m, faces);
    from_b.feature = BoxPairFeature(faces, OrientedBox::FindCornerFaces(id));
  }
  for (ClosestPair& pair : pairs) pair.distance = (pair.on_b - pair.on_a).norm();
  return pairs;
}

// Of all edges of a along edge.axis_a and of b along edge.axis_b.
ClosestPair FindClosestEdges(const OrientedBox& a, const OrientedBox& b, const EdgeAxis& edge) {
  ClosestPair best;
  const uint32_t skip_a = 1u << edge.axis_a;
  const uint32_t skip_b = 1u << edge.axis_b;
  for (uint32_t corner_a = 0; corner_a < OrientedBox::kCornerCount; ++corner_a) {
    if ((corner_a & skip_a) != 0) continue;
    const Edge edge_a = FindEdge(a, edge.axis_a, corner_a);
    for (uint32_t corner_b = 0; corner_b < OrientedBox::kCornerCount; ++corner_b) {
      if ((corner_b & skip_b) != 0) continue;
      const ClosestPair pair = FindClosest(edge_a, FindEdge(b, edge.axis_b, corner_b));
      if (pair.distance < best.distance) best = pair;
    }
  }
  return best;
}

void AddPair(const ClosestPair& pair, const Vec3& normal, double gap, ContactManifold& manifold) {
  manifold.Add({0.5 * (pair.on_a + pair.on_b), normal, gap, pair.feature});
}

}  // namespace

void AddCrossingEdges(const OrientedBox& a, const OrientedBox& b, const EdgeAxis& edge,
                      ContactManifold& manifold) {
  const Edge edge_a = FindEdge(a, edge.axis_a, a.FindSupport(edge.normal));
  const Edge edge_b = FindEdge(b, edge.axis_b, b.FindSupport(-edge.normal));
  AddPair(FindClosest(edge_a, edge_b), edge.normal, edge.separation, manifold);
}

void AddClosestPoints(const OrientedBox& a, const OrientedBox& b, const EdgeAxis& edge,
                      double margin_m, double scale_m, ContactManifold& manifold) {
  const CornerPairs corners = FindCornerPairs(a, b, scale_m);
  ClosestPair closest = *std::min_element(
      corners.begin(), corners.end(),
      [](const ClosestPair& x, const ClosestPair& y) { return x.distance < y.distance; });
  bool is_crossing = false;
  if (std::isfinite(edge.separation)) {
    const ClosestPair crossing = FindClosestEdges(a, b, edge);
    // A corner that is as close says the same, and its neighbours with it.
    is_crossing = crossing.distance < (1.0 - 1e-9) * closest.distance;
    if (is_crossing) closest = crossing;
  }
  if (!(closest.distance <= margin_m) || !(closest.distance > 0.0)) return;
  const Vec3 normal = (closest.on_b - closest.on_a) / closest.distance;
  if (is_crossing) {
    AddPair(closest, normal, closest.distance, manifold);
    return;
  }
  std::array<Vec3, 2 * OrientedBox::kCornerCount> kept;
  size_t kept_count = 0;
  for (const ClosestPair& pair : corners) {
    const Vec3 offset = pair.on_b - pair.on_a;
    const double gap = normal.dot(offset);
    const Vec3 point = 0.5 * (pair.on_a + pair.on_b);
    const bool alike = pair.distance <= closest.distance + kAsClose * scale_m &&
                       gap >= kSameDirection * pair.distance && gap <= margin_m;
    const bool known = std::any_of(kept.begin(), kept.begin() + kept_count, [&](const Vec3& x) {
      return (x - point).norm() <= kSameCrossing * scale_m;
    });
    if (!alike || known) continue;
    kept[kept_count++] = point;
    AddPair(pair, normal, gap, manifold);
  }
}

}  // namespace talus
