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
#include "solver/base/check.h"
#include "solver/base/mutex.h"

namespace talus {

template <typename T>
class SharedAnswer {
 public:
  // Waits with the others, or is answered at once when the answer is there. Of work that is never
  // given up.
  void Join(Waiter<T> waiter) { TALUS_CHECK(TryJoin(waiter)); }

  // The same. False, and the waiter as he was: there will be no answer, the request is a first one
  // again.
  bool TryJoin(Waiter<T>& waiter) {
    std::optional<absl::StatusOr<T>> answer;
    {
      MutexLock lock(mutex_);
      if (given_up_) return false;
      if (!answer_.has_value()) {
        waiters_.push_back(std::move(waiter));
        return true;
      }
      answer = answer_;
    }
    waiter.done(*std::move(answer));
    return true;
  }

  // Ends what nobody waits for: `answer` is for repeats to come; nothing, and nobody can join any
  // more. False: somebody waits.
  bool GiveUp(std::optional<absl::StatusOr<T>> answer) {
    MutexLock lock(mutex_);
    if (!waiters_.empty()) return false;
    given_up_ = !answer.has_value();
    answer_ = std::move(answer);
    return true;
  }

  // Gives the answer to all who wait. Only the first call counts.
  void Settle(const absl::StatusOr<T>& answer) {
    std::vector<Waiter<T>> waiters;
    {
      MutexLock lock(mutex_);
      if (answer_.has_value() || given_up_) return;
      answer_ = answer;
      waiters.swap(waiters_);
    }
    for (Waiter<T>& waiter : waiters) waiter.done(answer);
  }

  // Ends the waits that were cancelled or have expired, with the error `end_error` makes; the
  // answers are left to the caller to give. Returns why the last one ended when nobody waits any
  // more.
  std::optional<WaitEnd> Sweep(Clock::TimePoint now,
                               const std::function<absl::Status(WaitEnd)>& end_error,
                               std::vector<std::function<void()>>& answers) {
    MutexLock lock(mutex_);
    std::optional<WaitEnd> last_end;
    std::erase_if(waiters_, [&](Waiter<T>& waiter) {
      const std::optional<WaitEnd> end = FindWaitEnd(waiter, now);
      if (!end.has_value()) return false;
      last_end = end;
      answers.push_back(
          [done = std::move(waiter.done), status = end_error(*end)] { done(status); });
      return true;
    });
    return waiters_.empty() ? last_end : std::nullopt;
  }

  bool settled() const {
    MutexLock lock(mutex_);
    return answer_.has_value() || given_up_;
  }
  int64_t waiter_count() const {
    MutexLock lock(mutex_);
    return static_cast<int64_t>(waiters_.size());
  }

 private:
  mutable Mutex mutex_;
  std::optional<absl::StatusOr<T>> answer_ TALUS_GUARDED_BY(mutex_);
  bool given_up_ TALUS_GUARDED_BY(mutex_) = false;
  std::vector<Waiter<T>> waiters_ TALUS_GUARDED_BY(mutex_);
};

}  // namespace talus
