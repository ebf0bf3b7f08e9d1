#include "solver/collision/box_box.h"

#include <algorithm>

#include "solver/collision/box_edges.h"
#include "solver/collision/face_clipping.h"
#include "solver/collision/oriented_box.h"
#include "solver/collision/separating_axis.h"

namespace talus {
namespace {

// Fractions of the smallest half extent: by how much the edges, the faces of b, must be better than
// the faces (of a) to be taken; and the separation from which on the direction between closest
// points is more than rounding.
constexpr double kFaceOverEdge = 1e-3;
constexpr double kFaceOfAOverB = 1e-4;
constexpr double kApart = 1e-9;
// Of the distance: a face as close to it as this is taken for boxes that are apart.
constexpr double kFaceOverClosest = 0.02;

double FindLeastGap(const ContactManifold& manifold) {
  double gap = manifold.points[0].gap;
  for (int i = 1; i < manifold.count; ++i) {
    gap = std::min(gap, manifold.points[static_cast<size_t>(i)].gap);
  }
  return gap;
}

// The corner that is deepest below the face, wherever it is.
void AddDeepestCorner(const OrientedBox& a, const OrientedBox& b, const FaceAxis& face,
                      ContactManifold& manifold) {
  const Vec3 half_gap = 0.5 * face.separation * face.normal;
  const uint32_t id = face.of_a ? b.FindSupport(-face.normal) : a.FindSupport(face.normal);
  const uint32_t corner_faces = OrientedBox::FindCornerFaces(id);
  if (face.of_a) {
    const uint32_t across = BoxFace(face.axis, a.axes.col(face.axis).dot(face.normal) > 0.0);
    manifold.Add({b.FindCorner(id) - half_gap, face.normal, face.separation,
                  BoxPairFeature(across, corner_faces)});
  } else {
    const uint32_t across = BoxFace(face.axis, b.axes.col(face.axis).dot(face.normal) < 0.0);
    manifold.Add({a.FindCorner(id) + half_gap, face.normal, face.separation,
                  BoxPairFeature(corner_faces, across)});
  }
}

// In coordinates relative to the centre of a, so that contacts keep their digits far from the
// origin.
ContactManifold FindRelativeContacts(const OrientedBox& a, const OrientedBox& b, double margin_m) {
  ContactManifold manifold;
  const double scale = std::min(a.half.minCoeff(), b.half.minCoeff());
  const BoxSeparation best = FindSeparation(a, b, margin_m, kFaceOfAOverB * scale);
  const double face = best.face.separation;
  const double separation = std::max(face, best.edge.separation);
  if (!(separation <= margin_m)) return manifold;

  const bool apart = separation > kApart * scale;
  const double preference = kFaceOverEdge * scale;
  const bool prefer_face = face >= best.edge.separation - preference;
  if (prefer_face) {
    AddFaceContacts(a, b, best.face, margin_m, scale, manifold);
    // The face decides if a point of the other box is really as close to it as that box is to the
    // face's plane.
    const double enough = face + preference + kFaceOverClosest * std::max(face, 0.0);
    if (manifold.count > 0 && (!apart || FindLeastGap(manifold) <= enough)) return manifold;
    manifold.count = 0;
  }
  if (apart) {
    AddClosestPoints(a, b, best.edge, margin_m, scale, manifold);
  } else if (prefer_face) {
    AddDeepestCorner(a, b, best.face, manifold);
  } else {
    AddCrossingEdges(a, b, best.edge, manifold);
  }
  return manifold;
}

}  // namespace

void CollideBoxBox(const Box& a, const Pose& pose_a, const Box& b, const Pose& pose_b,
                   double margin_m, ContactManifold& manifold) {
  const OrientedBox box_a{Vec3::Zero(), pose_a.orientation.toRotationMatrix(), a.half_extents_m};
  const OrientedBox box_b{pose_b.position - pose_a.position, pose_b.orientation.toRotationMatrix(),
                          b.half_extents_m};
  ContactManifold relative = FindRelativeContacts(box_a, box_b, margin_m);
  const auto begin = relative.points.begin();
  std::sort(begin, begin + relative.count,
            [](const ContactPoint& x, const ContactPoint& y) { return x.feature < y.feature; });
  for (auto point = begin; point != begin + relative.count; ++point) {
    point->point += pose_a.position;
    manifold.Add(*point);
  }
}

}  // namespace talus
