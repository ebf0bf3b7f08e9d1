#include "solver/scene/mass_properties.h"

#include <algorithm>
#include <numbers>

namespace talus {
namespace {

// m times the parallel-axis tensor of an offset d: |d|^2 1 - d d^T.
Mat3 ParallelAxis(double mass, const Vec3& d) {
  return mass * (d.squaredNorm() * Mat3::Identity() - d * d.transpose());
}

// Of one solid about its own origin, unit density.
MassProperties ComputeSolid(const ShapeDef& shape) {
  MassProperties solid;
  if (const auto* sphere = std::get_if<Sphere>(&shape.geometry)) {
    const double r = sphere->radius_m;
    solid.mass_kg = 4.0 / 3.0 * std::numbers::pi * r * r * r;
    solid.inertia_body_kg_m2 = 0.4 * solid.mass_kg * r * r * Mat3::Identity();
  } else if (const auto* box = std::get_if<Box>(&shape.geometry)) {
    const Vec3& a = box->half_extents_m;
    solid.mass_kg = 8.0 * a.x() * a.y() * a.z();
    const Vec3 square = a.cwiseProduct(a);
    const Vec3 moments =
        solid.mass_kg / 3.0 *
        Vec3(square.y() + square.z(), square.x() + square.z(), square.x() + square.y());
    const Mat3 turn = shape.pose_body.orientation.toRotationMatrix();
    solid.inertia_body_kg_m2 = turn * moments.asDiagonal() * turn.transpose();
  }
  solid.center_body_m = shape.pose_body.position;
  return solid;
}

}  // namespace

MassProperties ComputeMassProperties(std::span<const ShapeDef> shapes, double density_kg_m3) {
  MassProperties total;
  Vec3 moment = Vec3::Zero();
  for (const ShapeDef& shape : shapes) {
    const MassProperties solid = ComputeSolid(shape);
    total.mass_kg += solid.mass_kg;
    moment += solid.mass_kg * solid.center_body_m;
  }
  if (total.mass_kg > 0.0) total.center_body_m = moment / total.mass_kg;
  for (const ShapeDef& shape : shapes) {
    const MassProperties solid = ComputeSolid(shape);
    total.inertia_body_kg_m2 +=
        solid.inertia_body_kg_m2 +
        ParallelAxis(solid.mass_kg, solid.center_body_m - total.center_body_m);
  }
  // The tensor of a turned box is symmetric only up to round-off.
  total.inertia_body_kg_m2 =
      (0.5 * (total.inertia_body_kg_m2 + total.inertia_body_kg_m2.transpose())).eval();
  total.mass_kg *= density_kg_m3;
  total.inertia_body_kg_m2 *= density_kg_m3;
  return total;
}

MassProperties ScaleToMass(const MassProperties& properties, double mass_kg) {
  MassProperties scaled = properties;
  scaled.inertia_body_kg_m2 *= mass_kg / properties.mass_kg;
  scaled.mass_kg = mass_kg;
  return scaled;
}

double ComputeBoundingRadius(std::span<const ShapeDef> shapes) {
  double radius = 0.0;
  for (const ShapeDef& shape : shapes) {
    double reach = 0.0;
    if (const auto* sphere = std::get_if<Sphere>(&shape.geometry)) {
      reach = sphere->radius_m;
    } else if (const auto* box = std::get_if<Box>(&shape.geometry)) {
      reach = box->half_extents_m.norm();
    }
    radius = std::max(radius, shape.pose_body.position.norm() + reach);
  }
  return radius;
}

}  // namespace talus
