// Lets go of the memory of scenes that nobody used for a while: their states are written to disk,
// and the first call that needs one brings it back.
//
// One scene is evicted at a time, so one state at most is held beside the scenes. A scene that
// cannot be written stays in memory; that is reported and tried again. Thread-safe; nothing here
// blocks.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>

#include "server/runtime/clock.h"
#include "server/runtime/executor.h"
#include "server/runtime/scene_actor.h"
#include "server/session/scene_registry.h"
#include "server/session/storage_event.h"
#include "server/storage/eviction_store.h"

namespace talus {

class SceneEvictor {
 public:
  // Whether a scene may go: false while its present state is yet to be saved.
  using MayGo = std::function<bool(const SceneActor& scene)>;

  // Scenes go once they were not used for their idle_ttl_s, or where they have none for `idle_time`
  // (0: never), and at most an eighth of the shortest such time later. All must outlive the
  // evictor; `storage_executor`, of one thread, runs what blocks on the disk.
  SceneEvictor(SceneRegistry& registry, EvictionStore& store, Executor& storage_executor,
               Clock& clock, Clock::Duration idle_time, MayGo may_go, StorageReport report);
  ~SceneEvictor();

  // Begins to look for idle scenes.
  void Start();
  // A scene of this idle_ttl_s is there: idle ones are looked for often enough for it. From any
  // thread.
  void NoteIdleTtl(double idle_ttl_s);
  // How often memory was let go, and came back.
  int64_t evictions() const;
  int64_t returns() const;

 private:
  struct Impl;
  std::shared_ptr<Impl> impl_;
};

}  // namespace talus
