// Waiting for what another thread or process does: the condition is looked at again and again, with
// a bound that by default only a hang reaches.
#pragma once

#include <chrono>
#include <functional>
#include <thread>

namespace talus::testing {

// False when `condition` did not come true within `patience`.
inline bool WaitUntil(const std::function<bool()>& condition,
                      std::chrono::milliseconds patience = std::chrono::minutes(1)) {
  const auto end = std::chrono::steady_clock::now() + patience;
  while (!condition()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return true;
}

}  // namespace talus::testing
