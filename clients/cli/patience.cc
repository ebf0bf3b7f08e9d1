#include "clients/cli/patience.h"

#include <condition_variable>
#include <mutex>

namespace talus::cli {

bool Patience::AsksToWait(const client::Error& error) {
  return error.code == client::Code::kResourceExhausted && error.detail.retry_after_ms() > 0;
}

bool Patience::Wait(const client::Error& error) {
  if (!AsksToWait(error)) return false;
  const std::chrono::milliseconds asked{error.detail.retry_after_ms()};
  if (stop_.stop_requested() || asked > left_) return false;
  left_ -= asked;
  std::mutex mutex;
  std::condition_variable_any stopped;
  std::unique_lock lock(mutex);
  stopped.wait_for(lock, stop_, asked, [] { return false; });
  return !stop_.stop_requested();
}

}  // namespace talus::cli
