#include "server/runtime/clock.h"

#include <sys/prctl.h>

#include <thread>

namespace talus {

struct SystemClock::Impl {
  Mutex mutex;
  CondVar changed;
  bool stopping TALUS_GUARDED_BY(mutex) = false;
  std::multimap<TimePoint, std::function<void()>> calls TALUS_GUARDED_BY(mutex);
  std::thread thread;

  // The next call once it is due; empty when the clock stops.
  std::function<void()> WaitForCall() {
    MutexLock lock(mutex);
    while (!stopping) {
      if (calls.empty()) {
        changed.wait(mutex);
        continue;
      }
      const TimePoint when = calls.begin()->first;
      if (when <= std::chrono::steady_clock::now()) {
        return std::move(calls.extract(calls.begin()).mapped());
      }
      changed.wait_until(mutex, when);
    }
    return nullptr;
  }
};

SystemClock::SystemClock() : impl_(std::make_unique<Impl>()) {
  impl_->thread = std::thread([impl = impl_.get()] {
    // Ticks are due to the microsecond; by default Linux may add 50 of them to every wait.
    ::prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL);
    while (const std::function<void()> call = impl->WaitForCall()) call();
  });
}

SystemClock::~SystemClock() {
  {
    MutexLock lock(impl_->mutex);
    impl_->stopping = true;
  }
  impl_->changed.notify_all();
  impl_->thread.join();
}

Clock::TimePoint SystemClock::Now() const { return std::chrono::steady_clock::now(); }

void SystemClock::CallAt(TimePoint when, std::function<void()> call) {
  {
    MutexLock lock(impl_->mutex);
    impl_->calls.emplace(when, std::move(call));
  }
  impl_->changed.notify_all();
}

Clock::TimePoint ManualClock::Now() const {
  MutexLock lock(mutex_);
  return now_;
}

void ManualClock::CallAt(TimePoint when, std::function<void()> call) {
  MutexLock lock(mutex_);
  calls_.emplace(when, std::move(call));
}

void ManualClock::Advance(Duration by) {
  {
    MutexLock lock(mutex_);
    now_ += by;
  }
  while (true) {
    std::function<void()> call;
    {
      MutexLock lock(mutex_);
      if (calls_.empty() || calls_.begin()->first > now_) return;
      call = std::move(calls_.extract(calls_.begin()).mapped());
    }
    call();
  }
}

size_t ManualClock::waiting_count() const {
  MutexLock lock(mutex_);
  return calls_.size();
}

}  // namespace talus
