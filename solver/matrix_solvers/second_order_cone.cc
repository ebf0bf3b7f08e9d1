#include "solver/matrix_solvers/second_order_cone.h"

#include <cmath>
#include <limits>

namespace talus::matrix {

double ConeDeterminant(const ConePoint& x) {
  // Not as a difference of squares, which has half as many digits at the boundary.
  const double length = std::hypot(x[1], x[2]);
  return (x[0] - length) * (x[0] + length);
}

ConePoint ConeProduct(const ConePoint& x, const ConePoint& y) {
  return {x.dot(y), x[0] * y[1] + y[0] * x[1], x[0] * y[2] + y[0] * x[2]};
}

ConePoint ConeQuotient(const ConePoint& product, const ConePoint& factor) {
  const double first = (factor[0] * product[0] - factor[1] * product[1] - factor[2] * product[2]) /
                       ConeDeterminant(factor);
  return {first, (product[1] - first * factor[1]) / factor[0],
          (product[2] - first * factor[2]) / factor[0]};
}

double ConeReach(const ConePoint& x, const ConePoint& step) {
  double reach = std::numeric_limits<double>::infinity();
  if (step[0] < 0.0) reach = -x[0] / step[0];
  // det(x + s step) = a s² + 2 b s + c.
  const double a = ConeDeterminant(step);
  const double b = x[0] * step[0] - x[1] * step[1] - x[2] * step[2];
  const double c = ConeDeterminant(x);
  const double under_root = b * b - a * c;
  if (under_root < 0.0) return reach;
  const double q = -(b + std::copysign(std::sqrt(under_root), b));
  if (a != 0.0 && q / a > 0.0) reach = std::min(reach, q / a);
  if (q != 0.0 && c / q > 0.0) reach = std::min(reach, c / q);
  return reach;
}

ConeScaling ScaleCone(const ConePoint& y, const ConePoint& z) {
  const double root_y = std::sqrt(ConeDeterminant(y));
  const double root_z = std::sqrt(ConeDeterminant(z));
  ConeScaling scaling;
  scaling.ratio = root_y / root_z;
  const double cosine = std::sqrt(0.5 * (1.0 + (y / root_y).dot(z / root_z)));
  ConePoint d = y / root_y;
  d[0] += z[0] / root_z;
  d.tail<2>() -= z.tail<2>() / root_z;
  d /= 2.0 * cosine;
  scaling.direction = d;
  const Eigen::Vector2d t = d.tail<2>();
  Eigen::Matrix3d root;
  root(0, 0) = d[0];
  root.block<1, 2>(0, 1) = t.transpose();
  root.block<2, 1>(1, 0) = t;
  root.block<2, 2>(1, 1) = Eigen::Matrix2d::Identity() + t * t.transpose() / (1.0 + d[0]);
  const double eta = std::sqrt(scaling.ratio);
  scaling.root = eta * root;
  root.block<1, 2>(0, 1) *= -1.0;
  root.block<2, 1>(1, 0) *= -1.0;
  scaling.inverse_root = root / eta;
  scaling.point = scaling.root * z;
  return scaling;
}

}  // namespace talus::matrix
