#include "server/security/rate_limiter.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "server/session/error.h"

namespace talus {

absl::Status RateLimiter::Admit(std::string_view client, Clock::TimePoint now) {
  double missing = 0.0;
  {
    MutexLock lock(mutex_);
    Bucket& bucket = FindOrMake(client, now);
    const double elapsed_s = std::chrono::duration<double>(now - bucket.filled_at).count();
    if (elapsed_s > 0.0) {
      bucket.calls = std::min(options_.burst, bucket.calls + elapsed_s * options_.calls_per_s);
      bucket.filled_at = now;
    }
    if (bucket.calls >= 1.0) {
      bucket.calls -= 1.0;
      return absl::OkStatus();
    }
    missing = 1.0 - bucket.calls;
  }
  ErrorInfo info;
  info.reason = ErrorReason::kLimitReached;
  info.value = client;
  info.limit_name = "calls_per_second";
  info.limit_value = std::max<int64_t>(1, std::llround(options_.calls_per_s));
  info.retry_after_ms = std::max<int64_t>(
      1, static_cast<int64_t>(std::ceil(1000.0 * missing / options_.calls_per_s)));
  return MakeError(absl::StatusCode::kResourceExhausted,
                   "client " + info.value +
                       " made more than calls_per_second = " + std::to_string(info.limit_value) +
                       " calls; retry after " + std::to_string(info.retry_after_ms) + " ms",
                   info);
}

RateLimiter::Bucket& RateLimiter::FindOrMake(std::string_view client, Clock::TimePoint now) {
  if (const auto found = by_client_.find(client); found != by_client_.end()) {
    buckets_.splice(buckets_.begin(), buckets_, found->second);
    return buckets_.front();
  }
  if (buckets_.size() >= options_.most_clients) {
    by_client_.erase(buckets_.back().client);
    buckets_.pop_back();
  }
  buckets_.push_front({std::string(client), options_.burst, now});
  by_client_.emplace(buckets_.front().client, buckets_.begin());
  return buckets_.front();
}

size_t RateLimiter::client_count() const {
  MutexLock lock(mutex_);
  return buckets_.size();
}

}  // namespace talus
