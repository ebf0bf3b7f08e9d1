// The part of validate.h that looks at bodies: shapes, mass and inertia.
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <set>

#include "solver/base/field_error.h"
#include "solver/base/limits.h"
#include "solver/base/status.h"
#include "solver/scene/field_checks.h"
#include "solver/scene/validate.h"

namespace talus {
namespace {

// The centre of mass may be off the body origin by this fraction of the body's size.
constexpr double kCenterTolerance = 1e-6;

absl::Status ValidateGeometry(const FieldPath& path, Geometry& geometry, bool dynamic) {
  if (auto* sphere = std::get_if<Sphere>(&geometry)) {
    const FieldPath field(path, "sphere");
    return CheckPositive(FieldPath(field, "radius_m"), sphere->radius_m, kMinSizeM, kMaxSizeM);
  }
  if (auto* box = std::get_if<Box>(&geometry)) {
    const FieldPath field(path, "box");
    return CheckPositive(FieldPath(field, "half_extents_m"), box->half_extents_m, kMinSizeM,
                         kMaxSizeM);
  }
  if (dynamic) {
    const bool plane = std::holds_alternative<Plane>(geometry);
    return FieldError(FieldPath(path, "geometry").ToString(), plane ? "plane" : "container",
                      "must be sphere or box on a dynamic body");
  }
  if (auto* plane = std::get_if<Plane>(&geometry)) {
    const FieldPath field(path, "plane");
    return NormalizeDirection(FieldPath(field, "normal"), plane->normal);
  }
  const auto& tray = std::get<Container>(geometry);
  const FieldPath field(path, "container");
  TALUS_RETURN_IF_ERROR(CheckPositive(FieldPath(field, "inner_length_x_m"), tray.inner_length_x_m,
                                      2 * kMinSizeM, kMaxSizeM));
  TALUS_RETURN_IF_ERROR(CheckPositive(FieldPath(field, "inner_length_y_m"), tray.inner_length_y_m,
                                      2 * kMinSizeM, kMaxSizeM));
  const FieldPath height(field, "wall_height_m");
  TALUS_RETURN_IF_ERROR(CheckNotNegative(height, tray.wall_height_m, kMaxSizeM));
  if (tray.wall_height_m > 0.0) {
    TALUS_RETURN_IF_ERROR(CheckPositive(height, tray.wall_height_m, 2 * kMinSizeM, kMaxSizeM));
  }
  return CheckPositive(FieldPath(field, "thickness_m"), tray.thickness_m, 2 * kMinSizeM, kMaxSizeM);
}

absl::Status ValidateShapes(const FieldPath& path, BodyDef& body, const NameTest& material_exists) {
  if (body.shapes.size() > kMaxShapesPerBody) {
    return FieldError("size(" + FieldPath(path, "shapes").ToString() + ")",
                      FormatValue(uint64_t{body.shapes.size()}), "must be in [0, 64]");
  }
  for (size_t index = 0; index < body.shapes.size(); ++index) {
    const FieldPath field(path, "shapes", index);
    ShapeDef& shape = body.shapes[index];
    TALUS_RETURN_IF_ERROR(ValidateGeometry(field, shape.geometry, body.kind == BodyKind::kDynamic));
    TALUS_RETURN_IF_ERROR(
        CheckMagnitude(FieldPath(field, "position_body_m"), shape.pose_body.position, kMaxSizeM));
    TALUS_RETURN_IF_ERROR(
        NormalizeOrientation(FieldPath(field, "orientation_body"), shape.pose_body.orientation));
    if (!shape.material.empty() && !material_exists(shape.material)) {
      return FieldError(FieldPath(field, "material").ToString(), FormatValue(shape.material),
                        "must name a material of the scene");
    }
  }
  return absl::OkStatus();
}

absl::Status ValidateMotion(const FieldPath& path, BodyDef& body) {
  const FieldPath linear(path, "linear_velocity_world_m_s");
  const FieldPath angular(path, "angular_velocity_world_rad_s");
  TALUS_RETURN_IF_ERROR(
      CheckMagnitude(FieldPath(path, "position_world_m"), body.pose_world.position, kMaxPositionM));
  TALUS_RETURN_IF_ERROR(
      NormalizeOrientation(FieldPath(path, "orientation_world"), body.pose_world.orientation));
  TALUS_RETURN_IF_ERROR(CheckMagnitude(linear, body.linear_velocity_world_m_s, kMaxSpeedMS));
  TALUS_RETURN_IF_ERROR(
      CheckMagnitude(angular, body.angular_velocity_world_rad_s, kMaxAngularSpeedRadS));
  if (body.kind != BodyKind::kStatic) return absl::OkStatus();
  if (!body.linear_velocity_world_m_s.isZero(0.0)) {
    return FieldError(linear.ToString(), FormatVector(body.linear_velocity_world_m_s),
                      "must be zero on a static body");
  }
  if (!body.angular_velocity_world_rad_s.isZero(0.0)) {
    return FieldError(angular.ToString(), FormatVector(body.angular_velocity_world_rad_s),
                      "must be zero on a static body");
  }
  return absl::OkStatus();
}

absl::Status ValidateInertia(const FieldPath& path, const Mat3& inertia) {
  constexpr const char* kDiagonal[] = {"xx", "yy", "zz"};
  constexpr const char* kOffDiagonal[] = {"xy", "xz", "yz"};
  constexpr double kMaxInertia = 1e27;
  for (int axis = 0; axis < 3; ++axis) {
    TALUS_RETURN_IF_ERROR(
        CheckPositive(FieldPath(path, kDiagonal[axis]), inertia(axis, axis), 1e-30, kMaxInertia));
    const int row = axis == 2 ? 1 : 0;
    const int column = axis == 0 ? 1 : 2;
    TALUS_RETURN_IF_ERROR(
        CheckMagnitude(FieldPath(path, kOffDiagonal[axis]), inertia(row, column), kMaxInertia));
    if (inertia(row, column) != inertia(column, row)) {
      return FieldError(FieldPath(path, kOffDiagonal[axis]).ToString(),
                        FormatValue(inertia(row, column)),
                        "must equal its mirror " + FormatValue(inertia(column, row)));
    }
  }
  // Scaled to one, so that the eigenvalues of very light and very heavy bodies are found alike.
  const double scale = inertia.diagonal().maxCoeff();
  const Eigen::SelfAdjointEigenSolver<Mat3> solver(inertia / scale, Eigen::EigenvaluesOnly);
  const Vec3 moments = scale * solver.eigenvalues();
  const std::string shown = "principal moments " + FormatVector(moments);
  if (!(moments[0] > 1e-14 * moments[2])) {
    return FieldError(path.ToString(), shown, "must be positive definite");
  }
  if (moments[2] > (moments[0] + moments[1]) * (1.0 + 1e-9)) {
    return FieldError(path.ToString(), shown,
                      "must obey the triangle inequality: none above the sum of the others");
  }
  return absl::OkStatus();
}

// Mass and centre as they follow from the shapes.
absl::Status ValidateDerivedMass(const FieldPath& path, const BodyDef& body) {
  const MassProperties derived =
      ComputeMassProperties(body.shapes, body.density_kg_m3.value_or(1.0));
  const double size = ComputeBoundingRadius(body.shapes);
  if (!(derived.center_body_m.norm() <= kCenterTolerance * size)) {
    return FieldError(FieldPath(path, "shapes").ToString(),
                      "centre of mass at " + FormatVector(derived.center_body_m),
                      "must have their centre of mass at the body origin");
  }
  if (body.density_kg_m3.has_value() &&
      !(derived.mass_kg >= kMinMassKg && derived.mass_kg <= kMaxMassKg)) {
    return FieldError(FieldPath(path, "density_kg_m3").ToString(), FormatValue(*body.density_kg_m3),
                      "must give a mass in [" + FormatValue(kMinMassKg) + ", " +
                          FormatValue(kMaxMassKg) + "] kg");
  }
  return absl::OkStatus();
}

absl::Status ValidateMass(const FieldPath& path, const BodyDef& body) {
  const FieldPath mass(path, "mass_kg");
  const FieldPath density(path, "density_kg_m3");
  if (body.mass_kg.has_value()) {
    TALUS_RETURN_IF_ERROR(CheckPositive(mass, *body.mass_kg, kMinMassKg, kMaxMassKg));
  }
  if (body.density_kg_m3.has_value()) {
    TALUS_RETURN_IF_ERROR(
        CheckPositive(density, *body.density_kg_m3, kMinDensityKgM3, kMaxDensityKgM3));
  }
  if (body.mass_kg.has_value() && body.density_kg_m3.has_value()) {
    return FieldError(density.ToString(), FormatValue(*body.density_kg_m3),
                      "must be unset when mass_kg is set");
  }
  if (body.inertia_body_kg_m2.has_value()) {
    TALUS_RETURN_IF_ERROR(
        ValidateInertia(FieldPath(path, "inertia_body_kg_m2"), *body.inertia_body_kg_m2));
  }
  if (body.kind != BodyKind::kDynamic) return absl::OkStatus();
  if (!body.mass_kg.has_value() && !body.density_kg_m3.has_value()) {
    return FieldError(mass.ToString(), "unset",
                      "must be set on a dynamic body, or density_kg_m3 instead");
  }
  // With mass and inertia both given the shapes say nothing about where the matter is.
  if (body.mass_kg.has_value() && body.inertia_body_kg_m2.has_value()) return absl::OkStatus();
  if (body.shapes.empty()) {
    return FieldError("size(" + FieldPath(path, "shapes").ToString() + ")", "0",
                      "must be in [1, 64] on a dynamic body without mass_kg and "
                      "inertia_body_kg_m2: they follow from its shapes");
  }
  return ValidateDerivedMass(path, body);
}

absl::Status ValidateBody(const FieldPath& path, BodyDef& body, const NameTest& material_exists) {
  if (!body.name.empty()) TALUS_RETURN_IF_ERROR(CheckName(FieldPath(path, "name"), body.name));
  if (body.kind != BodyKind::kDynamic && body.kind != BodyKind::kStatic &&
      body.kind != BodyKind::kKinematic) {
    return FieldError(FieldPath(path, "kind").ToString(),
                      FormatValue(static_cast<int64_t>(body.kind)),
                      "must be DYNAMIC, STATIC or KINEMATIC");
  }
  TALUS_RETURN_IF_ERROR(ValidateMotion(path, body));
  TALUS_RETURN_IF_ERROR(ValidateShapes(path, body, material_exists));
  return ValidateMass(path, body);
}

}  // namespace

absl::Status ValidateBodies(std::span<BodyDef> bodies, const NameTest& body_exists,
                            const NameTest& material_exists) {
  std::set<std::string_view> names;
  for (size_t index = 0; index < bodies.size(); ++index) {
    const FieldPath path("bodies", index);
    BodyDef& body = bodies[index];
    TALUS_RETURN_IF_ERROR(ValidateBody(path, body, material_exists));
    if (body.name.empty()) continue;
    if (body_exists(body.name) || !names.insert(body.name).second) {
      return FieldError(FieldPath(path, "name").ToString(), FormatValue(body.name),
                        "must be unique in the scene", absl::StatusCode::kAlreadyExists);
    }
  }
  return absl::OkStatus();
}

absl::Status ValidateUpdate(const FieldPath& path, BodyKind kind, BodyUpdate& update) {
  if (!update.position_world_m && !update.orientation_world && !update.linear_velocity_world_m_s &&
      !update.angular_velocity_world_rad_s) {
    return FieldError(FieldPath(path, "update_mask").ToString(), "empty",
                      "must name a field that is to be set");
  }
  // What is not set passes as the default.
  BodyDef body;
  body.kind = kind;
  if (update.position_world_m) body.pose_world.position = *update.position_world_m;
  if (update.orientation_world) body.pose_world.orientation = *update.orientation_world;
  if (update.linear_velocity_world_m_s) {
    body.linear_velocity_world_m_s = *update.linear_velocity_world_m_s;
  }
  if (update.angular_velocity_world_rad_s) {
    body.angular_velocity_world_rad_s = *update.angular_velocity_world_rad_s;
  }
  TALUS_RETURN_IF_ERROR(ValidateMotion(FieldPath(path, "values"), body));
  if (update.orientation_world) update.orientation_world = body.pose_world.orientation;
  return absl::OkStatus();
}

MassProperties ResolveMass(const BodyDef& body) {
  MassProperties mass = ComputeMassProperties(body.shapes, body.density_kg_m3.value_or(1.0));
  if (body.mass_kg.has_value()) {
    if (body.inertia_body_kg_m2.has_value()) {
      mass.mass_kg = *body.mass_kg;
    } else {
      mass = ScaleToMass(mass, *body.mass_kg);
    }
  }
  if (body.inertia_body_kg_m2.has_value()) mass.inertia_body_kg_m2 = *body.inertia_body_kg_m2;
  mass.center_body_m = Vec3::Zero();
  return mass;
}

}  // namespace talus
