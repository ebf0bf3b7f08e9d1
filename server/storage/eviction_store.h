// The states of evicted scenes on disk, for the life of the process: what a server that starts
// again finds here is removed, for it never says of a scene that it was kept.
//
// An eviction is three sealed files, `ID.NUMBER.{world,origin,contacts}`. Thread-safe; calls block
// on the disk.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "server/runtime/evicted_scene.h"
#include "server/session/limits.h"
#include "server/storage/storage_quota.h"

namespace talus {

class EvictionStore {
 public:
  // The files of one eviction, which go with it.
  class Files;

  // Makes the directory if needed and empties it of evictions; nobody else may use it. `quota`
  // outlives the store. UNAVAILABLE (STORAGE).
  static absl::StatusOr<std::unique_ptr<EvictionStore>> Open(const std::string& directory,
                                                             const Limits& limits,
                                                             StorageQuota& quota);

  // RESOURCE_EXHAUSTED (snapshot_bytes, storage_bytes), UNAVAILABLE. The files outlive neither the
  // store nor its quota.
  absl::StatusOr<std::shared_ptr<Files>> Save(const std::string& scene_id, const IdleState& idle);
  // DATA_LOSS (BAD_SNAPSHOT), UNAVAILABLE.
  absl::StatusOr<EvictedState> Load(const Files& files) const;

 private:
  EvictionStore(std::string directory, const Limits& limits, StorageQuota& quota)
      : directory_(std::move(directory)), limits_(limits), quota_(quota) {}

  const std::string directory_;
  const Limits limits_;
  StorageQuota& quota_;
  std::atomic<int64_t> next_number_{1};
};

class EvictionStore::Files {
 public:
  ~Files();
  Files(const Files&) = delete;
  Files& operator=(const Files&) = delete;

 private:
  friend class EvictionStore;
  Files(std::string directory, std::string name, StorageQuota& quota)
      : directory_(std::move(directory)), name_(std::move(name)), quota_(quota) {}

  const std::string directory_;
  const std::string name_;  // without suffix
  StorageQuota& quota_;
};

}  // namespace talus
