#include "server/session/scene_keeper.h"

#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "server/session/error.h"
#include "server/session/resource_name.h"
#include "solver/base/mutex.h"
#include "solver/world/world.h"

namespace talus {
namespace {

using Severity = StorageEvent::Severity;
using Scene = std::shared_ptr<SceneActor>;

// So long a round waits for the next step boundary of a scene before it goes on without it.
constexpr std::chrono::milliseconds kRoundPatience{500};

// What changes whenever a scene does, and never comes back to what it was. A step that faults
// counts as no change.
struct Mark {
  int64_t change_count = 0;
  bool faulted = false;

  bool operator==(const Mark&) const = default;
};

Mark MarkOf(const SceneInfo& info) { return {info.change_count, !info.fault.empty()}; }

// One walk over all scenes.
struct SavingRound {
  std::vector<Scene> scenes;
  size_t next = 0;
  bool at_rest = false;  // the scenes drain: they serve no reads any more
  std::function<void()> done;
};

}  // namespace

struct SceneKeeper::Impl : std::enable_shared_from_this<SceneKeeper::Impl> {
  Impl(SceneRegistry& scene_registry, SceneStore& scene_store, Executor& storage, Clock& used_clock,
       Clock::Duration save_period, StorageReport storage_report)
      : registry(scene_registry),
        store(scene_store),
        storage_executor(storage),
        clock(used_clock),
        period(save_period),
        report(std::move(storage_report)) {}

  void Report(Severity severity, const char* what, const std::string& id, std::string detail) {
    if (report) report({severity, what, FormatSceneName(id), std::move(detail)});
  }
  void RestoreOne(const std::string& id);
  void PlanRound();
  void SaveNext(const std::shared_ptr<SavingRound>& round);
  // Asks a scene for its state, however long that takes, beside the round that goes on.
  void SaveLate(const Scene& scene, const Mark& mark, bool at_rest);
  bool IsLate(const Scene& scene);
  // Takes a state to the storage thread; then `next` runs, there or, told false, where that has
  // stopped.
  Completion<SceneSnapshot> MakeWriter(const Scene& scene, const Mark& mark,
                                       std::function<void(bool)> next);
  void Write(const Scene& scene, const Mark& mark, const SceneSnapshot& snapshot);
  bool IsThere(const Scene& scene) const {
    const auto found = registry.Find(scene->id());
    return found.ok() && *found == scene;
  }
  bool IsSaved(const SceneActor& scene, const Mark& mark);

  SceneRegistry& registry;
  SceneStore& store;
  Executor& storage_executor;
  Clock& clock;
  const Clock::Duration period;
  const StorageReport report;
  Mutex mutex;
  CondVar changed;
  // Of the newest stored state, for scenes that are there.
  std::map<std::string, Mark> marks TALUS_GUARDED_BY(mutex);
  bool resting TALUS_GUARDED_BY(mutex) = false;  // the last round is under way or done
  // Scenes that are saved beside their round; twice where a drain met one that was.
  std::multiset<Scene> late TALUS_GUARDED_BY(mutex);
};

void SceneKeeper::Impl::RestoreOne(const std::string& id) {
  std::optional<World> world;
  const absl::StatusOr<StoredScene> stored =
      store.Load(id, [&](const StoredScene& state) -> absl::Status {
        absl::StatusOr<World> made = World::Restore(state.bytes);
        if (!made.ok()) return made.status();
        if (made->state_hash() != state.state_hash) {
          return BadSnapshotError(absl::StatusCode::kDataLoss, "the state has another hash");
        }
        world = *std::move(made);
        return absl::OkStatus();
      });
  if (!stored.ok()) {
    Report(Severity::kWarning, "scene not restored", id, std::string(stored.status().message()));
    return;
  }
  for (const std::string& damage : stored->damaged) {
    Report(Severity::kWarning, "stored scene is damaged; an older state is used", id, damage);
  }
  const absl::StatusOr<SceneInfo> info = registry.Adopt(id, *std::move(world));
  if (!info.ok()) {
    Report(Severity::kWarning, "scene not restored", id, std::string(info.status().message()));
    return;
  }
  {
    MutexLock lock(mutex);
    marks[id] = MarkOf(*info);
  }
  Report(Severity::kInfo, "scene restored", id,
         "step " + std::to_string(info->step_index) + ", hash " + std::to_string(info->state_hash));
}

void SceneKeeper::Impl::PlanRound() {
  clock.CallAt(clock.Now() + period, [weak = weak_from_this()] {
    const auto self = weak.lock();
    if (self == nullptr) return;
    {
      MutexLock lock(self->mutex);
      if (self->resting) return;
    }
    auto round = std::make_shared<SavingRound>();
    round->scenes = self->registry.FindAll();
    round->done = [weak] {
      if (const auto keeper = weak.lock()) keeper->PlanRound();
    };
    if (!self->storage_executor.Post([self, round] { self->SaveNext(round); })) round->done();
  });
}

void SceneKeeper::Impl::SaveNext(const std::shared_ptr<SavingRound>& round) {
  while (round->next < round->scenes.size()) {
    const Scene scene = std::exchange(round->scenes[round->next++], nullptr);
    // Taken before the snapshot: what changes in between is seen as unsaved by the next round.
    const Mark mark = MarkOf(scene->info());
    if (scene->scratch() || IsSaved(*scene, mark)) continue;
    if (round->at_rest && !scene->at_rest()) {
      SaveLate(scene, mark, true);
      continue;
    }
    auto done = MakeWriter(scene, mark, [self = shared_from_this(), round](bool written) {
      if (written) return self->SaveNext(round);
      round->done();
    });
    if (round->at_rest) {
      scene->TakeLastSnapshot(std::move(done));
      return;
    }
    if (IsLate(scene)) continue;
    scene->TakeSnapshot(std::make_shared<CallControl>(clock.Now() + kRoundPatience),
                        [self = shared_from_this(), scene, mark,
                         done = std::move(done)](absl::StatusOr<SceneSnapshot> snapshot) {
                          if (absl::IsDeadlineExceeded(snapshot.status())) {
                            self->SaveLate(scene, mark, false);
                          }
                          done(std::move(snapshot));
                        });
    return;
  }
  round->done();
}

void SceneKeeper::Impl::SaveLate(const Scene& scene, const Mark& mark, bool at_rest) {
  {
    MutexLock lock(mutex);
    late.insert(scene);
  }
  auto done = MakeWriter(scene, mark, [self = shared_from_this(), scene](bool) {
    {
      MutexLock lock(self->mutex);
      self->late.erase(self->late.find(scene));
    }
    self->changed.notify_all();
  });
  if (at_rest) {
    scene->TakeLastSnapshot(std::move(done));
  } else {
    scene->TakeSnapshot(nullptr, std::move(done));
  }
}

bool SceneKeeper::Impl::IsLate(const Scene& scene) {
  MutexLock lock(mutex);
  return late.contains(scene);
}

Completion<SceneSnapshot> SceneKeeper::Impl::MakeWriter(const Scene& scene, const Mark& mark,
                                                        std::function<void(bool)> next) {
  return [self = shared_from_this(), scene, mark,
          next = std::move(next)](absl::StatusOr<SceneSnapshot> snapshot) {
    auto taken = std::make_shared<absl::StatusOr<SceneSnapshot>>(std::move(snapshot));
    auto job = [self, scene, mark, next, taken] {
      if (taken->ok()) self->Write(scene, mark, **taken);
      *taken = absl::UnknownError("written");  // the bytes go before the next scene's come
      next(true);
    };
    if (!self->storage_executor.Post(std::move(job))) next(false);
  };
}

bool SceneKeeper::Impl::IsSaved(const SceneActor& scene, const Mark& mark) {
  MutexLock lock(mutex);
  const auto found = marks.find(scene.id());
  return found != marks.end() && found->second == mark;
}

void SceneKeeper::Impl::Write(const Scene& scene, const Mark& mark, const SceneSnapshot& snapshot) {
  const std::string& id = scene->id();
  // A scene that was deleted has been forgotten already or will be by a job behind this one.
  if (!IsThere(scene)) return;
  const absl::Status status =
      store.Save(id, snapshot.step_index, snapshot.state_hash, snapshot.bytes);
  if (!status.ok()) {
    Report(Severity::kWarning, "scene not saved", id, std::string(status.message()));
    return;
  }
  MutexLock lock(mutex);
  marks[id] = mark;
}

SceneKeeper::SceneKeeper(SceneRegistry& registry, SceneStore& store, Executor& storage_executor,
                         Clock& clock, Clock::Duration period, StorageReport report)
    : impl_(std::make_shared<Impl>(registry, store, storage_executor, clock, period,
                                   std::move(report))) {}

SceneKeeper::~SceneKeeper() = default;

void SceneKeeper::RestoreAll() {
  for (const std::string& id : impl_->store.FindScenes()) impl_->RestoreOne(id);
}

void SceneKeeper::Start() {
  if (impl_->period > Clock::Duration::zero()) impl_->PlanRound();
}

void SceneKeeper::Link(const std::shared_ptr<SceneActor>& scene, const std::string& snapshot_path) {
  if (scene->scratch() || !impl_->IsThere(scene)) return;
  const absl::Status status = impl_->store.Link(scene->id(), snapshot_path);
  if (status.ok()) return;
  impl_->Report(Severity::kWarning, "scene has a snapshot but would not be restored", scene->id(),
                std::string(status.message()));
}

void SceneKeeper::Forget(const std::string& scene_id, StatusCompletion done) {
  auto job = [impl = impl_, scene_id, done] {
    {
      MutexLock lock(impl->mutex);
      impl->marks.erase(scene_id);
    }
    done(impl->store.Forget(scene_id));
  };
  if (!impl_->storage_executor.Post(std::move(job))) done(DrainingError());
}

bool SceneKeeper::IsSaved(const SceneActor& scene) const {
  if (impl_->period <= Clock::Duration::zero() || scene.scratch()) return true;
  return impl_->IsSaved(scene, MarkOf(scene.info()));
}

bool SceneKeeper::SaveAtRest(std::chrono::milliseconds patience) {
  if (impl_->period <= Clock::Duration::zero()) return true;
  const auto until = std::chrono::steady_clock::now() + patience;
  // A round that is still under way hands what it has of a scene to the storage thread before the
  // scene comes to rest.
  MutexLock lock(impl_->mutex);
  impl_->resting = true;
  auto round = std::make_shared<SavingRound>();
  round->scenes = impl_->registry.FindAll();
  round->at_rest = true;
  auto finished = std::make_shared<bool>(false);  // guarded by the keeper's mutex
  round->done = [impl = impl_, finished] {
    {
      MutexLock done_lock(impl->mutex);
      *finished = true;
    }
    impl->changed.notify_all();
  };
  if (!impl_->storage_executor.Post([impl = impl_, round] { impl->SaveNext(round); })) return false;
  while (!*finished || !impl_->late.empty()) {
    if (impl_->changed.wait_until(impl_->mutex, until) == std::cv_status::timeout) return false;
  }
  return true;
}

}  // namespace talus
