#include "server/session/scene_host.h"

#include <algorithm>
#include <atomic>
#include <utility>

#include "server/runtime/core_budget.h"
#include "server/runtime/executor.h"

namespace talus {

struct SceneHost::Impl {
  Impl(const SceneHostOptions& host_options, std::unique_ptr<Clock> own_clock, Clock& used_clock,
       std::unique_ptr<SnapshotStore> snapshot_store)
      : options(host_options),
        budget(options.workers, options.workers_per_scene),
        executor(options.workers),
        storage_executor(1),
        owned_clock(std::move(own_clock)),
        clock(used_clock),
        store(std::move(snapshot_store)),
        registry(options.limits,
                 {executor, budget, clock, options.limits, options.quantum, &steps}),
        archive(registry, store.get(), storage_executor),
        analyses(clock, options.limits.analyses) {}

  // Members end in reverse order: the clock's thread before the executors it may wake.
  const SceneHostOptions options;
  StepStatistics steps;
  std::atomic<bool> draining{false};
  CoreBudget budget;
  Executor executor;
  Executor storage_executor;
  const std::unique_ptr<Clock> owned_clock;
  Clock& clock;
  const std::unique_ptr<SnapshotStore> store;
  SceneRegistry registry;
  SnapshotArchive archive;
  AnalysisQueue analyses;
};

absl::StatusOr<std::unique_ptr<SceneHost>> SceneHost::Open(const SceneHostOptions& options,
                                                           Clock* clock) {
  std::unique_ptr<SnapshotStore> store;
  if (!options.data_directory.empty()) {
    auto opened = SnapshotStore::Open(options.data_directory, options.limits);
    if (!opened.ok()) return opened.status();
    store = *std::move(opened);
  }
  SceneHostOptions used = options;
  used.workers = std::max(1, used.workers);
  used.workers_per_scene = std::clamp(used.workers_per_scene, 1, used.workers);
  std::unique_ptr<Clock> owned_clock;
  if (clock == nullptr) {
    owned_clock = std::make_unique<SystemClock>();
    clock = owned_clock.get();
  }
  return std::unique_ptr<SceneHost>(new SceneHost(
      std::make_unique<Impl>(used, std::move(owned_clock), *clock, std::move(store))));
}

SceneHost::SceneHost(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

SceneHost::~SceneHost() {
  impl_->registry.BeginDrain();
  impl_->analyses.End();
  // Scene work may hand over to storage work and the other way round; what is handed to an executor
  // that has stopped is refused, so everybody is answered.
  impl_->storage_executor.Stop();
  impl_->executor.Stop();
}

SceneRegistry& SceneHost::registry() { return impl_->registry; }
SnapshotArchive& SceneHost::archive() { return impl_->archive; }
AnalysisQueue& SceneHost::analyses() { return impl_->analyses; }
Clock& SceneHost::clock() { return impl_->clock; }
const SceneHostOptions& SceneHost::options() const { return impl_->options; }
const StepStatistics& SceneHost::steps() const { return impl_->steps; }

HostLoad SceneHost::load() const {
  return {.scenes = impl_->registry.load(),
          .executor_busy = impl_->executor.busy_count(),
          .cores_lent = impl_->budget.lent(),
          .analyses = impl_->analyses.held(),
          .draining = impl_->draining.load()};
}

std::vector<std::string> SceneHost::FindDamagedSnapshots() const {
  if (impl_->store == nullptr) return {};
  auto damaged = impl_->store->FindDamaged();
  return damaged.ok() ? *std::move(damaged) : std::vector<std::string>();
}

bool SceneHost::Drain(std::chrono::milliseconds patience) {
  const auto until = std::chrono::steady_clock::now() + patience;
  impl_->draining.store(true);
  impl_->registry.BeginDrain();
  impl_->analyses.BeginDrain();
  const bool scenes_rest = impl_->registry.WaitUntilDrained(patience);
  const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
      until - std::chrono::steady_clock::now());
  return impl_->analyses.WaitUntilDrained(std::max(left, std::chrono::milliseconds(0))) &&
         scenes_rest;
}

}  // namespace talus
