// Work that needs no scene: one thread takes it in the order it came, so that scenes lose at most
// one core to it.
//
// A bounded number of calls may be held; more are refused. A call heeds its cancellation and
// deadline before its turn and, where its work asks `stop`, within it. Every completion runs
// exactly once.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "server/runtime/call_control.h"
#include "server/runtime/clock.h"
#include "server/runtime/completion.h"
#include "server/runtime/executor.h"
#include "solver/base/check.h"
#include "solver/base/mutex.h"

namespace talus {

class AnalysisQueue {
 public:
  // True: whoever asked has gone, or the server drains.
  using Stop = std::function<bool()>;
  template <typename T>
  using Work = std::function<absl::StatusOr<T>(const Stop& stop)>;

  // `clock` must outlive the queue; at most `depth` calls are held, the one at work included.
  AnalysisQueue(const Clock& clock, int64_t depth);

  // Errors beside those of the work: RESOURCE_EXHAUSTED (analyses), CANCELLED, DEADLINE_EXCEEDED,
  // UNAVAILABLE (DRAINING).
  template <typename T>
  void Submit(const CallControlPtr& control, Work<T> work, Completion<T> done) {
    if (absl::Status status = Enter(); !status.ok()) return done(std::move(status));
    const bool taken = executor_.Post(
        [this, control, work = std::move(work), done] { Answer(done, Run<T>(control, work)); });
    if (taken) return;
    // The thread ends only when the queue drains.
    absl::Status end = FindEnd(control);
    TALUS_CHECK(!end.ok());
    Answer<T>(done, std::move(end));
  }

  // Calls that wait or are at work.
  int64_t held() const;
  // From now on calls are refused, and those that are held are cut short. Idempotent.
  void BeginDrain();
  // True once none is held and all are answered; false when that took longer than `patience`.
  bool WaitUntilDrained(std::chrono::milliseconds patience);
  // Drains and joins the thread: all that was submitted is answered.
  void End();

 private:
  template <typename T>
  absl::StatusOr<T> Run(const CallControlPtr& control, const Work<T>& work) {
    if (absl::Status end = FindEnd(control); !end.ok()) return end;
    absl::StatusOr<T> result = work([this, control] { return !FindEnd(control).ok(); });
    // What was cut short is no answer.
    if (absl::Status end = FindEnd(control); !end.ok()) return end;
    return result;
  }

  // Who is answered may ask again at once, and finds the place free.
  template <typename T>
  void Answer(const Completion<T>& done, absl::StatusOr<T> result) {
    Leave();
    done(std::move(result));
    EndAnswer();
  }

  absl::Status Enter();
  void Leave();
  void EndAnswer();
  // Why the call is over before its answer is there; OK while it goes on.
  absl::Status FindEnd(const CallControlPtr& control) const;

  const Clock& clock_;
  const int64_t depth_;
  mutable Mutex mutex_;
  CondVar changed_;
  int64_t held_ TALUS_GUARDED_BY(mutex_) = 0;
  int64_t answering_ TALUS_GUARDED_BY(mutex_) = 0;  // held no more, completion at work
  bool draining_ TALUS_GUARDED_BY(mutex_) = false;
  Executor executor_;
};

}  // namespace talus
