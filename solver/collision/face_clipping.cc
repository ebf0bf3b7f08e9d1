#include "solver/collision/face_clipping.h"

#include <algorithm>
#include <array>

namespace talus {
namespace {

// Fractions of the smaller box's size.
constexpr double kClipSlack = 1e-4;
constexpr double kSameCorner = 1e-3;

// A corner of the clipped face, and the lines that bound it there, walking around: each line lies
// in a face of either box, named by its bit in the contact's feature.
struct ClipPoint {
  Vec3 point;  // in the frame of the reference box
  uint32_t in = 0;
  uint32_t out = 0;
};

// A convex polygon. Rounding may add a corner or two to the 8 that a square cut by a square has.
struct ClipPolygon {
  std::array<ClipPoint, 16> points;
  size_t count = 0;

  void Add(const ClipPoint& point) {
    if (count < points.size()) points[count++] = point;
  }
};

// The half-space { x : sign * x[axis] <= bound }, whose surface is the line `bit` of the polygon's
// plane.
struct ClipPlane {
  int axis;
  double sign;
  double bound;
  uint32_t bit;

  double Height(const ClipPoint& point) const { return sign * point.point[axis] - bound; }
};

// Sutherland & Hodgman. A corner up to `slack` above the plane stays where it is.
ClipPolygon Clip(const ClipPolygon& polygon, const ClipPlane& plane, double slack) {
  ClipPolygon result;
  for (size_t i = 0; i < polygon.count; ++i) {
    const ClipPoint& from = polygon.points[i];
    const ClipPoint& to = polygon.points[i + 1 == polygon.count ? 0 : i + 1];
    const double from_height = plane.Height(from);
    const double to_height = plane.Height(to);
    const bool from_inside = from_height <= slack;
    const bool to_inside = to_height <= slack;
    if (from_inside) result.Add(from);
    if (from_inside == to_inside) continue;
    const double fraction = std::clamp(from_height / (from_height - to_height), 0.0, 1.0);
    const Vec3 crossing = from.point + fraction * (to.point - from.point);
    if (from_inside) {
      result.Add({crossing, from.out, plane.bit});
    } else {
      result.Add({crossing, plane.bit, from.out});
    }
  }
  return result;
}

struct BoxFaceOf {
  const OrientedBox& box;
  int axis;
  bool positive;
  uint32_t bit_shift;  // of this box's faces in a feature

  uint32_t Bit(int across, bool side) const { return BoxFace(across, side) << bit_shift; }
};

// The face of `box` that looks most against `normal`.
BoxFaceOf FindOpposite(const OrientedBox& box, const Vec3& normal, uint32_t bit_shift) {
  const Vec3 local = box.axes.transpose() * normal;
  int axis = 0;
  local.cwiseAbs().maxCoeff(&axis);
  return {box, axis, local[axis] < 0.0, bit_shift};
}

// The four corners of a face in the frame of `frame`.
ClipPolygon FindPolygon(const BoxFaceOf& face, const OrientedBox& frame) {
  const int p = (face.axis + 1) % 3;
  const int q = (face.axis + 2) % 3;
  const Mat3 rotation = frame.axes.transpose() * face.box.axes;
  const Vec3 center =
      frame.axes.transpose() * (face.box.center - frame.center) +
      (face.positive ? 1.0 : -1.0) * face.box.half[face.axis] * rotation.col(face.axis);
  const Vec3 side_p = face.box.half[p] * rotation.col(p);
  const Vec3 side_q = face.box.half[q] * rotation.col(q);
  ClipPolygon polygon;
  polygon.Add({center + side_p + side_q, face.Bit(p, true), face.Bit(q, true)});
  polygon.Add({center - side_p + side_q, face.Bit(q, true), face.Bit(p, false)});
  polygon.Add({center - side_p - side_q, face.Bit(p, false), face.Bit(q, false)});
  polygon.Add({center + side_p - side_q, face.Bit(q, false), face.Bit(p, true)});
  return polygon;
}

}  // namespace

void AddFaceContacts(const OrientedBox& a, const OrientedBox& b, const FaceAxis& face,
                     double margin_m, double scale_m, ContactManifold& manifold) {
  const OrientedBox& reference_box = face.of_a ? a : b;
  const Vec3 outward = face.of_a ? face.normal : Vec3(-face.normal);
  const BoxFaceOf reference{reference_box, face.axis,
                            reference_box.axes.col(face.axis).dot(outward) > 0.0,
                            face.of_a ? 0u : 6u};
  const BoxFaceOf incident = FindOpposite(face.of_a ? b : a, outward, face.of_a ? 6u : 0u);

  ClipPolygon polygon = FindPolygon(incident, reference_box);
  for (int turn = 1; turn < 3; ++turn) {
    const int axis = (face.axis + turn) % 3;
    for (const bool positive : {true, false}) {
      polygon = Clip(
          polygon,
          {axis, positive ? 1.0 : -1.0, reference_box.half[axis], reference.Bit(axis, positive)},
          kClipSlack * scale_m);
    }
  }

  const uint32_t both_faces = reference.Bit(reference.axis, reference.positive) |
                              incident.Bit(incident.axis, incident.positive);
  const ClipPlane surface{face.axis, reference.positive ? 1.0 : -1.0, reference_box.half[face.axis],
                          0};
  std::array<Vec3, 16> kept;
  size_t kept_count = 0;
  // Corners of the boxes first, then crossings of edges, which give way when they coincide.
  for (const bool crossings : {false, true}) {
    for (size_t i = 0; i < polygon.count; ++i) {
      const ClipPoint& corner = polygon.points[i];
      const bool is_crossing = (corner.in < 1u << 6) != (corner.out < 1u << 6);
      if (is_crossing != crossings) continue;
      const double gap = surface.Height(corner);
      if (!(gap <= margin_m)) continue;
      const bool known = std::any_of(kept.begin(), kept.begin() + kept_count, [&](const Vec3& x) {
        return (x - corner.point).norm() <= kSameCorner * scale_m;
      });
      if (known) continue;
      kept[kept_count++] = corner.point;
      const Vec3 point = reference_box.center + reference_box.axes * corner.point;
      manifold.Add(
          {point - 0.5 * gap * outward, face.normal, gap, both_faces | corner.in | corner.out});
    }
  }
}

}  // namespace talus
