#include "server/runtime/step_rate.h"

#include <chrono>
#include <string>

#include "server/session/error.h"

namespace talus {

StepRate::StepRate(int64_t steps_per_s) : steps_per_s_(steps_per_s) {
  const auto rate = static_cast<double>(steps_per_s);
  if (steps_per_s > 0) bucket_.emplace(rate, rate);
}

absl::Status StepRate::Admit(Clock::TimePoint now) {
  const Clock::TimePoint due = FindDue(now);
  if (due <= now) return absl::OkStatus();
  ErrorInfo info;
  info.reason = ErrorReason::kLimitReached;
  info.limit_name = "steps_per_second";
  info.limit_value = steps_per_s_;
  info.retry_after_ms = std::chrono::ceil<std::chrono::milliseconds>(due - now).count();
  return MakeError(absl::StatusCode::kResourceExhausted,
                   "the scene made more than steps_per_second = " + std::to_string(steps_per_s_) +
                       " steps; retry after " + std::to_string(info.retry_after_ms) + " ms",
                   info);
}

Clock::TimePoint StepRate::FindDue(Clock::TimePoint now) {
  if (!bucket_.has_value()) return now;
  bucket_->Fill(now);
  return now + bucket_->WaitForToken();
}

void StepRate::NoteStep() {
  if (bucket_.has_value()) bucket_->Take();
}

}  // namespace talus
