#include "solver/world/world.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "solver/base/field_error.h"
#include "solver/rays/ray_query.h"
#include "solver/scene/validate.h"
#include "solver/state/snapshot.h"
#include "solver/world/contact_set.h"
#include "solver/world/step_preparation.h"
#include "solver/world/world_parts.h"

namespace talus {

World::World(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
World::World(World&&) noexcept = default;
World& World::operator=(World&&) noexcept = default;
World::~World() = default;

absl::StatusOr<World> World::Create(const SceneDef& scene) {
  SceneDef checked = scene;
  if (absl::Status status = CheckBodyCount(scene.bodies.size()); !status.ok()) return status;
  if (absl::Status status = CheckJointCount(scene.joints.size()); !status.ok()) return status;
  if (absl::Status status = ValidateScene(checked); !status.ok()) return status;
  return World(std::make_unique<Impl>(AssembleScene(checked)));
}

absl::StatusOr<World> World::Restore(std::string_view snapshot) {
  absl::StatusOr<SceneState> state = RestoreSnapshot(snapshot);
  if (!state.ok()) return state.status();
  return World(std::make_unique<Impl>(*std::move(state)));
}

World World::Fork() const {
  auto copy = std::make_unique<Impl>(impl_->state);
  copy->buffers.contact_set = impl_->buffers.contact_set;
  copy->last_report = impl_->last_report;
  copy->kept_problem = impl_->kept_problem;
  copy->told = impl_->told;
  return World(std::move(copy));
}

std::string World::SaveSnapshot() const { return ::talus::SaveSnapshot(impl_->state); }

LastStep World::SaveLastStep() const {
  return {impl_->last_report, impl_->kept_problem, EncodeRecords(Contacts())};
}

absl::Status World::RestoreLastStep(LastStep last) {
  const BodyStore& bodies = impl_->state.bodies;
  auto contacts = DecodeRecords(last.contacts, bodies.size());
  if (!contacts.ok()) return contacts.status();
  impl_->last_report = std::move(last.report);
  impl_->kept_problem = std::move(last.problem);
  impl_->told.emplace(*std::move(contacts), bodies.ids());
  return absl::OkStatus();
}

absl::Status World::RemoveBodies(std::span<const BodyId> ids, std::span<const std::string> names) {
  SceneState& state = impl_->state;
  if (absl::Status status = impl_->RefuseWhenFaulted(); !status.ok()) return status;
  std::vector<uint8_t> leaving(state.bodies.size(), 0);
  for (size_t index = 0; index < ids.size(); ++index) {
    const auto row = state.bodies.FindRow(ids[index]);
    if (!row.has_value()) {
      return FieldError("body_ids[" + std::to_string(index) + "]",
                        FormatValue(ToInteger(ids[index])), "must be the id of a body in the scene",
                        absl::StatusCode::kNotFound);
    }
    leaving[*row] = 1;
  }
  for (size_t index = 0; index < names.size(); ++index) {
    const auto row = state.bodies.FindRow(names[index]);
    if (!row.has_value()) {
      return FieldError("body_names[" + std::to_string(index) + "]", FormatValue(names[index]),
                        "must be the name of a body in the scene", absl::StatusCode::kNotFound);
    }
    leaving[*row] = 1;
  }
  if (!ids.empty() || !names.empty()) impl_->RemoveRows(leaving);
  return absl::OkStatus();
}

absl::Status World::RemoveEmitters(std::span<const std::string> names) {
  SceneState& state = impl_->state;
  if (absl::Status status = impl_->RefuseWhenFaulted(); !status.ok()) return status;
  std::vector<EmitterState> kept = state.emitters;
  for (size_t index = 0; index < names.size(); ++index) {
    const auto named = [&](const EmitterState& emitter) {
      return emitter.def.name == names[index];
    };
    if (std::none_of(state.emitters.begin(), state.emitters.end(), named)) {
      return FieldError("emitter_names[" + std::to_string(index) + "]", FormatValue(names[index]),
                        "must be the name of an emitter in the scene", absl::StatusCode::kNotFound);
    }
    std::erase_if(kept, named);
  }
  state.emitters = std::move(kept);
  impl_->NoteChange();
  return absl::OkStatus();
}

absl::Status World::RemoveJoints(std::span<const JointId> ids, std::span<const std::string> names) {
  SceneState& state = impl_->state;
  if (absl::Status status = impl_->RefuseWhenFaulted(); !status.ok()) return status;
  std::vector<uint8_t> leaving(state.joints.size(), 0);
  const auto mark = [&](const auto& is_it) {
    const auto found = std::ranges::find_if(state.joints, is_it);
    if (found == state.joints.end()) return false;
    leaving[static_cast<size_t>(found - state.joints.begin())] = 1;
    return true;
  };
  for (size_t index = 0; index < ids.size(); ++index) {
    if (mark([&](const JointState& joint) { return joint.id == ids[index]; })) continue;
    return FieldError("joint_ids[" + std::to_string(index) + "]",
                      FormatValue(ToInteger(ids[index])), "must be the id of a joint in the scene",
                      absl::StatusCode::kNotFound);
  }
  for (size_t index = 0; index < names.size(); ++index) {
    const bool found = !names[index].empty() && mark([&](const JointState& joint) {
      return joint.def.name == names[index];
    });
    if (found) continue;
    return FieldError("joint_names[" + std::to_string(index) + "]", FormatValue(names[index]),
                      "must be the name of a joint in the scene", absl::StatusCode::kNotFound);
  }
  if (ids.empty() && names.empty()) return absl::OkStatus();
  std::vector<JointState> kept;
  for (size_t index = 0; index < leaving.size(); ++index) {
    if (leaving[index] != 0) WakeJoined(state.joints[index], state);
    if (leaving[index] == 0) kept.push_back(state.joints[index]);
  }
  state.joints = std::move(kept);
  ++state.layout_version;
  impl_->NoteChange();
  return absl::OkStatus();
}

absl::Status World::Reset(std::string_view origin, const ResetScope& scope) {
  if (!scope.state) {
    if (absl::Status status = impl_->RefuseWhenFaulted(); !status.ok()) return status;
  }
  const absl::StatusOr<SceneState> start = RestoreSnapshot(origin);
  if (!start.ok()) return start.status();
  impl_->buffers.contact_set.NoteIds(impl_->state.bodies.ids());
  ResetScene(*start, scope, impl_->state);
  if (scope.state) {
    impl_->buffers.contact_set.Clear();
    impl_->told.reset();
  }
  impl_->buffers.standstill.Forget();
  impl_->NoteChange();
  return absl::OkStatus();
}

void World::PrepareStep(WorkerArena& workers, std::function<bool()> stop) {
  if (!impl_->state.fault.empty()) return;
  StepReport report;
  const StepOptions options{.stop = std::move(stop)};
  StepContext context{impl_->state, workers, impl_->buffers, report, options};
  workers.Execute([&] { PrepareStepAhead(context); });
}

absl::StatusOr<StepReport> World::Step(WorkerArena& workers, const StepOptions& options) {
  if (absl::Status status = impl_->RefuseWhenFaulted(); !status.ok()) return status;
  impl_->told.reset();
  StepReport report;
  StepContext context{impl_->state, workers, impl_->buffers, report, options};
  absl::Status status;
  workers.Execute([&] { status = AdvanceScene(context); });
  // Also of a step that failed: it is the one to look at.
  if (context.kept_problem) impl_->kept_problem = std::move(context.kept_problem);
  if (!status.ok()) {
    impl_->buffers.contact_set.Clear();
    return status;
  }
  impl_->driven_before.Forget();
  impl_->state_hash = report.state_hash;
  impl_->last_report = report;
  return report;
}

int64_t World::step_index() const { return impl_->state.step_index; }
double World::time_s() const { return impl_->state.time_s(); }
uint64_t World::state_hash() const {
  if (!impl_->state_hash.has_value()) impl_->state_hash = HashSceneState(impl_->state);
  return *impl_->state_hash;
}
const std::string& World::fault() const { return impl_->state.fault; }
const StepSettings& World::settings() const { return impl_->state.settings; }
int64_t World::layout_version() const { return impl_->state.layout_version; }
size_t World::body_count() const { return impl_->state.bodies.size(); }
size_t World::emitter_count() const { return impl_->state.emitters.size(); }
size_t World::joint_count() const { return impl_->state.joints.size(); }
JointId World::joint_id(size_t index) const { return impl_->state.joints[index].id; }
const JointDef& World::joint_def(size_t index) const { return impl_->state.joints[index].def; }

int64_t World::particles_pending() const {
  int64_t pending = 0;
  for (const EmitterState& emitter : impl_->state.emitters) {
    pending += emitter.def.particle_count - emitter.emitted_count;
  }
  return pending;
}

BodyStateView World::bodies() const {
  const BodyStore& bodies = impl_->state.bodies;
  return {bodies.ids(),
          bodies.kinds(),
          bodies.positions(),
          bodies.orientations(),
          bodies.linear_velocities(),
          bodies.angular_velocities()};
}

std::string_view World::body_name(size_t row) const { return impl_->state.bodies.name(row); }

double World::sphere_radius_m(size_t row) const {
  if (shape_count(row) == 0) return 0.0;
  const ShapeTable& shapes = impl_->state.bodies.shapes();
  const ShapeRow first = shapes[shapes.rows_of(row).begin];
  const auto* sphere = std::get_if<Sphere>(&first.geometry);
  return sphere != nullptr ? sphere->radius_m : 0.0;
}

size_t World::shape_count(size_t row) const {
  const ShapeTable::Rows rows = impl_->state.bodies.shapes().rows_of(row);
  return rows.end - rows.begin;
}

BodyDef World::DescribeBody(size_t row) const { return ::talus::DescribeBody(impl_->state, row); }

std::optional<Material> World::FindMaterial(std::string_view name) const {
  const MaterialTable& materials = impl_->state.materials;
  const std::optional<uint32_t> row = materials.FindRow(name);
  if (!row.has_value()) return std::nullopt;
  return materials.materials()[*row];
}

std::vector<ContactRecord> World::Contacts() const {
  if (impl_->told.has_value()) return impl_->told->Tell(impl_->state.bodies);
  return MakeContactRecords(impl_->buffers.contact_set, impl_->state.bodies,
                            impl_->state.settings.time_step_s);
}

std::shared_ptr<const StepProblem> World::kept_problem() const { return impl_->kept_problem; }
std::vector<JointRecord> World::Joints() const { return MakeJointRecords(impl_->state); }

Energy World::ComputeEnergy() const {
  WorkerArena alone(1);
  return ::talus::ComputeEnergy(alone, impl_->state.bodies,
                                impl_->state.settings.gravity_world_m_s2);
}

absl::StatusOr<std::vector<RayHit>> World::CastRays(const RayQuery& query,
                                                    const std::function<bool()>& stop) const {
  return ::talus::CastRays(impl_->state.bodies, query, stop);
}

const StepReport& World::last_report() const { return impl_->last_report; }

}  // namespace talus
