// Work that needs no scene. Of a few clients one call each is at work at once; they share one core
// in slices (runtime/core_turn), so that scenes lose no more than that and no client waits for the
// end of what another one asked for. The others wait in line (runtime/client_line).
//
// A bounded number of calls may be held; more are refused. A call heeds its cancellation and
// deadline before its turn and, where its work asks `stop`, within it, which is also where it lets
// others have the core. Every completion runs exactly once.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "server/runtime/call_control.h"
#include "server/runtime/client_line.h"
#include "server/runtime/clock.h"
#include "server/runtime/completion.h"
#include "server/runtime/core_turn.h"
#include "server/runtime/executor.h"
#include "solver/base/mutex.h"

namespace talus {

class AnalysisQueue {
 public:
  // True: whoever asked has gone, or the server drains.
  using Stop = std::function<bool()>;
  template <typename T>
  using Work = std::function<absl::StatusOr<T>(const Stop& stop)>;

  // Clients whose calls are at work at once.
  static constexpr int kClientsAtOnce = 4;

  // `clock` must outlive the queue; at most `depth` calls are held, those at work included. `slice`
  // is how long one keeps the core that others want.
  AnalysisQueue(const Clock& clock, int64_t depth,
                std::chrono::nanoseconds slice = std::chrono::milliseconds(50));
  ~AnalysisQueue();

  // `client` is who asks. Errors beside those of the work: RESOURCE_EXHAUSTED (analyses), also
  // later, while the call waits; CANCELLED, DEADLINE_EXCEEDED, UNAVAILABLE (DRAINING).
  template <typename T>
  void Submit(const std::string& client, const CallControlPtr& control, Work<T> work,
              Completion<T> done) {
    Enter(client, {.run =
                       [this, client, control, work = std::move(work), done] {
                         CoreTurn::Hold core(core_);
                         absl::StatusOr<T> result = Run<T>(control, work, core);
                         // Who is answered may ask again at once, and finds the place free.
                         EndTurn(client);
                         done(std::move(result));
                         EndAnswer();
                       },
                   .refuse = done});
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
  absl::StatusOr<T> Run(const CallControlPtr& control, const Work<T>& work, CoreTurn::Hold& core) {
    if (absl::Status end = FindEnd(control); !end.ok()) return end;
    absl::StatusOr<T> result = work([this, control, &core] {
      core.Share();
      return !FindEnd(control).ok();
    });
    // What was cut short is no answer.
    if (absl::Status end = FindEnd(control); !end.ok()) return end;
    return result;
  }

  void Enter(const std::string& client, LineCall call);
  void RunNext();
  // Of a call that was at work: its place is free, and its answer is given until EndAnswer.
  void EndTurn(const std::string& client);
  void EndAnswer();
  void RefuseWaiting();
  // Why the call is over before its answer is there; OK while it goes on.
  absl::Status FindEnd(const CallControlPtr& control) const;

  const Clock& clock_;
  const int64_t depth_;
  mutable Mutex mutex_;
  CondVar changed_;
  ClientLine line_ TALUS_GUARDED_BY(mutex_);
  int64_t answering_ TALUS_GUARDED_BY(mutex_) = 0;  // held no more, completion at work
  bool draining_ TALUS_GUARDED_BY(mutex_) = false;
  CoreTurn core_;
  Executor executor_;
};

}  // namespace talus
