// The caller's side of a waiting or running call: its deadline, whether it was cancelled, and the
// lease it calls under.
//
// Shared by the caller and the scene. Cancelling never blocks; the scene looks between two steps
// and within long ones, and then ends the call with CANCELLED (or DEADLINE_EXCEEDED) and the number
// of steps that were done.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <utility>

#include "server/runtime/clock.h"

namespace talus {

class CallControl {
 public:
  // `lease`: the token of a lease on the scene; empty: none. `whole`: what this call is a part of,
  // cancelled with it; may be null.
  explicit CallControl(Clock::TimePoint deadline = Clock::TimePoint::max(), std::string lease = {},
                       std::shared_ptr<const CallControl> whole = nullptr)
      : deadline_(deadline), lease_(std::move(lease)), whole_(std::move(whole)) {}

  void Cancel() { cancelled_.store(true, std::memory_order_release); }
  bool cancelled() const {
    return cancelled_.load(std::memory_order_acquire) || (whole_ != nullptr && whole_->cancelled());
  }
  Clock::TimePoint deadline() const { return deadline_; }
  const std::string& lease() const { return lease_; }

 private:
  const Clock::TimePoint deadline_;
  const std::string lease_;
  const std::shared_ptr<const CallControl> whole_;
  std::atomic<bool> cancelled_{false};
};

// May be null where a function takes one: a call that is never cancelled, never expires and has no
// lease.
using CallControlPtr = std::shared_ptr<CallControl>;

}  // namespace talus
