#include "server/wire/scene_codec.h"

#include "server/wire/body_codec.h"
#include "server/wire/geometry_codec.h"
#include "server/wire/joint_codec.h"
#include "server/wire/settings_codec.h"
#include "solver/scene/field_checks.h"

namespace talus::wire {
namespace {

EmitterDef DecodeEmitter(const v1::EmitterSpec& message) {
  EmitterDef emitter;
  emitter.name = message.name();
  emitter.center_world_m = DecodeVector(message.center_world_m());
  if (message.has_axis_world()) emitter.axis_world = DecodeVector(message.axis_world());
  emitter.nozzle_radius_m = message.nozzle_radius_m();
  emitter.nozzle_height_m = message.nozzle_height_m();
  emitter.rate_per_s = message.rate_per_s();
  emitter.particle_count = message.particle_count();
  emitter.start_time_s = message.start_time_s();
  emitter.seed = message.seed();
  emitter.radius_min_m = message.radius_min_m();
  emitter.radius_max_m = message.radius_max_m();
  emitter.density_kg_m3 = message.density_kg_m3();
  emitter.material = message.material();
  emitter.speed_m_s = message.speed_m_s();
  return emitter;
}

Material DecodeMaterial(const v1::Material& message) {
  const v1::Elasticity& elasticity = message.elasticity();
  return {message.sliding_friction(),
          message.rolling_friction_m(),
          message.spinning_friction_m(),
          message.restitution(),
          {.normal_stiffness_n_per_m = elasticity.normal_stiffness_n_per_m(),
           .normal_damping_n_s_per_m = elasticity.normal_damping_n_s_per_m(),
           .youngs_modulus_pa = elasticity.youngs_modulus_pa(),
           .poisson_ratio = elasticity.poisson_ratio(),
           .sliding_stiffness_n_per_m = elasticity.sliding_stiffness_n_per_m(),
           .rolling_stiffness_n_m_per_rad = elasticity.rolling_stiffness_n_m_per_rad(),
           .spinning_stiffness_n_m_per_rad = elasticity.spinning_stiffness_n_m_per_rad(),
           .sliding_viscosity_n_s_per_m = elasticity.sliding_viscosity_n_s_per_m(),
           .rolling_viscosity_n_m_s_per_rad = elasticity.rolling_viscosity_n_m_s_per_rad(),
           .spinning_viscosity_n_m_s_per_rad = elasticity.spinning_viscosity_n_m_s_per_rad()}};
}

void EncodeElasticity(const Elasticity& elasticity, v1::Elasticity& message) {
  message.set_normal_stiffness_n_per_m(elasticity.normal_stiffness_n_per_m);
  message.set_normal_damping_n_s_per_m(elasticity.normal_damping_n_s_per_m);
  message.set_youngs_modulus_pa(elasticity.youngs_modulus_pa);
  message.set_poisson_ratio(elasticity.poisson_ratio);
  message.set_sliding_stiffness_n_per_m(elasticity.sliding_stiffness_n_per_m);
  message.set_rolling_stiffness_n_m_per_rad(elasticity.rolling_stiffness_n_m_per_rad);
  message.set_spinning_stiffness_n_m_per_rad(elasticity.spinning_stiffness_n_m_per_rad);
  message.set_sliding_viscosity_n_s_per_m(elasticity.sliding_viscosity_n_s_per_m);
  message.set_rolling_viscosity_n_m_s_per_rad(elasticity.rolling_viscosity_n_m_s_per_rad);
  message.set_spinning_viscosity_n_m_s_per_rad(elasticity.spinning_viscosity_n_m_s_per_rad);
}

void EncodeMaterial(const Material& material, v1::Material& message) {
  message.set_sliding_friction(material.sliding_friction);
  message.set_rolling_friction_m(material.rolling_friction_m);
  message.set_spinning_friction_m(material.spinning_friction_m);
  message.set_restitution(material.restitution);
  EncodeElasticity(material.elasticity, *message.mutable_elasticity());
}

}  // namespace

void EncodeEmitter(const EmitterDef& emitter, v1::EmitterSpec& message) {
  message.set_name(emitter.name);
  EncodeVector(emitter.center_world_m, *message.mutable_center_world_m());
  EncodeVector(emitter.axis_world, *message.mutable_axis_world());
  message.set_nozzle_radius_m(emitter.nozzle_radius_m);
  message.set_nozzle_height_m(emitter.nozzle_height_m);
  message.set_rate_per_s(emitter.rate_per_s);
  message.set_particle_count(emitter.particle_count);
  message.set_start_time_s(emitter.start_time_s);
  message.set_seed(emitter.seed);
  message.set_radius_min_m(emitter.radius_min_m);
  message.set_radius_max_m(emitter.radius_max_m);
  message.set_density_kg_m3(emitter.density_kg_m3);
  message.set_material(emitter.material);
  message.set_speed_m_s(emitter.speed_m_s);
}

std::vector<NamedMaterial> DecodeMaterials(
    const google::protobuf::RepeatedPtrField<v1::NamedMaterial>& messages) {
  std::vector<NamedMaterial> materials;
  materials.reserve(static_cast<size_t>(messages.size()));
  for (const v1::NamedMaterial& message : messages) {
    materials.push_back({message.name(), DecodeMaterial(message.material())});
  }
  return materials;
}

std::vector<EmitterDef> DecodeEmitters(
    const google::protobuf::RepeatedPtrField<v1::EmitterSpec>& messages) {
  std::vector<EmitterDef> emitters;
  emitters.reserve(static_cast<size_t>(messages.size()));
  for (const v1::EmitterSpec& message : messages) emitters.push_back(DecodeEmitter(message));
  return emitters;
}

absl::StatusOr<SceneDef> DecodeScene(const v1::SceneSpec& message, const char* field) {
  const FieldPath path(field);
  SceneDef scene;
  scene.materials = DecodeMaterials(message.materials());
  for (const v1::MaterialPair& pair : message.material_pairs()) {
    scene.material_pairs.push_back(
        {pair.material_a(), pair.material_b(), DecodeMaterial(pair.material())});
  }
  absl::StatusOr<std::vector<BodyDef>> bodies = DecodeBodies(message.bodies(), &path);
  if (!bodies.ok()) return bodies.status();
  scene.bodies = *std::move(bodies);
  scene.emitters = DecodeEmitters(message.emitters());
  absl::StatusOr<std::vector<JointDef>> joints = DecodeJoints(message.joints(), &path);
  if (!joints.ok()) return joints.status();
  scene.joints = *std::move(joints);
  absl::StatusOr<StepSettings> settings =
      DecodeSettings(message.settings(), FieldPath(path, "settings"));
  if (!settings.ok()) return settings.status();
  scene.settings = *settings;
  if (message.has_domain()) {
    scene.domain = Domain{DecodeVector(message.domain().min_world_m()),
                          DecodeVector(message.domain().max_world_m())};
  }
  return scene;
}

void EncodeMaterials(const std::vector<NamedMaterial>& materials,
                     google::protobuf::RepeatedPtrField<v1::NamedMaterial>& messages) {
  for (const NamedMaterial& material : materials) {
    v1::NamedMaterial& named = *messages.Add();
    named.set_name(material.name);
    EncodeMaterial(material.material, *named.mutable_material());
  }
}

void EncodeScene(const SceneDef& scene, v1::SceneSpec& message) {
  EncodeMaterials(scene.materials, *message.mutable_materials());
  for (const MaterialPair& pair : scene.material_pairs) {
    v1::MaterialPair& named = *message.add_material_pairs();
    named.set_material_a(pair.material_a);
    named.set_material_b(pair.material_b);
    EncodeMaterial(pair.material, *named.mutable_material());
  }
  for (const BodyDef& body : scene.bodies) EncodeBody(body, *message.add_bodies());
  for (const EmitterDef& emitter : scene.emitters) {
    EncodeEmitter(emitter, *message.add_emitters());
  }
  for (const JointDef& joint : scene.joints) EncodeJoint(joint, *message.add_joints());
  EncodeSettings(scene.settings, *message.mutable_settings());
  if (scene.domain) {
    EncodeVector(scene.domain->min_world_m, *message.mutable_domain()->mutable_min_world_m());
    EncodeVector(scene.domain->max_world_m, *message.mutable_domain()->mutable_max_world_m());
  }
}

}  // namespace talus::wire
