// Somebody who waits for an answer: how to reach him, and when he stops waiting.
#pragma once

#include <optional>
#include <utility>

#include "absl/status/status.h"
#include "server/runtime/call_control.h"
#include "server/runtime/completion.h"

namespace talus {

// Why a wait is over before its answer is there; nothing while it goes on. Who gives up at his
// deadline may also cancel, as gRPC clients do: that is an expiry, whichever of the two is seen
// first.
enum class WaitEnd { kCancelled, kExpired };

inline std::optional<WaitEnd> FindWaitEnd(const CallControlPtr& control, Clock::TimePoint now) {
  if (control == nullptr) return std::nullopt;
  if (control->deadline() <= now) return WaitEnd::kExpired;
  if (control->cancelled()) return WaitEnd::kCancelled;
  return std::nullopt;
}

// CANCELLED or DEADLINE_EXCEEDED.
absl::Status WaitEndError(WaitEnd end, int64_t steps_done, int64_t step_index);

template <typename T>
struct Waiter {
  CallControlPtr control;
  Completion<T> done;
};

}  // namespace talus
