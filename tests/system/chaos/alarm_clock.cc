#include "tests/system/chaos/alarm_clock.h"

namespace talus::chaos {

AlarmClock::Alarm::Alarm(AlarmClock& clock, Clock::duration after, std::function<void()> action)
    : clock_(&clock) {
  MutexLock lock(clock.mutex_);
  key_ = {Clock::now() + after, clock.next_++};
  clock.waiting_.emplace(key_, std::move(action));
  clock.changed_.notify_all();
}

AlarmClock::Alarm::~Alarm() {
  if (clock_ == nullptr) return;
  MutexLock lock(clock_->mutex_);
  clock_->waiting_.erase(key_);
}

AlarmClock::~AlarmClock() {
  {
    MutexLock lock(mutex_);
    ending_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void AlarmClock::Run() {
  MutexLock lock(mutex_);
  while (!ending_) {
    if (waiting_.empty()) {
      changed_.wait(mutex_);
      continue;
    }
    const auto first = waiting_.begin();
    // A copy: the alarm may be taken back while this thread waits for it.
    const Clock::time_point due = first->first.first;
    if (due > Clock::now()) {
      changed_.wait_until(mutex_, due);
      continue;
    }
    // Under the lock, so that an alarm that is taken back does not run any more. Actions are short.
    first->second();
    waiting_.erase(first);
  }
}

}  // namespace talus::chaos
