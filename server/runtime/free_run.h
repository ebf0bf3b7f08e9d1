// A scene that steps on its own: as fast as it can, or in time with the wall clock.
//
// Says when the next step is due and keeps the account; it makes no step itself. Who falls behind
// the wall clock by more than kMostLag does not catch up: the lag is counted and forgotten. Belongs
// to one actor and is only touched inside its quantum.
#pragma once

#include <cstdint>
#include <optional>

#include "absl/status/status.h"
#include "server/runtime/clock.h"
#include "solver/world/step_options.h"

namespace talus {

struct RunCall {
  // Simulated seconds a second of wall clock, in [1e-6, 1e6]; unset: as fast as it can.
  std::optional<double> real_time_factor;
  int64_t step_limit = 0;  // pauses after so many steps; 0: never
  ProblemCapture capture = ProblemCapture::kNever;

  bool operator==(const RunCall&) const = default;
};

// INVALID_ARGUMENT: a number out of range.
absl::Status ValidateRun(const RunCall& call);

// How a scene runs, as GetScene tells it.
struct RunInfo {
  bool running = false;
  RunCall call;                  // of the run, the last one where it is over
  int64_t steps_done = 0;        // by that run
  double lag_s = 0.0;            // wall clock that was given up, over that run
  double measured_factor = 0.0;  // simulated seconds a second since that run began
};

class FreeRun {
 public:
  static constexpr Clock::Duration kMostLag = std::chrono::milliseconds(100);

  // From now on; a run under way goes on as told by the new call, with its account from zero.
  void Start(const RunCall& call, double time_step_s, Clock::TimePoint now);
  void Stop() { info_.running = false; }
  // The state was replaced, and steps are as long as this from now on.
  void SetTimeStep(double time_step_s, Clock::TimePoint now);
  bool running() const { return info_.running; }

  // When the next step is due; nothing where none is.
  std::optional<Clock::TimePoint> due_at() const;
  // A step was made at its time or later, and `now` it is done.
  void NoteStep(Clock::TimePoint now);

  const RunInfo& info() const { return info_; }

 private:
  Clock::Duration FindPeriod() const;

  RunInfo info_;
  double time_step_s_ = 0.0;
  double simulated_s_ = 0.0;  // by this run
  Clock::Duration period_{};
  Clock::TimePoint start_;
  Clock::TimePoint next_;
};

}  // namespace talus
