#include "server/session/memory_quota.h"

#include <malloc.h>

#include <utility>

#include "server/session/error.h"

namespace talus {

MemoryQuota::MemoryQuota(int64_t limit_bytes, ReadResident read, const Clock& clock)
    : limit_bytes_(read ? limit_bytes : 0), read_(std::move(read)), clock_(clock) {}

absl::Status MemoryQuota::Admit() {
  if (limit_bytes_ == 0) return absl::OkStatus();
  MutexLock lock(mutex_);
  const int64_t resident_bytes = Sample();
  if (resident_bytes <= limit_bytes_) return absl::OkStatus();
  return LimitError("memory_bytes", limit_bytes_, resident_bytes);
}

int64_t MemoryQuota::Sample() {
  const Clock::TimePoint now = clock_.Now();
  if (sampled_at_.has_value() && now - *sampled_at_ < kSamplePeriod) return resident_bytes_;
  sampled_at_ = now;
  resident_bytes_ = read_();
  const bool trimmed = trimmed_at_.has_value() && now - *trimmed_at_ < kTrimPeriod;
  if (resident_bytes_ > limit_bytes_ && !trimmed) {
    trimmed_at_ = now;
    malloc_trim(0);
    resident_bytes_ = read_();
  }
  return resident_bytes_;
}

}  // namespace talus
