#include "tests/bench/peers/peer_body.h"

#include <array>
#include <string>
#include <utility>
#include <variant>

#include "solver/base/field_error.h"
#include "solver/base/limits.h"
#include "solver/base/status.h"
#include "solver/scene/field_checks.h"

namespace talus::peers {
namespace {

constexpr std::array<std::pair<BodyKind, const char*>, 3> kKinds = {
    {{BodyKind::kDynamic, "dynamic"},
     {BodyKind::kStatic, "static"},
     {BodyKind::kKinematic, "kinematic"}}};

std::string KindName(BodyKind kind) {
  for (const auto& [known, name] : kKinds) {
    if (known == kind) return name;
  }
  return "unknown";
}

[[noreturn]] void Throw(const absl::Status& status) {
  throw std::runtime_error(std::string(status.message()));
}

BodyKind ParseKind(const std::string& text, size_t index) {
  for (const auto& [kind, name] : kKinds) {
    if (text == name) return kind;
  }
  const FieldPath body("bodies", index);
  Throw(FieldError(FieldPath(body, "kind").ToString(), FormatValue(text),
                   "must be dynamic, static or kinematic"));
}

bool IsSolid(const ShapeDef& shape) {
  return std::holds_alternative<Sphere>(shape.geometry) ||
         std::holds_alternative<Box>(shape.geometry);
}

bool IsAtOrigin(const ShapeDef& shape) {
  return shape.pose_body.position.isZero(0.0) &&
         shape.pose_body.orientation.coeffs() == Quat::Identity().coeffs();
}

absl::Status CheckZero(const FieldPath& path, const Vec3& value, BodyKind kind) {
  if (value.isZero(0.0)) return absl::OkStatus();
  return FieldError(path.ToString(), FormatVector(value),
                    "must be 0 on a " + KindName(kind) + " body");
}

absl::Status CheckDynamic(const FieldPath& path, const PeerBody& body) {
  TALUS_RETURN_IF_ERROR(
      CheckPositive(FieldPath(path, "mass_kg"), body.mass_kg, kMinMassKg, kMaxMassKg));
  for (int axis = 0; axis < 3; ++axis) {
    if (body.inertia_body_kg_m2[axis] > 0.0) continue;
    return FieldError(FieldPath(path, "inertia_body_kg_m2").ToString(),
                      FormatVector(body.inertia_body_kg_m2), "must be > 0 on a dynamic body");
  }
  const FieldPath shapes(path, "shapes");
  if (body.shapes.size() != 1) {
    return FieldError(shapes.ToString(), std::to_string(body.shapes.size()) + " shapes",
                      "must be one sphere or box on a dynamic body");
  }
  if (IsAtOrigin(body.shapes[0])) return absl::OkStatus();
  return FieldError(FieldPath(path, "shapes", 0).ToString(),
                    FormatVector(body.shapes[0].pose_body.position) + ", or turned",
                    "must be at the centre of a dynamic body, in its axes");
}

absl::Status CheckPrescribed(const FieldPath& path, const PeerBody& body) {
  if (body.mass_kg != 0.0) {
    return FieldError(FieldPath(path, "mass_kg").ToString(), FormatValue(body.mass_kg),
                      "must be 0 on a " + KindName(body.kind) + " body");
  }
  TALUS_RETURN_IF_ERROR(
      CheckZero(FieldPath(path, "inertia_body_kg_m2"), body.inertia_body_kg_m2, body.kind));
  if (body.is_kinematic()) return absl::OkStatus();
  TALUS_RETURN_IF_ERROR(
      CheckZero(FieldPath(path, "linear_velocity_m_s"), body.linear_velocity_m_s, body.kind));
  return CheckZero(FieldPath(path, "angular_velocity_rad_s"), body.angular_velocity_rad_s,
                   body.kind);
}

}  // namespace

absl::Status CheckBody(const PeerBody& body, size_t index) {
  const FieldPath path("bodies", index);
  TALUS_RETURN_IF_ERROR(body.is_dynamic() ? CheckDynamic(path, body) : CheckPrescribed(path, body));
  for (size_t k = 0; k < body.shapes.size(); ++k) {
    if (body.kind == BodyKind::kStatic || IsSolid(body.shapes[k])) continue;
    return FieldError(FieldPath(path, "shapes", k).ToString(), "a plane",
                      "must be a sphere or a box on a " + KindName(body.kind) + " body");
  }
  return absl::OkStatus();
}

Pose AdvancePose(const PeerBody& body, double time_s) {
  return {body.pose.position + time_s * body.linear_velocity_m_s,
          (ExpRotation(time_s * body.angular_velocity_rad_s) * body.pose.orientation).normalized()};
}

Json ToJson(const PeerBody& body) {
  Json json;
  json["kind"] = KindName(body.kind);
  json["mass_kg"] = body.mass_kg;
  json["inertia_body_kg_m2"] = ToJson(body.inertia_body_kg_m2);
  json["position_m"] = ToJson(body.pose.position);
  json["orientation_wxyz"] = ToJson(body.pose.orientation);
  json["linear_velocity_m_s"] = ToJson(body.linear_velocity_m_s);
  json["angular_velocity_rad_s"] = ToJson(body.angular_velocity_rad_s);
  json["shapes"] = Json::array();
  for (const ShapeDef& shape : body.shapes) json["shapes"].push_back(ToJson(shape));
  return json;
}

PeerBody ParseBody(const Json& json, size_t index) {
  PeerBody body;
  body.kind = ParseKind(json.at("kind").get<std::string>(), index);
  body.mass_kg = json.at("mass_kg").get<double>();
  body.inertia_body_kg_m2 = ParseVec3(json.at("inertia_body_kg_m2"));
  body.pose = {ParseVec3(json.at("position_m")), ParseQuat(json.at("orientation_wxyz"))};
  body.linear_velocity_m_s = ParseVec3(json.at("linear_velocity_m_s"));
  body.angular_velocity_rad_s = ParseVec3(json.at("angular_velocity_rad_s"));
  for (const Json& shape : json.at("shapes")) body.shapes.push_back(ParseShape(shape));
  if (const absl::Status checked = CheckBody(body, index); !checked.ok()) Throw(checked);
  return body;
}

}  // namespace talus::peers
