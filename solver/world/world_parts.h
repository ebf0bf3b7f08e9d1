// What a world is made of, for its own sources: the state, what the last step left beside it, and
// what has to be forgotten when the one changes.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "solver/scene/validate.h"
#include "solver/state/scene_state.h"
#include "solver/world/actuation.h"
#include "solver/world/count_limits.h"
#include "solver/world/energy.h"
#include "solver/world/joint_links.h"
#include "solver/world/scene_assembly.h"
#include "solver/world/step_pipeline.h"
#include "solver/world/step_problem.h"
#include "solver/world/told_contacts.h"
#include "solver/world/world.h"

namespace talus {

struct World::Impl {
  SceneState state;
  StepReport last_report;
  // Empty where the state has changed since: hashing all of it is left to who asks.
  mutable std::optional<uint64_t> state_hash;
  StepBuffers buffers;
  std::shared_ptr<const StepProblem> kept_problem;
  std::optional<ToldContacts> told;  // of the last step, in place of buffers.contact_set
  DrivenBefore driven_before;        // while nothing has happened since

  explicit Impl(SceneState start) : state(std::move(start)) {
    state_hash = HashSceneState(state);
    last_report.step_index = state.step_index;
    last_report.time_s = state.time_s();
    last_report.state_hash = *state_hash;
    last_report.body_count = static_cast<int64_t>(state.bodies.size());
    WorkerArena alone(1);
    last_report.sleeping_body_count =
        std::ranges::count(state.bodies.still_steps(), BodyStore::kAsleep);
    last_report.energy =
        ::talus::ComputeEnergy(alone, state.bodies, state.settings.gravity_world_m_s2);
  }

  NameTest MaterialExists(std::span<const NamedMaterial> added = {}) const {
    std::set<std::string_view> names;
    for (const NamedMaterial& material : added) names.insert(material.name);
    return [this, names = std::move(names)](std::string_view name) {
      return state.materials.FindRow(name).has_value() || names.contains(name);
    };
  }

  absl::Status CheckMaterials(std::span<const NamedMaterial> added) const {
    absl::Status status = CheckMaterialCount(state.materials.size() - 1 + added.size());
    if (status.ok()) status = ValidateMaterials(added, MaterialExists());
    if (!status.ok()) return status;
    return ValidateElasticity(added, {}, state.materials.materials(), state.settings.solver);
  }

  absl::Status RefuseWhenFaulted() const {
    return state.fault.empty() ? absl::OkStatus() : absl::FailedPreconditionError(state.fault);
  }

  // What may come in, normalised; of joints those among `new_bodies`, which are not in yet, as
  // well.
  absl::StatusOr<std::vector<BodyDef>> CheckBodies(std::span<const BodyDef> bodies,
                                                   std::span<const NamedMaterial> materials) const;
  absl::StatusOr<std::vector<JointDef>> CheckJoints(std::span<const JointDef> joints,
                                                    std::span<const BodyDef> new_bodies) const;
  // Takes in what was checked.
  std::vector<BodyId> TakeBodies(std::span<const BodyDef> checked,
                                 std::span<const NamedMaterial> materials);
  std::vector<JointId> TakeJoints(std::span<const JointDef> checked);

  void RemoveRows(std::span<const uint8_t> leaving) {
    WakeNeighbours(leaving, state);
    RemoveJointsAndLoadsOf(leaving, state);
    buffers.contact_set.NoteIds(state.bodies.ids());
    state.bodies.Remove(leaving);
    ++state.layout_version;
    NoteChange();
  }

  void NoteDriven(ActuationEffect effect) {
    if (effect == ActuationEffect::kNone) return;
    if (effect == ActuationEffect::kJoints) {
      buffers.prepared.ForgetResult();
    } else {
      buffers.prepared.Forget();
    }
    buffers.standstill.Forget();
    state_hash.reset();
  }

  // Sleepers that these bodies, where they are not dynamic, touch now wake. Of no island, they
  // would not be noticed by the next step. In world_updates.cc.
  void WakeTouched(std::span<const BodyId> ids);

  // Of what no step has done.
  void NoteChange() {
    driven_before.Forget();
    buffers.prepared.Forget();
    state_hash.reset();
  }
};

}  // namespace talus
