#include "server/security/rate_limiter.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "server/session/error.h"

namespace talus {

absl::Status RateLimiter::Admit(std::string_view client, Clock::TimePoint now) {
  Clock::Duration wait{};
  {
    MutexLock lock(mutex_);
    TokenBucket& calls = FindOrMake(client).calls;
    calls.Fill(now);
    if (calls.has_token()) {
      calls.Take();
      return absl::OkStatus();
    }
    wait = calls.WaitForToken();
  }
  ErrorInfo info;
  info.reason = ErrorReason::kLimitReached;
  info.value = client;
  info.limit_name = "calls_per_second";
  info.limit_value = std::max<int64_t>(1, std::llround(options_.calls_per_s));
  info.retry_after_ms = std::chrono::ceil<std::chrono::milliseconds>(wait).count();
  return MakeError(absl::StatusCode::kResourceExhausted,
                   "client " + info.value +
                       " made more than calls_per_second = " + std::to_string(info.limit_value) +
                       " calls; retry after " + std::to_string(info.retry_after_ms) + " ms",
                   info);
}

RateLimiter::Bucket& RateLimiter::FindOrMake(std::string_view client) {
  if (const auto found = by_client_.find(client); found != by_client_.end()) {
    buckets_.splice(buckets_.begin(), buckets_, found->second);
    return buckets_.front();
  }
  if (buckets_.size() >= options_.most_clients) {
    by_client_.erase(buckets_.back().client);
    buckets_.pop_back();
  }
  buckets_.push_front({std::string(client), TokenBucket(options_.calls_per_s, options_.burst)});
  by_client_.emplace(buckets_.front().client, buckets_.begin());
  return buckets_.front();
}

size_t RateLimiter::client_count() const {
  MutexLock lock(mutex_);
  return buckets_.size();
}

}  // namespace talus
