#include "server/stream/watch_options.h"

#include <string>

#include "server/session/error.h"
#include "solver/base/field_error.h"

namespace talus {
namespace {

absl::Status ValidatePace(const Pace& pace) {
  constexpr double kHighestRate = 10'000.0;
  constexpr int64_t kMostSteps = 1'000'000;
  if (const auto* rate = std::get_if<RatePace>(&pace)) {
    // Written so that NaN fails.
    if (rate->rate_hz > 0.0 && rate->rate_hz <= kHighestRate) return absl::OkStatus();
    return InvalidFieldError("rate_hz", FormatValue(rate->rate_hz), "must be in (0, 10000]");
  }
  const int64_t steps = std::get<StepPace>(pace).steps;
  if (steps >= 1 && steps <= kMostSteps) return absl::OkStatus();
  return InvalidFieldError("every_n_steps", std::to_string(steps), "must be in [1, 1000000]");
}

absl::Status ValidateQueue(const WatchOptions& options) {
  const std::string frames = std::to_string(options.queue_frames);
  if (options.policy == SlowPolicy::kLatest) {
    if (options.queue_frames == 1) return absl::OkStatus();
    return InvalidFieldError("queue_frames", frames, "must be unset or 1 with policy LATEST");
  }
  if (options.queue_frames >= 1 && options.queue_frames <= kMostQueuedFrames) {
    return absl::OkStatus();
  }
  return InvalidFieldError("queue_frames", frames,
                           "must be in [1, " + std::to_string(kMostQueuedFrames) + "]");
}

absl::Status ValidateWait(const WatchOptions& options) {
  if (options.policy != SlowPolicy::kBlock) return absl::OkStatus();
  if (options.max_wait > Clock::Duration::zero() && options.max_wait <= kLongestWait) {
    return absl::OkStatus();
  }
  const double wait_s = std::chrono::duration<double>(options.max_wait).count();
  return InvalidFieldError("max_wait_s", FormatValue(wait_s), "must be in (0, 60]");
}

}  // namespace

absl::Status ValidateWatch(const WatchOptions& options) {
  absl::Status status = ValidatePace(options.pace);
  if (status.ok()) status = ValidateQueue(options);
  if (status.ok()) status = ValidateWait(options);
  if (status.ok()) status = ValidateSelection(options.bodies);
  if (!status.ok()) return status;
  if (options.key_interval >= 0 && options.key_interval <= kLongestKeyInterval) return status;
  return InvalidFieldError("quantization.key_interval", std::to_string(options.key_interval),
                           "must be in [0, " + std::to_string(kLongestKeyInterval) + "]");
}

const char* NameOf(SlowPolicy policy) {
  switch (policy) {
    case SlowPolicy::kLatest:
      return "LATEST";
    case SlowPolicy::kBuffer:
      return "BUFFER";
    case SlowPolicy::kBlock:
      return "BLOCK";
    case SlowPolicy::kDisconnect:
      return "DISCONNECT";
  }
  return "";
}

}  // namespace talus
