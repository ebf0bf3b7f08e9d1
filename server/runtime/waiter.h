// Somebody who waits for an answer: how to reach him, and when his wait ends.
#pragma once

#include <optional>
#include <utility>

#include "absl/status/status.h"
#include "server/runtime/call_control.h"
#include "server/runtime/completion.h"
#include "server/runtime/lease_term.h"

namespace talus {

// Why a wait is over before its answer is there; nothing while it goes on. Who gives up at his
// deadline may also cancel, as gRPC clients do: that is an expiry, whichever of the two is seen
// first.
enum class WaitEnd { kCancelled, kExpired, kLeaseLost };

inline std::optional<WaitEnd> FindWaitEnd(const CallControlPtr& control, Clock::TimePoint now) {
  if (control == nullptr) return std::nullopt;
  if (control->deadline() <= now) return WaitEnd::kExpired;
  if (control->cancelled()) return WaitEnd::kCancelled;
  return std::nullopt;
}

// CANCELLED, DEADLINE_EXCEEDED or ABORTED (LEASE_LOST).
absl::Status WaitEndError(WaitEnd end, int64_t steps_done, int64_t step_index);

template <typename T>
struct Waiter {
  CallControlPtr control;
  Completion<T> done;
  LeaseTermPtr term = nullptr;  // of the lease that the call needs
};

// Who loses his lease is often cancelled because of that: he is told of the lease.
template <typename T>
std::optional<WaitEnd> FindWaitEnd(const Waiter<T>& waiter, Clock::TimePoint now) {
  const std::optional<WaitEnd> end = FindWaitEnd(waiter.control, now);
  if (waiter.term == nullptr || !waiter.term->ended()) return end;
  return end == WaitEnd::kExpired ? end : WaitEnd::kLeaseLost;
}

}  // namespace talus
