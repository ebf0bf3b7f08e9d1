#include "server/runtime/free_run.h"

#include <algorithm>
#include <chrono>

#include "solver/base/status.h"
#include "solver/scene/field_checks.h"

namespace talus {
namespace {

double SecondsOf(Clock::Duration duration) {
  return std::chrono::duration<double>(duration).count();
}

}  // namespace

absl::Status ValidateRun(const RunCall& call) {
  constexpr double kSlowest = 1e-6;
  constexpr double kFastest = 1e6;
  constexpr int64_t kMostSteps = int64_t{1} << 53;
  if (call.real_time_factor.has_value()) {
    TALUS_RETURN_IF_ERROR(
        CheckPositive(FieldPath("real_time_factor"), *call.real_time_factor, kSlowest, kFastest));
  }
  return CheckRange(FieldPath("step_limit"), call.step_limit, int64_t{0}, kMostSteps);
}

void FreeRun::Start(const RunCall& call, double time_step_s, Clock::TimePoint now) {
  info_ = {};
  info_.running = true;
  info_.call = call;
  time_step_s_ = time_step_s;
  simulated_s_ = 0.0;
  start_ = now;
  next_ = now;
  period_ = FindPeriod();
}

void FreeRun::SetTimeStep(double time_step_s, Clock::TimePoint now) {
  time_step_s_ = time_step_s;
  period_ = FindPeriod();
  next_ = std::min(next_, now + period_);
}

Clock::Duration FreeRun::FindPeriod() const {
  if (!info_.call.real_time_factor.has_value()) return {};
  // A scene that is to step once in a year is as good as paused.
  return Clock::DurationOf(std::min(time_step_s_ / *info_.call.real_time_factor, 3e7));
}

std::optional<Clock::TimePoint> FreeRun::due_at() const {
  if (!info_.running) return std::nullopt;
  return next_;
}

void FreeRun::NoteStep(Clock::TimePoint now) {
  ++info_.steps_done;
  const double wall_s = SecondsOf(now - start_);
  simulated_s_ += time_step_s_;
  info_.measured_factor = wall_s > 0.0 ? simulated_s_ / wall_s : 0.0;
  if (info_.call.real_time_factor.has_value()) {
    next_ += period_;
    if (now > next_ + kMostLag) {
      info_.lag_s += SecondsOf(now - next_);
      next_ = now;
    }
  } else {
    next_ = now;
  }
  if (info_.call.step_limit > 0 && info_.steps_done >= info_.call.step_limit) Stop();
}

}  // namespace talus
