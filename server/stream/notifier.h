// Tells a watcher, without a lock held and never twice at the same time, that something waits for
// him; and lets him leave for good.
//
// What comes while he is being told is told once more afterwards, so nothing is missed. Knows
// nothing of what waits. Thread-safe.
#pragma once

#include <functional>
#include <thread>

#include "solver/base/mutex.h"

namespace talus {

class Notifier {
 public:
  // `notify` must not block.
  explicit Notifier(std::function<void()> notify);

  void Notify();
  // When this returns, `notify` is not running (unless it is what called Close) and never will.
  void Close();

 private:
  Mutex mutex_;
  CondVar notified_;
  std::function<void()> notify_ TALUS_GUARDED_BY(mutex_);
  bool notifying_ TALUS_GUARDED_BY(mutex_) = false;
  bool notify_again_ TALUS_GUARDED_BY(mutex_) = false;
  bool closed_ TALUS_GUARDED_BY(mutex_) = false;
  std::thread::id notifier_ TALUS_GUARDED_BY(mutex_);
};

}  // namespace talus
