// Keeps cores from falling asleep between the calls of a caller who steps in lock-step.
//
// A core with nothing to do halts, and waking it takes longer than a short step: tens of
// microseconds on a virtual machine. Threads of the lowest priority there is (SCHED_IDLE) spin for
// a while after each short step, so that only time which nobody else wants is spent. No result
// depends on it. Thread-safe.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <thread>
#include <vector>

#include "solver/base/mutex.h"

namespace talus {

class AwakeCores {
 public:
  // Both > 0; `patience` is how long after a step.
  AwakeCores(int core_count, std::chrono::microseconds patience);
  ~AwakeCores();
  AwakeCores(const AwakeCores&) = delete;
  AwakeCores& operator=(const AwakeCores&) = delete;

  // A short step was made: another one may come soon. Costs two reads while the threads spin.
  void NoteStep();
  // Threads that spin now.
  int spinning() const { return spinning_.load(std::memory_order_relaxed); }

 private:
  void RunThread();
  // False: the end has come.
  bool WaitForStep();
  bool IsPatient() const;

  const std::chrono::microseconds patience_;
  std::atomic<int64_t> until_ns_{0};  // of the steady clock
  std::atomic<int> spinning_{0};
  std::atomic<int> asleep_{0};
  std::atomic<bool> stopping_{false};
  Mutex mutex_;
  CondVar changed_;
  std::vector<std::thread> threads_;
};

}  // namespace talus
