#include "server/session/scene_registry.h"

#include <optional>
#include <utility>

#include "server/runtime/hosted_world.h"
#include "server/session/deletion.h"
#include "server/session/error.h"
#include "server/session/page.h"
#include "server/session/resource_name.h"
#include "server/session/scene_names.h"
#include "solver/base/status.h"

namespace talus {
namespace {

// Answers kept for repeats of CreateScene and of ForkScene.
constexpr size_t kRememberedAnswers = 64;
constexpr size_t kMostForks = 64;

using Infos = std::vector<SceneInfo>;

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

}  // namespace

struct SceneRegistry::Impl : std::enable_shared_from_this<SceneRegistry::Impl> {
  Impl(const Limits& scene_limits, const SceneRuntime& scene_runtime)
      : limits(scene_limits), runtime(scene_runtime), names(limits.scenes) {}

  // How a request with a request_id begins: a repeat joins the first one's answer, a first one
  // reserves its names.
  template <typename T>
  struct Beginning {
    absl::Status refusal;
    std::shared_ptr<SharedAnswer<T>> earlier;
    std::shared_ptr<SharedAnswer<T>> answer;
    std::vector<std::string> ids;
  };
  template <typename T>
  Beginning<T> Begin(AnswerMemory<T>& memory, const std::string& request_id,
                     const std::string& fingerprint, const std::vector<std::string>& ids,
                     const std::string& field, const absl::Status& room) TALUS_REQUIRES(mutex);
  // Joins, refuses, or makes `done` the first waiter. True: the request is to be carried out.
  template <typename T>
  bool Follow(const Beginning<T>& beginning, const CallControlPtr& control, Completion<T> done);

  void Build(const CreateSceneCall& call, const std::string& id,
             const std::shared_ptr<SharedAnswer<CreateSceneAnswer>>& answer);
  // Puts the worlds under their reserved names; all or none.
  absl::StatusOr<Infos> Place(const std::vector<std::string>& ids, std::vector<World> worlds,
                              bool scratch = false);
  // Gives up reserved names.
  void Release(const std::vector<std::string>& ids);
  // Of a scene that is to be deleted only the reserved name is left. False: it has none.
  bool Withhold(const std::shared_ptr<SceneActor>& scene);
  template <typename T>
  void FailAnswer(AnswerMemory<T> Impl::*memory, const std::shared_ptr<SharedAnswer<T>>& answer,
                  const absl::Status& status);
  void EndPending();

  const Limits limits;
  const SceneRuntime runtime;
  Forget forget = [](const std::string&, const StatusCompletion& done) { done(absl::OkStatus()); };
  mutable Mutex mutex;
  CondVar changed;
  SceneNames names TALUS_GUARDED_BY(mutex);
  AnswerMemory<CreateSceneAnswer> created TALUS_GUARDED_BY(mutex){kRememberedAnswers};
  AnswerMemory<Infos> forked TALUS_GUARDED_BY(mutex){kRememberedAnswers};
  bool draining TALUS_GUARDED_BY(mutex) = false;
  int64_t pending TALUS_GUARDED_BY(mutex) = 0;  // requests under way and scenes that are ending
};

template <typename T>
SceneRegistry::Impl::Beginning<T> SceneRegistry::Impl::Begin(
    AnswerMemory<T>& memory, const std::string& request_id, const std::string& fingerprint,
    const std::vector<std::string>& ids, const std::string& field, const absl::Status& room) {
  Beginning<T> beginning;
  if (!request_id.empty()) {
    auto found = memory.Find(request_id, fingerprint);
    beginning.refusal = found.status();
    if (!found.ok()) return beginning;
    beginning.earlier = *std::move(found);
    if (beginning.earlier != nullptr) return beginning;
  }
  beginning.refusal = draining ? DrainingError() : room;
  if (!beginning.refusal.ok()) return beginning;
  auto reserved = names.Reserve(ids, field);
  beginning.refusal = reserved.status();
  if (!reserved.ok()) return beginning;
  beginning.ids = *std::move(reserved);
  beginning.answer = std::make_shared<SharedAnswer<T>>();
  if (!request_id.empty()) memory.Add(request_id, fingerprint, beginning.answer);
  ++pending;
  return beginning;
}

template <typename T>
bool SceneRegistry::Impl::Follow(const Beginning<T>& beginning, const CallControlPtr& control,
                                 Completion<T> done) {
  if (!beginning.refusal.ok()) {
    done(beginning.refusal);
    return false;
  }
  const bool repeat = beginning.earlier != nullptr;
  (repeat ? beginning.earlier : beginning.answer)->Join({control, std::move(done)});
  return !repeat;
}

void SceneRegistry::Impl::Build(const CreateSceneCall& call, const std::string& id,
                                const std::shared_ptr<SharedAnswer<CreateSceneAnswer>>& answer) {
  absl::StatusOr<World> world = BuildWorld(call);
  absl::Status status = world.status();
  if (status.ok()) status = CheckBodyLimit(limits, CountBodies(*world), 0, {});
  if (!status.ok()) {
    Release({id});
    FailAnswer(&Impl::created, answer, status);
    return;
  }
  CreateSceneAnswer made;
  made.layout = MakeLayout(*world, world->layout_version());
  std::vector<World> worlds;
  worlds.push_back(*std::move(world));
  absl::StatusOr<Infos> infos = Place({id}, std::move(worlds), call.scratch);
  if (!infos.ok()) {
    FailAnswer(&Impl::created, answer, infos.status());
    return;
  }
  made.info = infos->front();
  answer->Settle(made);
  EndPending();
}

absl::StatusOr<Infos> SceneRegistry::Impl::Place(const std::vector<std::string>& ids,
                                                 std::vector<World> worlds, bool scratch) {
  std::vector<std::shared_ptr<SceneActor>> actors;
  Infos infos;
  for (size_t index = 0; index < ids.size(); ++index) {
    actors.push_back(SceneActor::Make(ids[index], std::move(worlds[index]), runtime, scratch));
    infos.push_back(actors.back()->info());
  }
  {
    MutexLock lock(mutex);
    if (!draining) {
      for (const auto& actor : actors) names.Fill(actor->id(), actor);
      return infos;
    }
  }
  Release(ids);
  return DrainingError();
}

void SceneRegistry::Impl::Release(const std::vector<std::string>& ids) {
  MutexLock lock(mutex);
  for (const std::string& id : ids) names.Release(id);
}

bool SceneRegistry::Impl::Withhold(const std::shared_ptr<SceneActor>& scene) {
  MutexLock lock(mutex);
  if (names.Find(scene->id()) != scene) return false;
  names.Fill(scene->id(), nullptr);
  ++pending;
  return true;
}

template <typename T>
void SceneRegistry::Impl::FailAnswer(AnswerMemory<T> Impl::*memory,
                                     const std::shared_ptr<SharedAnswer<T>>& answer,
                                     const absl::Status& status) {
  {
    // A failed call changed nothing, so its repeat may succeed.
    MutexLock lock(mutex);
    (this->*memory).Forget(answer);
  }
  answer->Settle(status);
  EndPending();
}

void SceneRegistry::Impl::EndPending() {
  {
    MutexLock lock(mutex);
    --pending;
  }
  changed.notify_all();
}

SceneRegistry::SceneRegistry(const Limits& limits, const SceneRuntime& runtime)
    : impl_(std::make_shared<Impl>(limits, runtime)) {}

SceneRegistry::~SceneRegistry() = default;

void SceneRegistry::SetForget(Forget forget) { impl_->forget = std::move(forget); }

void SceneRegistry::Create(CreateSceneCall call, Completion<CreateSceneAnswer> done) {
  absl::Status status = ValidateRequestId(call.request_id);
  if (status.ok()) status = CheckSourceLimit(impl_->limits, call);
  if (!status.ok()) {
    done(status);
    return;
  }
  // Asked for outside the lock; a repeat needs none.
  const absl::Status room = impl_->runtime.AdmitMemory();
  Impl::Beginning<CreateSceneAnswer> beginning;
  {
    MutexLock lock(impl_->mutex);
    beginning = impl_->Begin(impl_->created, call.request_id, call.fingerprint, {call.scene_id},
                             "scene_id", room);
  }
  if (!impl_->Follow(beginning, nullptr, std::move(done))) return;
  auto job = [impl = impl_, shared_call = std::make_shared<CreateSceneCall>(std::move(call)),
              id = beginning.ids.front(),
              answer = beginning.answer] { impl->Build(*shared_call, id, answer); };
  if (impl_->runtime.executor.Post(std::move(job))) return;
  impl_->Release(beginning.ids);
  impl_->FailAnswer(&Impl::created, beginning.answer, DrainingError());
}

absl::StatusOr<std::shared_ptr<SceneActor>> SceneRegistry::Find(const std::string& scene_id) const {
  std::shared_ptr<SceneActor> actor;
  {
    MutexLock lock(impl_->mutex);
    actor = impl_->names.Find(scene_id);
  }
  if (actor == nullptr) return NotFoundError("scene", FormatSceneName(scene_id));
  return actor;
}

absl::StatusOr<SceneInfo> SceneRegistry::Adopt(const std::string& scene_id, World world) {
  absl::Status status = ValidateId(scene_id, "scene_id");
  if (status.ok()) status = CheckBodyLimit(impl_->limits, CountBodies(world), 0, {});
  if (!status.ok()) return status;
  {
    MutexLock lock(impl_->mutex);
    const auto reserved = impl_->names.Reserve({scene_id}, "scene_id");
    if (!reserved.ok()) return reserved.status();
  }
  std::vector<World> worlds;
  worlds.push_back(std::move(world));
  const absl::StatusOr<Infos> infos = impl_->Place({scene_id}, std::move(worlds));
  if (!infos.ok()) return infos.status();
  return infos->front();
}

std::vector<std::shared_ptr<SceneActor>> SceneRegistry::FindAll() const {
  MutexLock lock(impl_->mutex);
  return impl_->names.FindAll();
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
  if (!impl_->Withhold(scene)) {
    return done(NotFoundError("scene", FormatSceneName(scene->id())));
  }
  auto deletion = std::make_shared<Deletion>(
      [impl = impl_, done = std::move(done)](const absl::Status& status) {
        done(status);
        impl->EndPending();
      });
  impl_->forget(scene->id(), [deletion](const absl::Status& status) { deletion->EndSide(status); });
  // Only now: what the next scene of this name stores must come behind what removes this one's.
  impl_->Release({scene->id()});
  scene->Delete([deletion] { deletion->EndSide(absl::OkStatus()); });
}

void SceneRegistry::Fork(ForkSceneCall call, const CallControlPtr& control,
                         Completion<std::vector<SceneInfo>> done) {
  absl::Status status = ValidateFork(call);
  if (!status.ok()) {
    done(status);
    return;
  }
  const absl::Status room = impl_->runtime.AdmitMemory();
  Impl::Beginning<Infos> beginning;
  {
    MutexLock lock(impl_->mutex);
    beginning = impl_->Begin(impl_->forked, call.request_id, FingerprintOf(call), call.fork_ids,
                             "scene_ids", room);
  }
  // A call that others may have joined is not ended by its first caller.
  const CallControlPtr fork_control = call.request_id.empty() ? control : nullptr;
  if (!impl_->Follow(beginning, control, std::move(done))) return;
  auto finish = [impl = impl_, ids = beginning.ids,
                 answer = beginning.answer](absl::StatusOr<std::vector<World>> worlds) {
    if (!worlds.ok()) {
      impl->Release(ids);
      impl->FailAnswer(&Impl::forked, answer, worlds.status());
      return;
    }
    const absl::StatusOr<Infos> infos = impl->Place(ids, *std::move(worlds));
    if (!infos.ok()) {
      impl->FailAnswer(&Impl::forked, answer, infos.status());
      return;
    }
    answer->Settle(infos);
    impl->EndPending();
  };
  const auto source = Find(call.scene_id);
  if (!source.ok()) return finish(source.status());
  (*source)->Fork(static_cast<int>(beginning.ids.size()), fork_control, std::move(finish));
}

void SceneRegistry::Restore(const std::shared_ptr<SceneActor>& scene, std::string snapshot,
                            const CallControlPtr& control, Completion<SceneInfo> done) {
  if (absl::Status room = impl_->runtime.AdmitMemory(); !room.ok()) return done(room);
  auto job = [scene, bytes = std::move(snapshot), control, done] {
    absl::StatusOr<World> world = World::Restore(bytes);
    if (world.ok()) {
      scene->Restore(*std::move(world), control, done);
    } else {
      done(BadSnapshotError(absl::StatusCode::kDataLoss, std::string(world.status().message())));
    }
  };
  if (!impl_->runtime.executor.Post(std::move(job))) done(DrainingError());
}

void SceneRegistry::BeginDrain() {
  std::vector<std::shared_ptr<SceneActor>> actors;
  {
    MutexLock lock(impl_->mutex);
    if (impl_->draining) return;
    impl_->draining = true;
    actors = impl_->names.FindAll();
    impl_->pending += static_cast<int64_t>(actors.size());
  }
  for (const auto& actor : actors) actor->Drain([impl = impl_] { impl->EndPending(); });
}

bool SceneRegistry::WaitUntilDrained(std::chrono::milliseconds patience) {
  const auto until = std::chrono::steady_clock::now() + patience;
  MutexLock lock(impl_->mutex);
  while (impl_->pending > 0) {
    if (impl_->changed.wait_until(impl_->mutex, until) == std::cv_status::timeout) {
      return impl_->pending == 0;
    }
  }
  return true;
}

SceneLoad SceneRegistry::load() const {
  SceneLoad sum;
  for (const auto& actor : FindAll()) sum += actor->load();
  return sum;
}

int64_t SceneRegistry::scene_count() const {
  MutexLock lock(impl_->mutex);
  return impl_->names.count();
}

}  // namespace talus
