// One core that several threads share: who has its turn works, the others wait. A turn is as long
// as its holder likes, but whoever asks from time to time gives it up once it has lasted a slice
// and others wait, and goes to the back of their line. Thread-safe.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>

#include "solver/base/mutex.h"

namespace talus {

class CoreTurn {
 public:
  explicit CoreTurn(std::chrono::nanoseconds slice) : slice_(slice) {}

  // Has the turn while it lives; waits for it first.
  class Hold {
   public:
    explicit Hold(CoreTurn& turn);
    ~Hold();
    Hold(const Hold&) = delete;
    Hold& operator=(const Hold&) = delete;

    // Lets the others go first where the slice is over.
    void Share();

   private:
    CoreTurn& turn_;
    std::chrono::steady_clock::time_point begun_;
  };

 private:
  void Wait() TALUS_REQUIRES(mutex_);

  const std::chrono::nanoseconds slice_;
  Mutex mutex_;
  CondVar changed_;
  bool taken_ TALUS_GUARDED_BY(mutex_) = false;
  int64_t numbers_ TALUS_GUARDED_BY(mutex_) = 0;  // given so far
  std::deque<int64_t> line_ TALUS_GUARDED_BY(mutex_);
};

}  // namespace talus
