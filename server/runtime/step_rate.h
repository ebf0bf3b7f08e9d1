// How many steps a scene may make a second (steps_per_second), whoever asks for them: at once those
// of a second, then at that rate.
//
// A call may begin while a step is due and then makes all its steps: they are owed, and the next
// one waits until they are paid. Belongs to one actor and is only touched inside its quantum.
#pragma once

#include <cstdint>
#include <optional>

#include "absl/status/status.h"
#include "server/runtime/clock.h"
#include "server/runtime/token_bucket.h"

namespace talus {

class StepRate {
 public:
  // 0: any number.
  explicit StepRate(int64_t steps_per_s);

  // Whether a call may begin: OK, or RESOURCE_EXHAUSTED (LIMIT_REACHED, steps_per_second) with the
  // time after which it may.
  absl::Status Admit(Clock::TimePoint now);
  // From when on a step may be made; `now` where it may.
  Clock::TimePoint FindDue(Clock::TimePoint now);
  void NoteStep();

 private:
  int64_t steps_per_s_;
  std::optional<TokenBucket> bucket_;
};

}  // namespace talus
