// Keeps cores from falling asleep between the calls of a caller who steps in lock-step.
//
// A core with nothing to do halts, and waking it may take longer than a short step: tens of
// microseconds on a virtual machine. Where short steps come one soon after the other, threads of
// the lowest priority there is (SCHED_IDLE) spin from one to the next, so that only time which
// nobody else wants is spent; as long as steps come sooner with it (runtime/awake_trial.h). No
// result depends on it. Thread-safe.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <thread>
#include <vector>

#include "server/runtime/awake_trial.h"
#include "solver/base/mutex.h"

namespace talus {

class AwakeCores {
 public:
  // Both > 0; `patience` is how soon after the one before a step must come, and how long the next
  // is waited for. Where this thread may use no more cores than that, each thread gets one.
  AwakeCores(int core_count, std::chrono::microseconds patience);
  ~AwakeCores();
  AwakeCores(const AwakeCores&) = delete;
  AwakeCores& operator=(const AwakeCores&) = delete;

  // A short step was made. Where the one before was not long ago the next is waited for.
  void NoteStep();
  // Threads that spin now.
  int spinning() const { return spinning_.load(std::memory_order_relaxed); }

 private:
  void RunThread();
  // False: the end has come.
  bool WaitForStep();
  bool IsPatient() const;
  bool IsWorthIt(std::chrono::nanoseconds interval);

  const std::chrono::microseconds patience_;
  std::atomic<int64_t> last_ns_;      // of the steady clock: when a step was made
  std::atomic<int64_t> until_ns_{0};  // the same clock
  std::atomic<int> spinning_{0};
  std::atomic<int> asleep_{0};
  std::atomic<bool> stopping_{false};
  std::atomic<bool> worth_it_{true};
  std::atomic_flag noting_;  // who has set it has the trial
  AwakeTrial trial_;
  Mutex mutex_;
  CondVar changed_;
  std::vector<std::thread> threads_;
};

}  // namespace talus
