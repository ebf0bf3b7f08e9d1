// Keeps scenes beyond the life of the process: stores the states of those that changed, from time
// to time and when the server drains, and brings all that are stored back when it starts.
//
// A stored scene is one that was saved here or that a snapshot was made of, and no scratch scene.
// Deleting a scene forgets it; a save that was under way for it is dropped. One scene is saved at a
// time, so one state at most is held beside the scenes, and one of each whose step takes so long
// that the others are saved without it. Stepping waits only while a state is copied, at a step
// boundary. Thread-safe; RestoreAll and SaveAtRest block, nothing else does.
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "server/runtime/clock.h"
#include "server/runtime/completion.h"
#include "server/runtime/executor.h"
#include "server/runtime/scene_actor.h"
#include "server/session/scene_registry.h"
#include "server/session/storage_event.h"
#include "server/storage/scene_store.h"

namespace talus {

class SceneKeeper {
 public:
  // `period` 0: only Link stores. All must outlive the keeper; `storage_executor`, of one thread,
  // runs what blocks on the disk.
  SceneKeeper(SceneRegistry& registry, SceneStore& store, Executor& storage_executor, Clock& clock,
              Clock::Duration period, StorageReport report);
  ~SceneKeeper();

  // Makes a scene of every stored one, each reported; what is damaged or too large is reported and
  // left alone. Before the first caller.
  void RestoreAll();
  // Begins to save every `period`.
  void Start();
  // On the storage thread: the snapshot in this file is the newest state of the scene, unless it is
  // a scratch scene or was deleted meanwhile.
  void Link(const std::shared_ptr<SceneActor>& scene, const std::string& snapshot_path);
  // The scene has lost its name and must not come back.
  void Forget(const std::string& scene_id, StatusCompletion done);
  // Whether the newest stored state of the scene is its present one, or none is to be stored.
  bool IsSaved(const SceneActor& scene) const;
  // In a drain: saves the scenes that changed, each once it has come to rest. False when that took
  // longer than `patience`.
  bool SaveAtRest(std::chrono::milliseconds patience);

 private:
  struct Impl;
  std::shared_ptr<Impl> impl_;
};

}  // namespace talus
