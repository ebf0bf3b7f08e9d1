// How much memory the process may have resident while it still takes more: scenes, bodies,
// snapshots.
//
// Only what would add to it is refused; scenes that are there step on. The kernel is asked at most
// every kSamplePeriod, so that what comes in between may go beyond. Memory that was freed may still
// be the allocator's: it is asked to give it back before anybody is refused. Thread-safe.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>

#include "absl/status/status.h"
#include "server/runtime/clock.h"
#include "solver/base/mutex.h"

namespace talus {

class MemoryQuota {
 public:
  // The resident bytes of this process.
  using ReadResident = std::function<int64_t()>;
  static constexpr Clock::Duration kSamplePeriod = std::chrono::milliseconds(100);
  // Giving back may take as long as there is memory that was freed.
  static constexpr Clock::Duration kTrimPeriod = std::chrono::seconds(1);

  // Without a limit (0) or a reader nothing is refused. `clock` outlives the quota.
  MemoryQuota(int64_t limit_bytes, ReadResident read, const Clock& clock);

  // RESOURCE_EXHAUSTED (memory_bytes) while the process has more than the limit.
  absl::Status Admit();

 private:
  int64_t Sample() TALUS_REQUIRES(mutex_);

  const int64_t limit_bytes_;
  const ReadResident read_;
  const Clock& clock_;
  Mutex mutex_;
  int64_t resident_bytes_ TALUS_GUARDED_BY(mutex_) = 0;
  std::optional<Clock::TimePoint> sampled_at_ TALUS_GUARDED_BY(mutex_);
  std::optional<Clock::TimePoint> trimmed_at_ TALUS_GUARDED_BY(mutex_);
};

}  // namespace talus
