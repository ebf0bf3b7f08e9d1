// How many calls a client may begin: a bucket each, filled at a steady rate up to a burst.
//
// Knows clients by a text, as the name of a token or an address, and holds a bounded number of
// them: when a new one comes to a full table, the one that was silent longest is forgotten, which
// gives it a full bucket again. Thread-safe; one short lock.
#pragma once

#include <cstdint>
#include <list>
#include <string>
#include <string_view>
#include <unordered_map>

#include "absl/status/status.h"
#include "server/runtime/clock.h"
#include "server/runtime/token_bucket.h"
#include "solver/base/mutex.h"

namespace talus {

class RateLimiter {
 public:
  struct Options {
    double calls_per_s = 0.0;  // > 0
    double burst = 1.0;        // calls a bucket holds, >= 1
    size_t most_clients = 4096;
  };
  explicit RateLimiter(const Options& options) : options_(options) {}

  // OK, or RESOURCE_EXHAUSTED (LIMIT_REACHED, calls_per_second) with the time after which a call
  // would be taken. A refused call takes nothing from the bucket.
  absl::Status Admit(std::string_view client, Clock::TimePoint now);

  size_t client_count() const;

 private:
  struct Bucket {
    std::string client;
    TokenBucket calls;
  };
  Bucket& FindOrMake(std::string_view client) TALUS_REQUIRES(mutex_);

  const Options options_;
  mutable Mutex mutex_;
  std::list<Bucket> buckets_ TALUS_GUARDED_BY(mutex_);  // the last one used first
  std::unordered_map<std::string_view, std::list<Bucket>::iterator> by_client_
      TALUS_GUARDED_BY(mutex_);  // keys live in the buckets
};

}  // namespace talus
