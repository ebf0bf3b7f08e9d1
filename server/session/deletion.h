// The deletion of a scene under way. It has two sides, the scene's end and the end of what is
// stored of it; the second to come answers, with the failure if either had one. Thread-safe.
#pragma once

#include <functional>
#include <utility>

#include "absl/status/status.h"
#include "solver/base/mutex.h"

namespace talus {

class Deletion {
 public:
  explicit Deletion(std::function<void(const absl::Status&)> done) : done_(std::move(done)) {}

  void EndSide(const absl::Status& status) {
    {
      MutexLock lock(mutex_);
      status_.Update(status);
      if (--sides_ > 0) return;
    }
    done_(status_);
  }

 private:
  const std::function<void(const absl::Status&)> done_;
  Mutex mutex_;
  int sides_ TALUS_GUARDED_BY(mutex_) = 2;
  absl::Status status_;  // settled once both sides have ended
};

}  // namespace talus
