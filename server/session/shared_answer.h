// The answer of one request, awaited by everybody who sent it: the first and the repeats that came
// while it ran.
//
// Each waiter is answered exactly once: with the answer, or before it when his own wait ends.
// Thread-safe; completions run without the lock.
#pragma once

#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "server/runtime/waiter.h"
#include "solver/base/mutex.h"

namespace talus {

template <typename T>
class SharedAnswer {
 public:
  // Waits with the others, or is answered at once when the answer is there.
  void Join(Waiter<T> waiter) {
    std::optional<absl::StatusOr<T>> answer;
    {
      MutexLock lock(mutex_);
      if (!answer_.has_value()) {
        waiters_.push_back(std::move(waiter));
        return;
      }
      answer = answer_;
    }
    waiter.done(*std::move(answer));
  }

  // Gives the answer to all who wait. Only the first call counts.
  void Settle(const absl::StatusOr<T>& answer) {
    std::vector<Waiter<T>> waiters;
    {
      MutexLock lock(mutex_);
      if (answer_.has_value()) return;
      answer_ = answer;
      waiters.swap(waiters_);
    }
    for (Waiter<T>& waiter : waiters) waiter.done(answer);
  }

  // Ends the waits that were cancelled or have expired, with the error `end_error` makes. Returns
  // why the last one ended when nobody waits any more.
  std::optional<WaitEnd> Sweep(Clock::TimePoint now,
                               const std::function<absl::Status(WaitEnd)>& end_error) {
    std::vector<std::pair<Waiter<T>, WaitEnd>> ended;
    bool nobody_waits = false;
    {
      MutexLock lock(mutex_);
      std::vector<Waiter<T>> remaining;
      for (Waiter<T>& waiter : waiters_) {
        if (const auto end = FindWaitEnd(waiter.control, now)) {
          ended.emplace_back(std::move(waiter), *end);
        } else {
          remaining.push_back(std::move(waiter));
        }
      }
      waiters_.swap(remaining);
      nobody_waits = waiters_.empty();
    }
    for (auto& [waiter, end] : ended) waiter.done(end_error(end));
    if (!nobody_waits || ended.empty()) return std::nullopt;
    return ended.back().second;
  }

  bool settled() const {
    MutexLock lock(mutex_);
    return answer_.has_value();
  }
  size_t waiter_count() const {
    MutexLock lock(mutex_);
    return waiters_.size();
  }

 private:
  mutable Mutex mutex_;
  std::optional<absl::StatusOr<T>> answer_ TALUS_GUARDED_BY(mutex_);
  std::vector<Waiter<T>> waiters_ TALUS_GUARDED_BY(mutex_);
};

}  // namespace talus
