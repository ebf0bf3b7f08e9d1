#include "tests/bench/peers/peer_state.h"

#include <exception>

#include "absl/status/status.h"
#include "solver/base/field_error.h"
#include "solver/base/status.h"
#include "solver/scene/field_checks.h"
#include "tests/bench/peers/json_vectors.h"

namespace talus::peers {
namespace {

constexpr char kStateFormat[] = "talus-peer-state/1";

absl::Status FillDynamics(const BodyStore& bodies, size_t row, PeerBody& body) {
  const Mat3 inertia = bodies.inertias().inertia(row);
  body.mass_kg = bodies.masses()[row];
  body.inertia_body_kg_m2 = inertia.diagonal();
  if (!Mat3(inertia - Mat3(body.inertia_body_kg_m2.asDiagonal())).isZero(0.0)) {
    return absl::InvalidArgumentError("the inertia of a dynamic body is diagonal");
  }
  return absl::OkStatus();
}

absl::StatusOr<Material> FindMaterial(const SceneState& scene) {
  const ShapeTable& shapes = scene.bodies.shapes();
  for (size_t row = 0; row < shapes.size(); ++row) {
    if (shapes.material(row) != shapes.material(0)) {
      return absl::InvalidArgumentError("a peer's scene has one material");
    }
  }
  if (shapes.size() == 0) return Material();
  const Material material = scene.materials.materials()[shapes.material(0)];
  if (material.restitution != 0.0) {
    return absl::InvalidArgumentError("a peer's scene has no restitution");
  }
  return material;
}

}  // namespace

absl::StatusOr<PeerState> MakePeerState(const std::string& id, const SceneState& scene) {
  const absl::StatusOr<Material> material = FindMaterial(scene);
  if (!material.ok()) return material.status();
  PeerState state;
  state.id = id;
  state.time_step_s = scene.settings.time_step_s;
  state.gravity_m_s2 = scene.settings.gravity_world_m_s2;
  state.recovery_speed_m_s = scene.settings.recovery_speed_m_s;
  state.material = *material;
  const BodyStore& bodies = scene.bodies;
  for (size_t row = 0; row < bodies.size(); ++row) {
    PeerBody& body = state.bodies.emplace_back();
    body.pose = {bodies.positions()[row], bodies.orientations()[row]};
    const ShapeTable::Rows shapes = bodies.shapes().rows_of(row);
    for (size_t shape = shapes.begin; shape < shapes.end; ++shape) {
      const ShapeRow placed = bodies.shapes()[shape];
      body.shapes.push_back({placed.geometry, placed.pose_body, ""});
    }
    body.kind = bodies.kinds()[row];
    body.linear_velocity_m_s = bodies.linear_velocities()[row];
    body.angular_velocity_rad_s = bodies.angular_velocities()[row];
    if (body.is_dynamic()) TALUS_RETURN_IF_ERROR(FillDynamics(bodies, row, body));
    TALUS_RETURN_IF_ERROR(CheckBody(body, row));
  }
  return state;
}

SceneDef MakeScene(const PeerState& state) {
  SceneDef scene;
  scene.materials.push_back({"all", state.material});
  scene.settings.time_step_s = state.time_step_s;
  scene.settings.gravity_world_m_s2 = state.gravity_m_s2;
  scene.settings.recovery_speed_m_s = state.recovery_speed_m_s;
  for (const PeerBody& body : state.bodies) {
    BodyDef def;
    def.kind = body.kind;
    def.pose_world = body.pose;
    def.linear_velocity_world_m_s = body.linear_velocity_m_s;
    def.angular_velocity_world_rad_s = body.angular_velocity_rad_s;
    def.shapes = body.shapes;
    for (ShapeDef& shape : def.shapes) shape.material = "all";
    if (body.is_dynamic()) {
      def.mass_kg = body.mass_kg;
      def.inertia_body_kg_m2 = body.inertia_body_kg_m2.asDiagonal();
    }
    scene.bodies.push_back(def);
  }
  return scene;
}

std::string ToJson(const PeerState& state) {
  Json json;
  json["format"] = kStateFormat;
  json["id"] = state.id;
  json["time_step_s"] = state.time_step_s;
  json["gravity_m_s2"] = ToJson(state.gravity_m_s2);
  json["recovery_speed_m_s"] = state.recovery_speed_m_s;
  json["mu"] = state.material.sliding_friction;
  json["rho_m"] = state.material.rolling_friction_m;
  json["sigma_m"] = state.material.spinning_friction_m;
  json["bodies"] = Json::array();
  for (const PeerBody& body : state.bodies) json["bodies"].push_back(ToJson(body));
  return json.dump() + "\n";
}

absl::StatusOr<PeerState> ParsePeerState(const std::string& text) try {
  const Json json = Json::parse(text);
  if (json.at("format") != kStateFormat)
    throw std::runtime_error("format is not talus-peer-state/1");
  PeerState state;
  state.id = json.at("id").get<std::string>();
  state.time_step_s = json.at("time_step_s").get<double>();
  if (!(state.time_step_s > 0.0)) {
    const std::string value = FormatValue(state.time_step_s);
    throw std::runtime_error("time_step_s = " + value + " must be > 0");
  }
  state.gravity_m_s2 = ParseVec3(json.at("gravity_m_s2"));
  state.recovery_speed_m_s = json.at("recovery_speed_m_s").get<double>();
  state.material = {json.at("mu").get<double>(), json.at("rho_m").get<double>(),
                    json.at("sigma_m").get<double>(), 0.0};
  for (const Json& body : json.at("bodies")) {
    state.bodies.push_back(ParseBody(body, state.bodies.size()));
  }
  return state;
} catch (const std::exception& error) {
  return absl::InvalidArgumentError(std::string("peer state: ") + error.what());
}

}  // namespace talus::peers
