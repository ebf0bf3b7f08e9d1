// Snapshots on disk, one file each in one directory.
//
// A file is written whole or not at all: under a temporary name in the same directory, flushed,
// renamed, and the directory flushed, so a crash leaves the old state or the new one. What a crash
// left behind is removed when the store is opened. A damaged file is an error for whoever loads it
// and for nobody else. Thread-safe; calls block on the disk, so they run on the storage thread.
// Knows nothing of what is inside a snapshot.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "server/session/limits.h"
#include "server/storage/storage_quota.h"
#include "solver/base/mutex.h"

namespace talus {

struct SnapshotInfo {
  std::string id;  // without `snapshots/`
  int64_t step_index = 0;
  uint64_t state_hash = 0;
  int64_t byte_size = 0;        // of the solver's snapshot
  int64_t created_unix_ms = 0;  // wall clock
};

struct StoredSnapshot {
  SnapshotInfo info;
  std::string bytes;
};

struct SnapshotPage {
  std::vector<SnapshotInfo> snapshots;  // sorted by id
  std::string next_page_token;          // empty: the last page
};

class SnapshotStore {
 public:
  // Makes the directory if needed, takes it for this process alone and removes leftovers. The
  // snapshots found there are counted in `quota`, which outlives the store.
  // UNAVAILABLE (STORAGE) when the directory cannot be used or another server uses it.
  static absl::StatusOr<std::unique_ptr<SnapshotStore>> Open(const std::string& directory,
                                                             const Limits& limits,
                                                             StorageQuota& quota);
  ~SnapshotStore();
  SnapshotStore(const SnapshotStore&) = delete;
  SnapshotStore& operator=(const SnapshotStore&) = delete;

  // An empty id lets the store choose. ALREADY_EXISTS, RESOURCE_EXHAUSTED (snapshots,
  // snapshot_bytes, storage_bytes), UNAVAILABLE.
  absl::StatusOr<SnapshotInfo> Save(const std::string& id, int64_t step_index, uint64_t state_hash,
                                    std::string_view bytes);
  // NOT_FOUND, DATA_LOSS (BAD_SNAPSHOT), UNAVAILABLE.
  absl::StatusOr<StoredSnapshot> Load(const std::string& id) const;
  // What Load would load, from the header alone. NOT_FOUND, DATA_LOSS (BAD_SNAPSHOT), UNAVAILABLE.
  absl::StatusOr<SnapshotInfo> Find(const std::string& id) const;
  // Damaged files are left out; FindDamaged names them.
  absl::StatusOr<SnapshotPage> List(int64_t page_size, const std::string& page_token) const;
  // NOT_FOUND, UNAVAILABLE. Works on damaged files too.
  absl::Status Delete(const std::string& id);
  // Ids of the files that are no snapshots any more.
  absl::StatusOr<std::vector<std::string>> FindDamaged() const;

  const std::string& directory() const { return directory_; }
  std::string PathOf(const std::string& id) const;

 private:
  SnapshotStore(std::string directory, const Limits& limits, StorageQuota& quota, int lock_file);

  absl::StatusOr<std::vector<std::string>> FindIds() const;

  const std::string directory_;
  const Limits limits_;
  StorageQuota& quota_;
  const int lock_file_;  // held while the store is open
  mutable Mutex mutex_;  // one change of the directory at a time
};

}  // namespace talus
