#include "server/session/scene_registry.h"

#include <utility>

#include "server/runtime/hosted_world.h"
#include "server/session/deletion.h"
#include "server/session/error.h"
#include "server/session/page.h"
#include "server/session/resource_name.h"
#include "solver/base/field_error.h"
#include "solver/base/status.h"

namespace talus {
namespace {

constexpr size_t kMostForks = 64;

absl::StatusOr<World> BuildWorld(const CreateSceneCall& call) {
  if (const auto* def = std::get_if<SceneDef>(&call.source)) return World::Create(*def);
  absl::StatusOr<World> world = World::Restore(std::get<std::string>(call.source));
  if (world.ok()) return world;
  return BadSnapshotError(absl::StatusCode::kInvalidArgument,
                          std::string(world.status().message()));
}

absl::Status CheckSourceLimit(const Limits& limits, const CreateSceneCall& call) {
  const auto* def = std::get_if<SceneDef>(&call.source);
  if (def == nullptr) return absl::OkStatus();
  return CheckBodyLimit(limits, 0, static_cast<int64_t>(def->bodies.size()), def->emitters);
}

// As long as --evict-after-seconds may be.
constexpr double kLongestIdleTtlS = 31'536'000.0;

absl::Status CheckIdleTtl(double idle_ttl_s, bool evicts) {
  if (idle_ttl_s == 0.0) return absl::OkStatus();
  if (!(idle_ttl_s >= 1.0 && idle_ttl_s <= kLongestIdleTtlS)) {
    return InvalidFieldError("idle_ttl_s", FormatValue(idle_ttl_s),
                             "must be 0 or in [1, 31536000]");
  }
  if (evicts) return absl::OkStatus();
  return StorageError(absl::StatusCode::kFailedPrecondition,
                      "the server has no data directory (option --data-dir), so it evicts no scene "
                      "after idle_ttl_s");
}

// Ids hold no separator, so the list reads back in one way only.
std::string FingerprintOf(const ForkSceneCall& call) {
  std::string text = call.scene_id;
  for (const std::string& id : call.fork_ids) text += "/" + id;
  return text;
}

absl::Status ValidateFork(const ForkSceneCall& call) {
  const size_t count = call.fork_ids.size();
  if (count < 1 || count > kMostForks) {
    return InvalidFieldError("scene_ids", std::to_string(count) + " ids",
                             "must have 1 to 64 entries");
  }
  TALUS_RETURN_IF_ERROR(ValidateRequestId(call.request_id));
  return ValidateId(call.scene_id, "scene");
}

// Answers with the scene that `call` describes, under a name that is reserved for it.
void BuildScene(SceneTable& table, const Limits& limits, const CreateSceneCall& call,
                const std::string& id,
                const std::shared_ptr<SharedAnswer<CreateSceneAnswer>>& answer,
                const SceneRegistry::NoteIdleTtl& note_idle_ttl) {
  absl::StatusOr<World> world = BuildWorld(call);
  absl::Status status = world.status();
  if (status.ok()) status = CheckBodyLimit(limits, CountBodies(*world), 0, {});
  if (!status.ok()) {
    table.Release({id});
    table.Fail(answer, status);
    return;
  }
  CreateSceneAnswer made;
  made.layout = MakeLayout(*world, world->layout_version());
  std::vector<World> worlds;
  worlds.push_back(*std::move(world));
  absl::StatusOr<SceneInfos> infos =
      table.Place({id}, std::move(worlds), {call.scratch, call.idle_ttl_s});
  if (!infos.ok()) {
    table.Fail(answer, infos.status());
    return;
  }
  if (call.idle_ttl_s > 0.0) note_idle_ttl(call.idle_ttl_s);
  made.info = infos->front();
  answer->Settle(made);
  table.EndPending();
}

}  // namespace

SceneRegistry::SceneRegistry(const Limits& limits, const SceneRuntime& runtime)
    : limits_(limits), runtime_(runtime), table_(std::make_shared<SceneTable>(limits, runtime)) {}

SceneRegistry::~SceneRegistry() = default;

void SceneRegistry::SetForget(Forget forget) { forget_ = std::move(forget); }

void SceneRegistry::SetNoteIdleTtl(NoteIdleTtl note) { note_idle_ttl_ = std::move(note); }

void SceneRegistry::Create(CreateSceneCall call, Completion<CreateSceneAnswer> done) {
  absl::Status status = ValidateRequestId(call.request_id);
  if (status.ok()) status = CheckSourceLimit(limits_, call);
  if (status.ok()) status = CheckIdleTtl(call.idle_ttl_s, note_idle_ttl_ != nullptr);
  if (!status.ok()) {
    done(status);
    return;
  }
  // Asked for outside the lock; a repeat needs none.
  const absl::Status room = runtime_.AdmitMemory();
  const auto beginning = table_->Begin<CreateSceneAnswer>(
      call.request_id, call.fingerprint, {call.scene_id}, "scene_id", call.client, room);
  if (!beginning.Follow(nullptr, std::move(done))) return;
  auto job = [table = table_, limits = limits_,
              shared_call = std::make_shared<CreateSceneCall>(std::move(call)),
              id = beginning.ids.front(), answer = beginning.answer, note = note_idle_ttl_] {
    BuildScene(*table, limits, *shared_call, id, answer, note);
  };
  if (runtime_.executor.Post(std::move(job))) return;
  table_->Release(beginning.ids);
  table_->Fail(beginning.answer, DrainingError());
}

absl::StatusOr<std::shared_ptr<SceneActor>> SceneRegistry::Find(const std::string& scene_id) const {
  std::shared_ptr<SceneActor> actor = table_->Find(scene_id);
  if (actor == nullptr) return NotFoundError("scene", FormatSceneName(scene_id));
  return actor;
}

absl::StatusOr<SceneInfo> SceneRegistry::Adopt(const std::string& scene_id, World world) {
  absl::Status status = ValidateId(scene_id, "scene_id");
  if (status.ok()) status = CheckBodyLimit(limits_, CountBodies(world), 0, {});
  if (status.ok()) status = table_->Reserve(scene_id);
  if (!status.ok()) return status;
  std::vector<World> worlds;
  worlds.push_back(std::move(world));
  const absl::StatusOr<SceneInfos> infos = table_->Place({scene_id}, std::move(worlds));
  if (!infos.ok()) return infos.status();
  return infos->front();
}

std::vector<std::shared_ptr<SceneActor>> SceneRegistry::FindAll() const {
  return table_->FindAll();
}

absl::StatusOr<ScenePage> SceneRegistry::List(int64_t page_size,
                                              const std::string& page_token) const {
  const std::vector<std::shared_ptr<SceneActor>> actors = FindAll();
  std::vector<std::string> ids;
  for (const auto& actor : actors) ids.push_back(actor->id());
  const absl::StatusOr<PageRange> range = FindPage(ids, page_size, page_token);
  if (!range.ok()) return range.status();
  ScenePage page;
  for (size_t index = range->begin; index < range->end; ++index) {
    page.scenes.push_back(actors[index]->info());
  }
  page.next_page_token = range->next_token;
  return page;
}

void SceneRegistry::Delete(const std::string& scene_id, StatusCompletion done) {
  absl::StatusOr<std::shared_ptr<SceneActor>> scene = Find(scene_id);
  if (!scene.ok()) return done(scene.status());
  Delete(*scene, std::move(done));
}

void SceneRegistry::Delete(const std::shared_ptr<SceneActor>& scene, StatusCompletion done) {
  if (!table_->Withhold(scene)) {
    return done(NotFoundError("scene", FormatSceneName(scene->id())));
  }
  auto deletion = std::make_shared<Deletion>(
      [table = table_, done = std::move(done)](const absl::Status& status) {
        done(status);
        table->EndPending();
      });
  forget_(scene->id(), [deletion](const absl::Status& status) { deletion->EndSide(status); });
  // Only now: what the next scene of this name stores must come behind what removes this one's.
  table_->Release({scene->id()});
  scene->Delete([deletion] { deletion->EndSide(absl::OkStatus()); });
}

void SceneRegistry::Fork(ForkSceneCall call, const CallControlPtr& control,
                         Completion<SceneInfos> done) {
  absl::Status status = ValidateFork(call);
  if (!status.ok()) {
    done(status);
    return;
  }
  const absl::Status room = runtime_.AdmitMemory();
  const auto beginning = table_->Begin<SceneInfos>(call.request_id, FingerprintOf(call),
                                                   call.fork_ids, "scene_ids", call.client, room);
  // A call that others may have joined is not ended by its first caller.
  const CallControlPtr fork_control = call.request_id.empty() ? control : nullptr;
  if (!beginning.Follow(control, std::move(done))) return;
  const auto source = Find(call.scene_id);
  const double idle_ttl_s = source.ok() ? (*source)->idle_ttl_s() : 0.0;
  auto finish = [table = table_, ids = beginning.ids, answer = beginning.answer, idle_ttl_s,
                 note = note_idle_ttl_](absl::StatusOr<std::vector<World>> worlds) {
    if (!worlds.ok()) {
      table->Release(ids);
      table->Fail(answer, worlds.status());
      return;
    }
    SceneTerms terms;
    terms.idle_ttl_s = idle_ttl_s;
    const absl::StatusOr<SceneInfos> infos = table->Place(ids, *std::move(worlds), terms);
    if (!infos.ok()) {
      table->Fail(answer, infos.status());
      return;
    }
    if (idle_ttl_s > 0.0) note(idle_ttl_s);
    answer->Settle(infos);
    table->EndPending();
  };
  if (!source.ok()) return finish(source.status());
  (*source)->Fork(static_cast<int>(beginning.ids.size()), fork_control, std::move(finish));
}

void SceneRegistry::Restore(const std::shared_ptr<SceneActor>& scene, std::string snapshot,
                            const CallControlPtr& control, Completion<SceneInfo> done) {
  if (absl::Status room = runtime_.AdmitMemory(); !room.ok()) return done(room);
  auto job = [scene, bytes = std::move(snapshot), control, done] {
    absl::StatusOr<World> world = World::Restore(bytes);
    if (world.ok()) {
      scene->Restore(*std::move(world), control, done);
    } else {
      done(BadSnapshotError(absl::StatusCode::kDataLoss, std::string(world.status().message())));
    }
  };
  if (!runtime_.executor.Post(std::move(job))) done(DrainingError());
}

void SceneRegistry::BeginDrain() {
  for (const auto& actor : table_->BeginDrain()) {
    actor->Drain([table = table_] { table->EndPending(); });
  }
}

void SceneRegistry::GiveUpSteps() {
  for (const auto& actor : FindAll()) actor->GiveUpSteps();
}

bool SceneRegistry::WaitUntilDrained(std::chrono::milliseconds patience) {
  return table_->WaitUntilNothingPends(patience);
}

SceneLoad SceneRegistry::load() const {
  SceneLoad sum;
  for (const auto& actor : FindAll()) sum += actor->load();
  return sum;
}

int64_t SceneRegistry::scene_count() const { return table_->count(); }

}  // namespace talus
