// Scenes to and from stored snapshots: joins the scene registry and the snapshot store without
// blocking the caller.
//
// Disk work runs on the storage thread, scene work on the executor. Without a store (the server has
// no data directory) everything that needs one is refused with FAILED_PRECONDITION (STORAGE).
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "server/runtime/completion.h"
#include "server/runtime/executor.h"
#include "server/session/held_bytes.h"
#include "server/session/limits.h"
#include "server/session/scene_keeper.h"
#include "server/session/scene_registry.h"
#include "server/storage/snapshot_store.h"

namespace talus {

class SnapshotArchive {
 public:
  // `store` and `keeper` may be null. All must outlive the archive; `storage_executor` runs what
  // blocks on the disk.
  SnapshotArchive(SceneRegistry& registry, SnapshotStore* store, SceneKeeper* keeper,
                  Executor& storage_executor, const Limits& limits);

  // Stores the scene's state at the next step boundary; from then on the scene comes back when the
  // server starts again. An empty snapshot_id lets the store choose. RESOURCE_EXHAUSTED
  // (snapshot_bytes): too much waits for the disk already.
  void SaveScene(const std::string& scene_id, const std::string& snapshot_id,
                 const CallControlPtr& control, Completion<SnapshotInfo> done);
  // Puts an existing scene back. Nothing is read where the scene would refuse it, or
  // (RESOURCE_EXHAUSTED, snapshot_bytes) where too much waits for scenes already.
  void RestoreScene(const std::string& scene_id, const std::string& snapshot_id,
                    const CallControlPtr& control, Completion<SceneInfo> done);
  // As SceneRegistry::Create, with the stored snapshot as the source (call.source is ignored).
  void CreateScene(CreateSceneCall call, const std::string& snapshot_id,
                   Completion<CreateSceneAnswer> done);
  void Find(const std::string& snapshot_id, Completion<SnapshotInfo> done);
  // Keeps bytes that came from elsewhere, once they have proved to be a snapshot: INVALID_ARGUMENT
  // (BAD_SNAPSHOT) and else as SnapshotStore::Save.
  void Save(const std::string& snapshot_id, std::string bytes, Completion<SnapshotInfo> done);
  void Load(const std::string& snapshot_id, Completion<StoredSnapshot> done);
  void List(int64_t page_size, const std::string& page_token, Completion<SnapshotPage> done);
  void Delete(const std::string& snapshot_id, StatusCompletion done);

 private:
  // Runs `job` on the storage thread, or refuses.
  template <typename Done>
  void Post(const Done& done, std::function<void()> job);

  SceneRegistry& registry_;
  SnapshotStore* const store_;
  SceneKeeper* const keeper_;
  Executor& storage_executor_;
  HeldBytes saving_;
  HeldBytes restoring_;
};

}  // namespace talus
