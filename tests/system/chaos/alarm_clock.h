// Does something at a given moment, on a thread of its own, unless the one who wanted it has gone
// before: how calls are cancelled and connections cut while they are at work.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <thread>
#include <utility>

#include "solver/base/mutex.h"

namespace talus::chaos {

class AlarmClock {
 public:
  using Clock = std::chrono::steady_clock;

  AlarmClock() : thread_([this] { Run(); }) {}
  ~AlarmClock();
  AlarmClock(const AlarmClock&) = delete;
  AlarmClock& operator=(const AlarmClock&) = delete;

  // After the end of this object the action neither runs nor begins.
  class Alarm {
   public:
    Alarm() = default;
    Alarm(AlarmClock& clock, Clock::duration after, std::function<void()> action);
    ~Alarm();
    Alarm(const Alarm&) = delete;
    Alarm& operator=(const Alarm&) = delete;

   private:
    AlarmClock* clock_ = nullptr;
    std::pair<Clock::time_point, int64_t> key_{};
  };

 private:
  void Run();

  Mutex mutex_;
  CondVar changed_;
  std::map<std::pair<Clock::time_point, int64_t>, std::function<void()>> waiting_
      TALUS_GUARDED_BY(mutex_);
  int64_t next_ TALUS_GUARDED_BY(mutex_) = 0;
  bool ending_ TALUS_GUARDED_BY(mutex_) = false;
  std::thread thread_;
};

}  // namespace talus::chaos
