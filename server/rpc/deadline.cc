#include "server/rpc/deadline.h"

#include <algorithm>
#include <chrono>

namespace talus::rpc {

Clock::TimePoint FindDeadline(const grpc::CallbackServerContext& context) {
  using std::chrono::system_clock;
  constexpr Clock::Duration kLongestMargin = std::chrono::milliseconds(50);
  // A deadline a century away counts as none; it also keeps the sums below from overflowing.
  constexpr auto kCentury = std::chrono::hours(24 * 365 * 100);

  const system_clock::time_point deadline = context.deadline();
  const system_clock::time_point now = system_clock::now();
  if (deadline == system_clock::time_point::max() || deadline > now + kCentury) {
    return Clock::TimePoint::max();
  }
  const auto left = std::chrono::duration_cast<Clock::Duration>(
      std::max(deadline - now, system_clock::duration::zero()));
  return std::chrono::steady_clock::now() + left - std::min(left / 10, kLongestMargin);
}

}  // namespace talus::rpc
