// The caller's side of a waiting or running call: its deadline, and whether it was cancelled.
//
// Shared by the caller and the scene. Cancelling never blocks; the scene looks between two steps
// and then ends the call with CANCELLED (or DEADLINE_EXCEEDED) and the number of steps that were
// done.
#pragma once

#include <atomic>
#include <memory>

#include "server/runtime/clock.h"

namespace talus {

class CallControl {
 public:
  explicit CallControl(Clock::TimePoint deadline = Clock::TimePoint::max()) : deadline_(deadline) {}

  void Cancel() { cancelled_.store(true, std::memory_order_release); }
  bool cancelled() const { return cancelled_.load(std::memory_order_acquire); }
  Clock::TimePoint deadline() const { return deadline_; }

 private:
  const Clock::TimePoint deadline_;
  std::atomic<bool> cancelled_{false};
};

// May be null where a function takes one: a call that is never cancelled and never expires.
using CallControlPtr = std::shared_ptr<CallControl>;

}  // namespace talus
