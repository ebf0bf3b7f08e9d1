#include "server/session/scene_host.h"

#include <algorithm>
#include <atomic>
#include <thread>
#include <utility>

#include "server/runtime/core_budget.h"
#include "server/runtime/executor.h"
#include "server/session/scene_evictor.h"
#include "server/session/scene_keeper.h"
#include "solver/world/instruction_set.h"

namespace talus {

namespace {

// For the turns of other scenes while every worker is at a long step.
constexpr StandIns kStandIns{.count = 4};

// What the data directory holds; all null without one.
struct Stores {
  std::unique_ptr<StorageQuota> quota;
  std::unique_ptr<SnapshotStore> snapshots;
  std::unique_ptr<SceneStore> scenes;
  std::unique_ptr<RecordingStore> recordings;
  std::unique_ptr<EvictionStore> evictions;
};

absl::StatusOr<Stores> OpenStores(const SceneHostOptions& options) {
  Stores stores;
  const std::string& directory = options.data_directory;
  if (directory.empty()) return stores;
  stores.quota = std::make_unique<StorageQuota>(options.limits.storage_bytes);
  // First, because it takes the directory for this process alone.
  auto snapshots = SnapshotStore::Open(directory, options.limits, *stores.quota);
  if (!snapshots.ok()) return snapshots.status();
  stores.snapshots = *std::move(snapshots);
  auto scenes =
      SceneStore::Open(directory + "/scenes", options.autosave_keep, options.limits, *stores.quota);
  if (!scenes.ok()) return scenes.status();
  stores.scenes = *std::move(scenes);
  auto recordings = RecordingStore::Open(directory + "/recordings", options.limits, *stores.quota);
  if (!recordings.ok()) return recordings.status();
  stores.recordings = *std::move(recordings);
  auto evictions = EvictionStore::Open(directory + "/evicted", options.limits, *stores.quota);
  if (!evictions.ok()) return evictions.status();
  stores.evictions = *std::move(evictions);
  return stores;
}

// One core for the server's thread and one for the caller's, where he is on this machine.
std::unique_ptr<AwakeCores> MakeAwakeCores(std::chrono::microseconds patience) {
  if (patience.count() == 0) return nullptr;
  const int cores = std::clamp(static_cast<int>(std::thread::hardware_concurrency()), 1, 2);
  return std::make_unique<AwakeCores>(cores, patience);
}

}  // namespace

struct SceneHost::Impl {
  Impl(const SceneHostOptions& host_options, std::unique_ptr<Clock> own_clock, Clock& used_clock,
       Stores stored)
      : options(host_options),
        budget(options.workers, options.workers_per_scene),
        awake_cores(MakeAwakeCores(options.keep_awake)),
        executor(options.workers, kStandIns, {options.time_slice, options.step_nice}),
        storage_executor(1, {}, {.time_slice = options.time_slice}),
        recording_executor(1, {}, {.time_slice = options.time_slice}),
        owned_clock(std::move(own_clock)),
        clock(used_clock),
        stores(std::move(stored)),
        memory(options.limits.memory_bytes, options.read_resident_bytes, clock),
        registry(options.limits, {executor, budget, clock, options.limits, options.quantum, &steps,
                                  awake_cores.get(), &memory}),
        keeper(stores.scenes == nullptr
                   ? nullptr
                   : std::make_unique<SceneKeeper>(registry, *stores.scenes, storage_executor,
                                                   clock, options.autosave_period, options.report)),
        archive(registry, stores.snapshots.get(), keeper.get(), storage_executor, options.limits),
        recordings(registry, stores.recordings.get(), recording_executor, clock, options.limits,
                   options.report),
        analyses(clock, options.limits.analyses),
        conversions(clock, options.limits.analyses) {
    if (keeper == nullptr) return;
    evictor = std::make_unique<SceneEvictor>(
        registry, *stores.evictions, storage_executor, clock, options.evict_after,
        [this](const SceneActor& scene) { return keeper->IsSaved(scene); }, options.report);
    registry.SetNoteIdleTtl([this](double idle_ttl_s) { evictor->NoteIdleTtl(idle_ttl_s); });
    registry.SetForget([this](const std::string& scene_id, StatusCompletion done) {
      keeper->Forget(scene_id, std::move(done));
    });
    keeper->RestoreAll();
    keeper->Start();
    evictor->Start();
  }

  // Members end in reverse order: the clock's thread before the executors it may wake.
  const SceneHostOptions options;
  StepStatistics steps;
  std::atomic<bool> draining{false};
  CoreBudget budget;
  const std::unique_ptr<AwakeCores> awake_cores;  // null: none is kept awake
  Executor executor;
  Executor storage_executor;
  Executor recording_executor;
  const std::unique_ptr<Clock> owned_clock;
  Clock& clock;
  const Stores stores;
  MemoryQuota memory;
  SceneRegistry registry;
  const std::unique_ptr<SceneKeeper> keeper;
  std::unique_ptr<SceneEvictor> evictor;  // null: scenes stay in memory, there is no disk
  SnapshotArchive archive;
  RecordingArchive recordings;
  AnalysisQueue analyses;
  AnalysisQueue conversions;
};

absl::StatusOr<std::unique_ptr<SceneHost>> SceneHost::Open(const SceneHostOptions& options,
                                                           Clock* clock) {
  absl::StatusOr<Stores> stores = OpenStores(options);
  if (!stores.ok()) return stores.status();
  SceneHostOptions used = options;
  used.workers = std::max(1, used.workers);
  used.workers_per_scene = std::clamp(used.workers_per_scene, 1, used.workers);
  std::unique_ptr<Clock> owned_clock;
  if (clock == nullptr) {
    owned_clock = std::make_unique<SystemClock>();
    clock = owned_clock.get();
  }
  return std::unique_ptr<SceneHost>(new SceneHost(
      std::make_unique<Impl>(used, std::move(owned_clock), *clock, *std::move(stores))));
}

SceneHost::SceneHost(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

SceneHost::~SceneHost() {
  impl_->registry.BeginDrain();
  impl_->registry.GiveUpSteps();
  impl_->analyses.End();
  impl_->conversions.End();
  // Scene work may hand over to storage work and the other way round; what is handed to an executor
  // that has stopped is refused, so everybody is answered.
  impl_->storage_executor.Stop();
  impl_->executor.Stop();
  // Last: the scenes that have ended now let go of their recordings, whose files are finished here.
  impl_->recording_executor.Stop();
}

SceneRegistry& SceneHost::registry() { return impl_->registry; }
SnapshotArchive& SceneHost::archive() { return impl_->archive; }
RecordingArchive& SceneHost::recordings() { return impl_->recordings; }
AnalysisQueue& SceneHost::analyses() { return impl_->analyses; }
AnalysisQueue& SceneHost::conversions() { return impl_->conversions; }
const SceneLibrary& SceneHost::library() const { return *impl_->options.library; }
Clock& SceneHost::clock() { return impl_->clock; }
const SceneHostOptions& SceneHost::options() const { return impl_->options; }
std::string_view SceneHost::instruction_set() { return FindInstructionSet(); }
const StepStatistics& SceneHost::steps() const { return impl_->steps; }

absl::Status SceneHost::AdmitMemory() { return impl_->memory.Admit(); }

HostLoad SceneHost::load() const {
  return {.scenes = impl_->registry.load(),
          .executor_busy = impl_->executor.busy_count(),
          .cores_lent = impl_->budget.lent(),
          .analyses = impl_->analyses.held() + impl_->conversions.held(),
          .recordings = impl_->recordings.load(),
          .evictions = impl_->evictor == nullptr ? 0 : impl_->evictor->evictions(),
          .returns = impl_->evictor == nullptr ? 0 : impl_->evictor->returns(),
          .draining = impl_->draining.load()};
}

std::vector<std::string> SceneHost::FindDamagedSnapshots() const {
  if (impl_->stores.snapshots == nullptr) return {};
  auto damaged = impl_->stores.snapshots->FindDamaged();
  return damaged.ok() ? *std::move(damaged) : std::vector<std::string>();
}

bool SceneHost::Drain(std::chrono::milliseconds patience) {
  const auto until = std::chrono::steady_clock::now() + patience;
  impl_->draining.store(true);
  impl_->registry.BeginDrain();
  impl_->analyses.BeginDrain();
  impl_->conversions.BeginDrain();
  // What is left then is for the states, which no step is worth.
  if (!impl_->registry.WaitUntilDrained(patience * 3 / 4)) impl_->registry.GiveUpSteps();
  const auto left = [until] {
    return std::max(std::chrono::milliseconds(0),
                    std::chrono::duration_cast<std::chrono::milliseconds>(
                        until - std::chrono::steady_clock::now()));
  };
  const bool saved = impl_->keeper == nullptr || impl_->keeper->SaveAtRest(left());
  const bool scenes_rest = impl_->registry.WaitUntilDrained(left());
  const bool recorded = impl_->recordings.WaitUntilEnded(left());
  const bool analyses_rest = impl_->analyses.WaitUntilDrained(left());
  const bool conversions_rest = impl_->conversions.WaitUntilDrained(left());
  return scenes_rest && analyses_rest && conversions_rest && saved && recorded;
}

}  // namespace talus
