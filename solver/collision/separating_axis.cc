#include "solver/collision/separating_axis.h"

#include <cmath>

namespace talus {

BoxSeparation FindSeparation(const OrientedBox& a, const OrientedBox& b, double margin_m,
                             double tolerance_m) {
  // Edges at a smaller angle (rad) count as parallel: their cross product would be rounding.
  constexpr double kParallel = 1e-6;
  const Mat3 b_in_a = a.axes.transpose() * b.axes;
  const Mat3 cosines = b_in_a.cwiseAbs();
  const Vec3 offset = b.center - a.center;
  const Vec3 offset_a = a.axes.transpose() * offset;
  const Vec3 offset_b = b.axes.transpose() * offset;
  BoxSeparation best;

  const Vec3 faces_a = offset_a.cwiseAbs() - a.half - cosines * b.half;
  const Vec3 faces_b = offset_b.cwiseAbs() - b.half - cosines.transpose() * a.half;
  int axis_a = 0;
  int axis_b = 0;
  const double best_a = faces_a.maxCoeff(&axis_a);
  const double best_b = faces_b.maxCoeff(&axis_b);
  if (best_b > best_a + tolerance_m) {
    const double sign = offset_b[axis_b] < 0.0 ? -1.0 : 1.0;
    best.face = {best_b, sign * b.axes.col(axis_b), false, axis_b};
  } else {
    const double sign = offset_a[axis_a] < 0.0 ? -1.0 : 1.0;
    best.face = {best_a, sign * a.axes.col(axis_a), true, axis_a};
  }
  if (best.face.separation > margin_m) return best;

  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      const Vec3 axis = Vec3::Unit(i).cross(b_in_a.col(j));  // in the frame of a
      const double sine = axis.norm();
      if (sine < kParallel) continue;
      const double along = offset_a.dot(axis);
      const double reach_a = axis.cwiseAbs().dot(a.half);
      const double reach_b = (b_in_a.transpose() * axis).cwiseAbs().dot(b.half);
      const double separation = (std::abs(along) - reach_a - reach_b) / sine;
      if (!(separation > best.edge.separation)) continue;
      const double scale = (along < 0.0 ? -1.0 : 1.0) / sine;
      best.edge = {separation, a.axes * (scale * axis), i, j};
      if (separation > margin_m) return best;
    }
  }
  return best;
}

}  // namespace talus
