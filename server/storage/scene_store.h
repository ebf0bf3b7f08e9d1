// The newest states of scenes on disk, from which a server that starts again brings them back.
//
// Each state is a sealed file of its own, `ID.NUMBER.scene`, numbers growing; writing a new one and
// then removing the oldest beyond those to keep is the atomic replacement: at any moment a crash
// leaves a whole newest state. A scene without a file is not brought back, so forgetting a scene is
// removing its files. Thread-safe; calls block on the disk.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "server/session/limits.h"
#include "server/storage/storage_quota.h"
#include "solver/base/mutex.h"

namespace talus {

struct StoredScene {
  int64_t step_index = 0;
  uint64_t state_hash = 0;
  std::string bytes;
  std::vector<std::string> damaged;  // why newer files could not be used
};

class SceneStore {
 public:
  // Makes the directory if needed and removes leftovers; nobody else may use it. Keeps the newest
  // `keep` >= 1 states of each scene. `quota` outlives the store. UNAVAILABLE (STORAGE).
  static absl::StatusOr<std::unique_ptr<SceneStore>> Open(const std::string& directory, int keep,
                                                          const Limits& limits,
                                                          StorageQuota& quota);

  // RESOURCE_EXHAUSTED (snapshot_bytes, storage_bytes), UNAVAILABLE.
  absl::Status Save(const std::string& scene_id, int64_t step_index, uint64_t state_hash,
                    std::string_view bytes);
  // Keeps a snapshot file on the same file system as the newest state: a second name, no copy.
  // UNAVAILABLE.
  absl::Status Link(const std::string& scene_id, const std::string& snapshot_path);
  // UNAVAILABLE: some file is still there. A scene without any is no error.
  absl::Status Forget(const std::string& scene_id);

  // Ids of the scenes with at least one file, sorted.
  std::vector<std::string> FindScenes() const;
  // The newest state that is whole and that `accept` makes something of: one that a later version
  // wrote may be whole and still say nothing to this. NOT_FOUND, or the error of the newest when
  // there is no such state.
  absl::StatusOr<StoredScene> Load(
      const std::string& scene_id,
      absl::FunctionRef<absl::Status(const StoredScene&)> accept) const;

 private:
  SceneStore(std::string directory, int keep, const Limits& limits, StorageQuota& quota);

  std::string PathOf(const std::string& scene_id, int64_t number) const;
  // Notes the new state and removes what is too old.
  absl::Status Keep(const std::string& scene_id, int64_t number) TALUS_REQUIRES(mutex_);
  int64_t NextNumber(const std::string& scene_id) const TALUS_REQUIRES(mutex_);

  const std::string directory_;
  const int keep_;
  const Limits limits_;
  StorageQuota& quota_;
  mutable Mutex mutex_;
  std::map<std::string, std::vector<int64_t>> numbers_ TALUS_GUARDED_BY(mutex_);  // ascending
};

}  // namespace talus
