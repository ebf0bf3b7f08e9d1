#include "server/session/scene_evictor.h"

#include <malloc.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "server/session/error.h"
#include "server/session/resource_name.h"

namespace talus {
namespace {

using Scene = std::shared_ptr<SceneActor>;
using Severity = StorageEvent::Severity;

// Since when a scene has had the same idle mark.
struct Idleness {
  std::weak_ptr<SceneActor> scene;  // another one may have the name now
  int64_t mark = 0;
  Clock::TimePoint since;
};

struct Candidate {
  Scene scene;
  int64_t mark = 0;
};

// How often is looked for scenes that may be idle for so long.
Clock::Duration PeriodOf(Clock::Duration idle) {
  return std::max(idle / 8, Clock::Duration(std::chrono::milliseconds(10)));
}

// One look at all scenes.
struct EvictionRound {
  std::vector<Candidate> candidates;
  size_t next = 0;
  bool freed = false;  // some memory was let go
};

}  // namespace

struct SceneEvictor::Impl : std::enable_shared_from_this<SceneEvictor::Impl> {
  // Where one scene's state lies. Brings it back on the storage thread.
  class Place : public EvictedScene {
   public:
    Place(std::shared_ptr<Impl> evictor, std::string scene_id,
          std::shared_ptr<EvictionStore::Files> files)
        : evictor_(std::move(evictor)), scene_id_(std::move(scene_id)), files_(std::move(files)) {}
    void Read(Completion<EvictedState> done) override;

   private:
    const std::shared_ptr<Impl> evictor_;
    const std::string scene_id_;
    const std::shared_ptr<EvictionStore::Files> files_;
  };

  Impl(SceneRegistry& scene_registry, EvictionStore& eviction_store, Executor& storage,
       Clock& used_clock, Clock::Duration idle, MayGo goes, StorageReport storage_report)
      : registry(scene_registry),
        store(eviction_store),
        storage_executor(storage),
        clock(used_clock),
        idle_time(idle),
        may_go(std::move(goes)),
        report(std::move(storage_report)) {}

  // How long `scene` may be idle; 0: for ever.
  Clock::Duration FindIdleTime(const SceneActor& scene) const {
    return scene.idle_ttl_s() > 0.0 ? Clock::DurationOf(scene.idle_ttl_s()) : idle_time;
  }
  // The next look: for scenes that may be idle for `shortest`. It takes the place of one that was
  // planned.
  void PlanRound(Clock::Duration shortest);
  void AwaitRound(int64_t plan);
  void BeginRound();
  void EndRound();
  void Hasten(Clock::Duration idle);
  std::vector<Candidate> FindIdle();
  void EvictNext(const std::shared_ptr<EvictionRound>& round);
  void Write(const std::shared_ptr<EvictionRound>& round, const Scene& scene,
             const IdleState& idle);
  // Runs `job` on the storage thread, unless the server ends.
  void Post(std::function<void()> job) { storage_executor.Post(std::move(job)); }
  void Report(Severity severity, const char* what, const std::string& id, std::string detail) {
    if (report) report({severity, what, FormatSceneName(id), std::move(detail)});
  }

  SceneRegistry& registry;
  EvictionStore& store;
  Executor& storage_executor;
  Clock& clock;
  const Clock::Duration idle_time;
  const MayGo may_go;
  const StorageReport report;
  // Touched on the storage thread only, once the first look is planned.
  std::map<std::string, Idleness> seen_idle;  // as of the last look
  bool round_under_way = false;
  std::optional<Clock::TimePoint> next_round;  // nothing: one is under way, or none is to come
  int64_t plans = 0;                           // so many were made; the last one holds
  std::atomic<int64_t> evictions{0};
  std::atomic<int64_t> returns{0};
};

void SceneEvictor::Impl::Place::Read(Completion<EvictedState> done) {
  auto job = [evictor = evictor_, id = scene_id_, files = files_, done]() mutable {
    auto state = evictor->store.Load(*files);
    files.reset();  // they go with the place, before the first caller has his answer
    if (state.ok()) {
      evictor->returns.fetch_add(1);
    } else {
      evictor->Report(Severity::kWarning, "evicted scene cannot be read", id,
                      std::string(state.status().message()));
    }
    done(std::move(state));
  };
  if (!evictor_->storage_executor.Post(std::move(job))) done(DrainingError());
}

void SceneEvictor::Impl::PlanRound(Clock::Duration shortest) {
  next_round = clock.Now() + PeriodOf(shortest);
  AwaitRound(++plans);
}

void SceneEvictor::Impl::AwaitRound(int64_t plan) {
  // A look: callers may bring about any number of plans, and those that no longer hold must not
  // wait for months.
  clock.LookAt(*next_round, [weak = weak_from_this(), plan] {
    const auto self = weak.lock();
    if (self == nullptr) return;
    self->Post([self, plan] {
      if (self->plans != plan) return;
      if (self->clock.Now() < *self->next_round) return self->AwaitRound(plan);
      self->BeginRound();
    });
  });
}

void SceneEvictor::Impl::BeginRound() {
  next_round.reset();
  round_under_way = true;
  auto round = std::make_shared<EvictionRound>();
  round->candidates = FindIdle();
  EvictNext(round);
}

void SceneEvictor::Impl::EndRound() {
  round_under_way = false;
  Clock::Duration shortest = idle_time;
  for (const Scene& scene : registry.FindAll()) {
    const Clock::Duration idle = FindIdleTime(*scene);
    if (idle > Clock::Duration::zero() &&
        (shortest == Clock::Duration::zero() || idle < shortest)) {
      shortest = idle;
    }
  }
  if (shortest > Clock::Duration::zero()) PlanRound(shortest);
}

void SceneEvictor::Impl::Hasten(Clock::Duration idle) {
  // The end of a round plans the next by all scenes there are.
  if (round_under_way) return;
  if (next_round.has_value() && *next_round <= clock.Now() + PeriodOf(idle)) return;
  PlanRound(idle);
}

std::vector<Candidate> SceneEvictor::Impl::FindIdle() {
  const Clock::TimePoint now = clock.Now();
  std::map<std::string, Idleness> seen;
  std::vector<Candidate> candidates;
  for (const Scene& scene : registry.FindAll()) {
    const std::optional<int64_t> mark = scene->FindIdleMark();
    const Clock::Duration idle = FindIdleTime(*scene);
    if (idle == Clock::Duration::zero()) continue;
    if (!mark.has_value() || scene->info().evicted) continue;
    const auto before = seen_idle.find(scene->id());
    const bool same = before != seen_idle.end() && before->second.mark == *mark &&
                      before->second.scene.lock() == scene;
    const Clock::TimePoint since = same ? before->second.since : now;
    seen[scene->id()] = {scene, *mark, since};
    if (now - since >= idle && may_go(*scene)) candidates.push_back({scene, *mark});
  }
  seen_idle = std::move(seen);
  return candidates;
}

void SceneEvictor::Impl::EvictNext(const std::shared_ptr<EvictionRound>& round) {
  if (round->next == round->candidates.size()) {
    // The allocator keeps what is freed in small pieces, and a scene is many of them.
    if (round->freed) malloc_trim(0);
    EndRound();
    return;
  }
  const auto [scene, mark] = std::exchange(round->candidates[round->next++], {});
  scene->CopyIdleState(
      mark, [self = shared_from_this(), round, scene = scene](absl::StatusOr<IdleState> copied) {
        auto idle = std::make_shared<absl::StatusOr<IdleState>>(std::move(copied));
        self->Post([self, round, scene, idle] {
          if (idle->ok()) {
            self->Write(round, scene, **idle);
          } else {
            self->EvictNext(round);  // it is in use again, or has ended
          }
        });
      });
}

void SceneEvictor::Impl::Write(const std::shared_ptr<EvictionRound>& round, const Scene& scene,
                               const IdleState& idle_state) {
  auto files = store.Save(scene->id(), idle_state);
  if (!files.ok()) {
    Report(Severity::kWarning, "idle scene stays in memory", scene->id(),
           std::string(files.status().message()));
    EvictNext(round);
    return;
  }
  auto place = std::make_shared<Place>(shared_from_this(), scene->id(), *std::move(files));
  const auto done = [self = shared_from_this(), round, id = scene->id(),
                     step = idle_state.step_index](const absl::StatusOr<bool>& gone) {
    if (gone.ok() && *gone) {
      self->evictions.fetch_add(1);
      round->freed = true;
      self->Report(Severity::kInfo, "scene evicted", id, "step " + std::to_string(step));
    }
    self->Post([self, round] { self->EvictNext(round); });
  };
  scene->Evict(idle_state.idle_mark, std::move(place), done);
}

SceneEvictor::SceneEvictor(SceneRegistry& registry, EvictionStore& store,
                           Executor& storage_executor, Clock& clock, Clock::Duration idle_time,
                           MayGo may_go, StorageReport report)
    : impl_(std::make_shared<Impl>(registry, store, storage_executor, clock, idle_time,
                                   std::move(may_go), std::move(report))) {}

SceneEvictor::~SceneEvictor() = default;

void SceneEvictor::Start() {
  if (impl_->idle_time > Clock::Duration::zero()) impl_->PlanRound(impl_->idle_time);
}

void SceneEvictor::NoteIdleTtl(double idle_ttl_s) {
  impl_->Post([impl = impl_, idle = Clock::DurationOf(idle_ttl_s)] { impl->Hasten(idle); });
}

int64_t SceneEvictor::evictions() const { return impl_->evictions.load(); }
int64_t SceneEvictor::returns() const { return impl_->returns.load(); }

}  // namespace talus
