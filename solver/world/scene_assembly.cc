#include "solver/world/scene_assembly.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "solver/base/check.h"
#include "solver/scene/container.h"
#include "solver/scene/mass_properties.h"
#include "solver/scene/validate.h"
#include "solver/world/emission.h"
#include "solver/world/joint_links.h"

namespace talus {

void AddMaterials(std::span<const NamedMaterial> materials, SceneState& state) {
  for (const NamedMaterial& material : materials) state.materials.Add(material);
}

void AddMaterialPairs(std::span<const MaterialPair> pairs, SceneState& state) {
  std::vector<PairedMaterial> rows;
  rows.reserve(pairs.size());
  for (const MaterialPair& pair : pairs) {
    const std::optional<uint32_t> a = state.materials.FindRow(pair.material_a);
    const std::optional<uint32_t> b = state.materials.FindRow(pair.material_b);
    TALUS_CHECK(a.has_value() && b.has_value());
    rows.push_back({std::min(*a, *b), std::max(*a, *b), pair.material});
  }
  state.materials.SetPairs(std::move(rows));
}

BodyId AddBody(const BodyDef& body, SceneState& state) {
  std::vector<ShapeRow> shapes;
  for (const ShapeDef& shape : ExpandContainers(body.shapes)) {
    const std::optional<uint32_t> material = state.materials.FindRow(shape.material);
    TALUS_CHECK(material.has_value());
    ShapeRow& row = shapes.emplace_back();
    row.geometry = shape.geometry;
    row.pose_body = shape.pose_body;
    row.material = *material;
  }
  BodyRow row;
  row.name = body.name;
  row.kind = body.kind;
  row.pose_world = body.pose_world;
  row.linear_velocity = body.linear_velocity_world_m_s;
  row.angular_velocity = body.angular_velocity_world_rad_s;
  if (body.kind == BodyKind::kDynamic) {
    const MassProperties mass = ResolveMass(body);
    row.mass = mass.mass_kg;
    row.inertia_body = mass.inertia_body_kg_m2;
  }
  row.shapes = shapes;
  return state.bodies.Add(row);
}

BodyDef DescribeBody(const SceneState& state, size_t row) {
  const BodyStore& bodies = state.bodies;
  BodyDef body;
  body.name = bodies.name(row);
  body.kind = bodies.kinds()[row];
  body.pose_world = {bodies.positions()[row], bodies.orientations()[row]};
  body.linear_velocity_world_m_s = bodies.linear_velocities()[row];
  body.angular_velocity_world_rad_s = bodies.angular_velocities()[row];
  const ShapeTable::Rows rows = bodies.shapes().rows_of(row);
  body.shapes.reserve(rows.end - rows.begin);
  for (size_t shape_row = rows.begin; shape_row < rows.end; ++shape_row) {
    const ShapeRow shape = bodies.shapes()[shape_row];
    body.shapes.push_back({shape.geometry, shape.pose_body, state.materials[shape.material].name});
  }
  if (body.kind == BodyKind::kDynamic) {
    body.mass_kg = bodies.masses()[row];
    body.inertia_body_kg_m2 = bodies.inertias().inertia(row);
  }
  return body;
}

void AddEmitter(const EmitterDef& emitter, SceneState& state) {
  const std::optional<uint32_t> material = state.materials.FindRow(emitter.material);
  TALUS_CHECK(material.has_value());
  state.emitters.push_back(StartEmitter(state, emitter, *material));
}

JointId AddJoint(const JointDef& joint, SceneState& state) {
  const auto find_id = [&](const std::string& name) {
    return name.empty() ? kWorld : state.bodies.ids()[state.bodies.FindRow(name).value()];
  };
  JointState& added = state.joints.emplace_back();
  added.id = JointId{state.next_joint_id++};
  added.body_a = find_id(joint.body_a);
  added.body_b = find_id(joint.body_b);
  added.def = joint;
  WakeJoined(added, state);
  return added.id;
}

SceneState AssembleScene(const SceneDef& scene) {
  SceneState state;
  state.settings = scene.settings;
  state.settings.solver.solver = ResolveSolver(scene.settings.solver, !scene.joints.empty());
  state.domain = scene.domain;
  AddMaterials(scene.materials, state);
  AddMaterialPairs(scene.material_pairs, state);
  state.bodies.Reserve(scene.bodies.size());
  for (const BodyDef& body : scene.bodies) AddBody(body, state);
  for (const EmitterDef& emitter : scene.emitters) AddEmitter(emitter, state);
  for (const JointDef& joint : scene.joints) AddJoint(joint, state);
  return state;
}

}  // namespace talus
