// Time as the server sees it: now, and calls at a later time. Injected, so that tests turn the
// hands themselves.
//
// Only deadlines, quanta and the pace of streams read it; no result of a step depends on it.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <utility>

#include "solver/base/mutex.h"

namespace talus {

class Clock {
 public:
  using TimePoint = std::chrono::steady_clock::time_point;
  using Duration = std::chrono::steady_clock::duration;

  virtual ~Clock() = default;
  virtual TimePoint Now() const = 0;
  // Runs `call` once at `when` or soon after, on a thread of the clock. It must be short and must
  // not block. Calls not yet due when the clock is destroyed are dropped.
  virtual void CallAt(TimePoint when, std::function<void()> call) = 0;

  // As CallAt, but also once before `when` where that is further away: for calls that look whether
  // their time has come, and ask again. Who has gone meanwhile leaves nothing behind for longer.
  static constexpr Duration kLookPeriod = std::chrono::seconds(10);
  void LookAt(TimePoint when, std::function<void()> look) {
    CallAt(std::min(when, Now() + kLookPeriod), std::move(look));
  }

  // `seconds` are within a century.
  static Duration DurationOf(double seconds) {
    return std::chrono::duration_cast<Duration>(std::chrono::duration<double>(seconds));
  }
};

// The machine's steady clock; one thread serves the calls.
class SystemClock : public Clock {
 public:
  SystemClock();
  ~SystemClock() override;
  TimePoint Now() const override;
  void CallAt(TimePoint when, std::function<void()> call) override;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// A clock that stands still until it is advanced. Due calls run inside Advance, in the order of
// their time.
class ManualClock : public Clock {
 public:
  TimePoint Now() const override;
  void CallAt(TimePoint when, std::function<void()> call) override;
  void Advance(Duration by);
  // Calls that are not due yet.
  size_t waiting_count() const;

 private:
  mutable Mutex mutex_;
  TimePoint now_ TALUS_GUARDED_BY(mutex_){};
  std::multimap<TimePoint, std::function<void()>> calls_ TALUS_GUARDED_BY(mutex_);
};

}  // namespace talus
