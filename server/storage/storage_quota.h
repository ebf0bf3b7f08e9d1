// How many bytes the data directory may hold in all, and how many it holds: snapshots, stored
// scenes and recordings together.
//
// Whoever writes a file takes its size first and gives it back when the file goes; a file with two
// names counts once. What other programs put into the directory is not counted. Thread-safe.
#pragma once

#include <atomic>
#include <cstdint>

#include "absl/status/status.h"

namespace talus {

class StorageQuota {
 public:
  explicit StorageQuota(int64_t limit_bytes) : limit_bytes_(limit_bytes) {}

  // All or nothing. RESOURCE_EXHAUSTED (storage_bytes).
  absl::Status Take(int64_t bytes);
  // Of a file that was found: never refused.
  void Count(int64_t bytes) { used_bytes_.fetch_add(bytes); }
  void GiveBack(int64_t bytes) { used_bytes_.fetch_sub(bytes); }

  int64_t used_bytes() const { return used_bytes_.load(); }

 private:
  const int64_t limit_bytes_;
  std::atomic<int64_t> used_bytes_{0};
};

}  // namespace talus
