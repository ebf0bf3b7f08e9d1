// How far two boxes are apart along the 15 directions that decide whether they overlap: the 6 face
// normals and the 9 cross products of their edges (Gottschalk, Lin & Manocha, "OBBTree", SIGGRAPH
// 1996).
//
// The separation along a direction is never larger than the distance of two boxes that are apart,
// and the largest one is their penetration, negated, when they overlap.
#pragma once

#include <limits>

#include "solver/collision/oriented_box.h"

namespace talus {

struct FaceAxis {
  double separation = -std::numeric_limits<double>::infinity();  // metres
  Vec3 normal = Vec3::UnitZ();                                   // unit, from a to b
  bool of_a = true;                                              // whose face it is
  int axis = 0;                                                  // across this axis
};

struct EdgeAxis {
  double separation = -std::numeric_limits<double>::infinity();  // metres
  Vec3 normal = Vec3::UnitZ();                                   // unit, from a to b
  int axis_a = 0;                                                // along these axes
  int axis_b = 0;
};

// The best of each kind. The search ends early when one of them is above `margin_m`.
struct BoxSeparation {
  FaceAxis face;
  EdgeAxis edge;  // of infinite negative separation when all edges are parallel
};

// A face of b is preferred only if it is better than those of a by more than `tolerance_m`, so that
// rounding does not make the choice.
BoxSeparation FindSeparation(const OrientedBox& a, const OrientedBox& b, double margin_m,
                             double tolerance_m);

}  // namespace talus
