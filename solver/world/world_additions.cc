// The part of world.h that adds: what comes in is checked as a whole before any of it is taken.
#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "solver/scene/validate.h"
#include "solver/world/scene_assembly.h"
#include "solver/world/world.h"
#include "solver/world/world_parts.h"

namespace talus {

absl::StatusOr<std::vector<BodyDef>> World::Impl::CheckBodies(
    std::span<const BodyDef> bodies, std::span<const NamedMaterial> materials) const {
  if (absl::Status status = RefuseWhenFaulted(); !status.ok()) return status;
  absl::Status status = CheckBodyCount(state.bodies.size() + bodies.size());
  if (!status.ok()) return status;
  std::vector<BodyDef> checked(bodies.begin(), bodies.end());
  status = CheckMaterials(materials);
  if (!status.ok()) return status;
  const NameTest body_exists = [&](std::string_view name) {
    return state.bodies.FindRow(name).has_value();
  };
  status = ValidateBodies(checked, body_exists, MaterialExists(materials));
  if (!status.ok()) return status;
  return checked;
}

absl::StatusOr<std::vector<JointDef>> World::Impl::CheckJoints(
    std::span<const JointDef> joints, std::span<const BodyDef> new_bodies) const {
  if (absl::Status status = RefuseWhenFaulted(); !status.ok()) return status;
  absl::Status status = CheckJointCount(state.joints.size() + joints.size());
  if (!status.ok()) return status;
  if (!joints.empty()) status = ValidateJointSolver(state.settings.solver);
  if (!status.ok()) return status;
  std::vector<JointDef> checked(joints.begin(), joints.end());
  const NameTest joint_exists = [&](std::string_view name) {
    return std::ranges::any_of(state.joints,
                               [&](const JointState& joint) { return joint.def.name == name; });
  };
  std::map<std::string_view, BodyKind> new_kinds;
  for (const BodyDef& body : new_bodies) {
    if (!body.name.empty()) new_kinds.emplace(body.name, body.kind);
  }
  status =
      ValidateJoints(checked, joint_exists, [&](std::string_view name) -> std::optional<BodyKind> {
        const auto added = new_kinds.find(name);
        if (added != new_kinds.end()) return added->second;
        const std::optional<size_t> row = state.bodies.FindRow(name);
        if (!row.has_value()) return std::nullopt;
        return state.bodies.kinds()[*row];
      });
  if (!status.ok()) return status;
  return checked;
}

std::vector<BodyId> World::Impl::TakeBodies(std::span<const BodyDef> checked,
                                            std::span<const NamedMaterial> materials) {
  AddMaterials(materials, state);
  std::vector<BodyId> ids;
  ids.reserve(checked.size());
  for (const BodyDef& body : checked) ids.push_back(AddBody(body, state));
  if (!ids.empty()) ++state.layout_version;
  NoteChange();
  WakeTouched(ids);
  return ids;
}

std::vector<JointId> World::Impl::TakeJoints(std::span<const JointDef> checked) {
  std::vector<JointId> ids;
  ids.reserve(checked.size());
  for (const JointDef& joint : checked) ids.push_back(AddJoint(joint, state));
  if (!ids.empty()) ++state.layout_version;
  NoteChange();
  return ids;
}

absl::StatusOr<std::vector<BodyId>> World::AddBodies(std::span<const BodyDef> bodies,
                                                     std::span<const NamedMaterial> materials) {
  const auto checked = impl_->CheckBodies(bodies, materials);
  if (!checked.ok()) return checked.status();
  return impl_->TakeBodies(*checked, materials);
}

absl::StatusOr<std::vector<JointId>> World::AddJoints(std::span<const JointDef> joints) {
  const auto checked = impl_->CheckJoints(joints, {});
  if (!checked.ok()) return checked.status();
  return impl_->TakeJoints(*checked);
}

absl::StatusOr<AddedModel> World::AddModel(std::span<const BodyDef> bodies,
                                           std::span<const NamedMaterial> materials,
                                           std::span<const JointDef> joints) {
  const auto new_bodies = impl_->CheckBodies(bodies, materials);
  if (!new_bodies.ok()) return new_bodies.status();
  const auto new_joints = impl_->CheckJoints(joints, *new_bodies);
  if (!new_joints.ok()) return new_joints.status();
  return AddedModel{impl_->TakeBodies(*new_bodies, materials), impl_->TakeJoints(*new_joints)};
}

absl::Status World::AddEmitters(std::span<const EmitterDef> emitters,
                                std::span<const NamedMaterial> materials) {
  SceneState& state = impl_->state;
  if (absl::Status status = impl_->RefuseWhenFaulted(); !status.ok()) return status;
  absl::Status status = CheckEmitterCount(state.emitters.size() + emitters.size());
  if (!status.ok()) return status;
  std::vector<EmitterDef> checked(emitters.begin(), emitters.end());
  status = impl_->CheckMaterials(materials);
  if (!status.ok()) return status;
  const NameTest emitter_exists = [&](std::string_view name) {
    for (const EmitterState& emitter : state.emitters) {
      if (emitter.def.name == name) return true;
    }
    return false;
  };
  status = ValidateEmitters(checked, emitter_exists, impl_->MaterialExists(materials));
  if (!status.ok()) return status;
  AddMaterials(materials, state);
  for (const EmitterDef& emitter : checked) AddEmitter(emitter, state);
  impl_->NoteChange();
  return absl::OkStatus();
}

}  // namespace talus
