#include "server/runtime/hosted_world.h"

#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "server/session/error.h"
#include "solver/base/field_error.h"

namespace talus {
namespace {

void AppendVectors(std::span<const Vec3> vectors, std::vector<double>* column) {
  column->reserve(3 * vectors.size());
  for (const Vec3& v : vectors) column->insert(column->end(), {v.x(), v.y(), v.z()});
}

void AppendQuaternions(std::span<const Quat> quaternions, std::vector<double>* column) {
  column->reserve(4 * quaternions.size());
  for (const Quat& q : quaternions) column->insert(column->end(), {q.w(), q.x(), q.y(), q.z()});
}

int64_t SaturatingAdd(int64_t a, int64_t b) {
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
  return b > kMost - a ? kMost : a + b;
}

}  // namespace

std::shared_ptr<const Layout> MakeLayout(const World& world, int64_t version) {
  auto layout = std::make_shared<Layout>();
  const BodyStateView bodies = world.bodies();
  const size_t count = bodies.ids.size();
  layout->version = version;
  layout->body_ids.reserve(count);
  layout->body_names.reserve(count);
  layout->sphere_radii_m.reserve(count);
  layout->body_kinds.assign(bodies.kinds.begin(), bodies.kinds.end());
  for (size_t row = 0; row < count; ++row) {
    layout->body_ids.push_back(ToInteger(bodies.ids[row]));
    layout->body_names.emplace_back(world.body_name(row));
    layout->sphere_radii_m.push_back(world.sphere_radius_m(row));
  }
  return layout;
}

SceneInfo MakeSceneInfo(const std::string& id, const World& world, int64_t layout_version) {
  SceneInfo info;
  info.id = id;
  info.step_index = world.step_index();
  info.time_s = world.time_s();
  info.body_count = static_cast<int64_t>(world.body_count());
  info.emitter_count = static_cast<int64_t>(world.emitter_count());
  info.particles_pending = world.particles_pending();
  info.joint_count = static_cast<int64_t>(world.joint_count());
  info.layout_version = layout_version;
  info.state_hash = world.state_hash();
  info.settings = world.settings();
  info.fault = world.fault();
  return info;
}

int64_t CountBodies(const World& world) {
  return SaturatingAdd(static_cast<int64_t>(world.body_count()), world.particles_pending());
}

absl::Status CheckBodyLimit(const Limits& limits, int64_t present, int64_t added_bodies,
                            std::span<const EmitterDef> added_emitters) {
  int64_t count = SaturatingAdd(present, added_bodies);
  for (const EmitterDef& emitter : added_emitters) {
    // A negative count is refused by name when the emitter is validated.
    if (emitter.particle_count > 0) count = SaturatingAdd(count, emitter.particle_count);
  }
  if (count <= limits.bodies_per_scene) return absl::OkStatus();
  return LimitError("bodies_per_scene", limits.bodies_per_scene, count);
}

HostedWorld::HostedWorld(std::string id, World world, const Limits& limits,
                         StepStatistics* statistics)
    : id_(std::move(id)),
      limits_(limits),
      statistics_(statistics),
      world_(std::move(world)),
      origin_(world_->SaveSnapshot()),
      step_rate_(limits.steps_per_second) {
  moment_.step_index = world_->step_index();
}

void HostedWorld::CountMoment() {
  ++moment_.count;
  moment_.step_index = world_->step_index();
}

absl::StatusOr<StepReport> HostedWorld::Step(WorkerArena& workers, StepOptions options) {
  options.most_contacts = limits_.contacts_per_scene;
  absl::StatusOr<StepReport> report = world_->Step(workers, options);
  CountStep(report);
  if (report.ok()) {
    KeepActuation();
    step_rate_.NoteStep();
    return report;
  }
  TakeBackActuation();
  // It leaves no contacts (World::Contacts), which no frame from before may hide.
  frame_.reset();
  const auto refused = GetFieldError(report.status());
  if (!refused.has_value() || refused->field != kContactCountField) return report;
  return LimitError("contacts_per_scene", limits_.contacts_per_scene, std::stoll(refused->value));
}

void HostedWorld::CountStep(const absl::StatusOr<StepReport>& report) {
  if (statistics_ == nullptr) return;
  if (report.ok()) {
    statistics_->Record(*report, world_->settings().time_step_s);
  } else if (!world_->fault().empty()) {
    statistics_->RecordFault();
  }
}

void HostedWorld::NoteStep(bool residual_history) {
  CountMoment();
  if (recorders_.empty()) return;
  std::erase_if(recorders_, [](const auto& recorder) { return recorder->closed(); });
  const StepNote note{world_->step_index(), world_->time_s(), world_->state_hash(),
                      residual_history};
  for (const auto& recorder : recorders_) {
    recorder->OnStep(note);
    OfferFrame(*recorder, false);
  }
}

void HostedWorld::TellInput(int64_t step_index, SceneInput input) {
  Tell({step_index, world_->time_s(), world_->state_hash(), std::move(input)});
}

void HostedWorld::Tell(const InputRecord& record) {
  std::erase_if(recorders_, [](const auto& recorder) { return recorder->closed(); });
  for (const auto& recorder : recorders_) {
    recorder->OnInput(record);
    // What drives a scene shows with its next step.
    if (!std::holds_alternative<Actuated>(record.input)) OfferFrame(*recorder, true);
  }
}

void HostedWorld::OfferFrame(SceneRecorder& recorder, bool by_hand) {
  const std::optional<FrameParts> parts = recorder.FindDueParts(world_->step_index(), by_hand);
  if (parts.has_value()) recorder.OnFrame(FindOrMakeFrame(*parts));
}

void HostedWorld::AddRecorder(std::shared_ptr<SceneRecorder> recorder) {
  RecordStart start{world_->step_index(), world_->time_s(), world_->state_hash(), {}};
  if (recorder->wants_snapshot()) start.snapshot = world_->SaveSnapshot();
  recorder->OnStart(std::move(start));
  OfferFrame(*recorder, true);
  recorders_.push_back(std::move(recorder));
}

int64_t HostedWorld::CountRecorders() {
  std::erase_if(recorders_, [](const auto& recorder) { return recorder->closed(); });
  return static_cast<int64_t>(recorders_.size());
}

void HostedWorld::EndRecorders(const absl::Status& why) {
  for (const auto& recorder : recorders_) recorder->OnEnd(why);
  recorders_.clear();
}

void HostedWorld::Restore(World world) {
  const int64_t next_version = layout_version() + 1;
  const int64_t met_step_index = step_index();
  world_ = std::move(world);
  ++restore_count_;
  layout_offset_ = next_version - world_->layout_version();
  NoteChange(met_step_index, [this] { return SceneRestored{world_->SaveSnapshot()}; });
}

absl::Status HostedWorld::Actuate(const Actuation& call) {
  absl::StatusOr<ActuatorTargets> found;
  if (call.targets == nullptr) {
    found = world_->FindActuators(call.actuators);
    if (!found.ok()) return found.status();
  }
  const ActuatorTargets& targets = call.targets != nullptr ? *call.targets : *found;
  const absl::Status status = world_->Actuate(targets, call.values);
  if (!status.ok()) return status;
  actuation_pending_ = true;
  if (!recorders_.empty()) {
    actuation_ = InputRecord{step_index(), world_->time_s(), world_->state_hash(),
                             Actuated{targets.targets, call.values}};
  }
  return absl::OkStatus();
}

void HostedWorld::KeepActuation() {
  if (!std::exchange(actuation_pending_, false)) return;
  CountMoment();  // loads and targets are part of the state
  if (actuation_.has_value()) Tell(*actuation_);
  actuation_.reset();
}

void HostedWorld::TakeBackActuation() {
  if (!std::exchange(actuation_pending_, false)) return;
  world_->TakeBackActuation();
  actuation_.reset();
}

absl::Status HostedWorld::Reset(const ResetCall& call) {
  if (!call.all) {
    const int64_t met_step_index = step_index();
    absl::Status status = world_->Reset(origin_, call.scope);
    if (!status.ok()) return status;
    ++restore_count_;
    NoteChange(met_step_index, [this] { return SceneRestored{world_->SaveSnapshot()}; });
    return absl::OkStatus();
  }
  absl::StatusOr<World> origin = World::Restore(origin_);
  if (!origin.ok()) return origin.status();
  Restore(*std::move(origin));
  return absl::OkStatus();
}

EvictedState HostedWorld::CopyState() const {
  return {world_->SaveSnapshot(), origin_, world_->SaveLastStep().contacts};
}

void HostedWorld::Evict() {
  moment_.step_index = world_->step_index();
  left_hash_ = world_->state_hash();
  last_step_ = world_->SaveLastStep();
  last_step_.contacts = std::string();
  world_.reset();
  origin_ = std::string();
  layout_.reset();
}

absl::Status HostedWorld::Return(EvictedState state) {
  absl::StatusOr<World> world = World::Restore(state.world);
  absl::Status status = world.status();
  if (status.ok() && world->state_hash() != left_hash_) {
    status = absl::DataLossError("the state has another hash");
  }
  if (status.ok()) {
    LastStep last = last_step_;
    last.contacts = std::move(state.contacts);
    status = world->RestoreLastStep(std::move(last));
  }
  if (!status.ok()) {
    return BadSnapshotError(absl::StatusCode::kDataLoss,
                            "the evicted scene is damaged: " + std::string(status.message()));
  }
  world_.emplace(*std::move(world));
  origin_ = std::move(state.origin);
  last_step_ = {};
  return absl::OkStatus();
}

SceneInfo HostedWorld::MakeInfo() const {
  SceneInfo info = MakeSceneInfo(id_, *world_, layout_version());
  info.run = free_run_.info();
  info.change_count = moment_.count;
  return info;
}

std::shared_ptr<const Layout> HostedWorld::FindOrMakeLayout() {
  if (layout_ == nullptr || layout_->version != layout_version()) {
    layout_ = MakeLayout(*world_, layout_version());
  }
  return layout_;
}

FramePtr HostedWorld::FindOrMakeFrame(const FrameParts& parts) {
  if (frame_moment_ == moment_.count) {
    FramePtr present = frame_.lock();
    if (present != nullptr && present->parts.Covers(parts)) return present;
  }
  auto frame = std::make_shared<FrameData>();
  frame->moment = moment_.count;
  frame->step_index = world_->step_index();
  frame->time_s = world_->time_s();
  frame->state_hash = world_->state_hash();
  frame->parts = parts;
  frame->layout = FindOrMakeLayout();
  const BodyStateView bodies = world_->bodies();
  if (parts.positions) AppendVectors(bodies.positions, &frame->positions_world_m);
  if (parts.orientations) AppendQuaternions(bodies.orientations, &frame->orientations_wxyz);
  if (parts.velocities) {
    AppendVectors(bodies.linear_velocities, &frame->linear_velocities_world_m_s);
    AppendVectors(bodies.angular_velocities, &frame->angular_velocities_world_rad_s);
  }
  if (parts.contacts) frame->contacts = world_->Contacts();
  if (parts.report) frame->report = world_->last_report();
  frame_ = frame;
  frame_moment_ = moment_.count;
  return frame;
}

}  // namespace talus
