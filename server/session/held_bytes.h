// Bytes of snapshots that are held for callers who wait, as for a reader or the disk: bounded in
// all by the largest snapshot that may be stored.
//
// One alone may hold any number, for a scene's state need not fit a stored snapshot. Thread-safe.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>

#include "absl/status/statusor.h"
#include "server/session/error.h"

namespace talus {

// So long a client may be silent in the middle of what bytes are held of: take no chunk of a
// snapshot that is downloaded, or send none of one that is uploaded or of a model that is imported.
inline constexpr std::chrono::seconds kSnapshotPatience{30};

class HeldBytes {
 public:
  // Gives the bytes back with its last copy; may outlive what it came from.
  using Hold = std::shared_ptr<const void>;

  explicit HeldBytes(int64_t limit_bytes) : limit_bytes_(limit_bytes) {}

  // RESOURCE_EXHAUSTED (snapshot_bytes): beside what the others hold there is no room for as much.
  absl::StatusOr<Hold> Take(int64_t bytes) {
    int64_t others = held_->load();
    do {
      const int64_t sum = others + bytes;
      if (others > 0 && sum > limit_bytes_) return LimitError("snapshot_bytes", limit_bytes_, sum);
    } while (!held_->compare_exchange_weak(others, others + bytes));
    return Hold(held_.get(), [held = held_, bytes](const void*) { held->fetch_sub(bytes); });
  }

 private:
  const int64_t limit_bytes_;
  const std::shared_ptr<std::atomic<int64_t>> held_ = std::make_shared<std::atomic<int64_t>>(0);
};

}  // namespace talus
