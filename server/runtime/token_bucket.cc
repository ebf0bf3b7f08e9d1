#include "server/runtime/token_bucket.h"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace talus {
namespace {

// Of a token that has come but for rounding.
constexpr double kWhole = 1.0 - 1e-9;

}  // namespace

void TokenBucket::Fill(Clock::TimePoint now) {
  const double elapsed_s = std::chrono::duration<double>(now - filled_at_).count();
  if (elapsed_s <= 0.0) return;
  tokens_ = std::min(size_, tokens_ + elapsed_s * tokens_per_s_);
  filled_at_ = now;
}

bool TokenBucket::has_token() const { return tokens_ >= kWhole; }

Clock::Duration TokenBucket::WaitForToken() const {
  if (has_token()) return {};
  const std::chrono::duration<double> wait((kWhole - tokens_) / tokens_per_s_);
  return std::chrono::ceil<Clock::Duration>(wait);
}

}  // namespace talus
