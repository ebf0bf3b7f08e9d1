// A snapshot in a file of its own: the header of snapshot_file.h, then the solver's bytes, written
// whole or not at all and believed only when both digests hold.
//
// The form that stored snapshots and stored scenes share; where such a file lies and what it is
// called is the business of its store.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "server/storage/file.h"
#include "server/storage/snapshot_file.h"
#include "server/storage/storage_quota.h"

namespace talus {

// The header of a file that is as long as it says.
std::optional<SnapshotHeader> FindHeader(const FileHead& head);

SnapshotHeader MakeHeader(int64_t step_index, uint64_t state_hash, std::string_view bytes);

// Takes the size from `quota`, and gives it back when the file could not be written.
// RESOURCE_EXHAUSTED (storage_bytes), UNAVAILABLE.
absl::Status WriteSealedFile(const std::string& directory, const std::string& temporary_name,
                             const std::string& name, const SnapshotHeader& header,
                             std::string_view bytes, StorageQuota& quota);

struct SealedSnapshot {
  SnapshotHeader header;
  std::string bytes;
};

// `name` is the resource in errors. NOT_FOUND, DATA_LOSS (BAD_SNAPSHOT), RESOURCE_EXHAUSTED
// (snapshot_bytes) beyond `most_bytes`, UNAVAILABLE.
absl::StatusOr<SealedSnapshot> ReadSealedFile(const std::string& path, const std::string& name,
                                              int64_t most_bytes);

}  // namespace talus
