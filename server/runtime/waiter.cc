#include "server/runtime/waiter.h"

#include "server/session/error.h"

namespace talus {

absl::Status WaitEndError(WaitEnd end, int64_t steps_done, int64_t step_index) {
  return end == WaitEnd::kCancelled ? CancelledError(steps_done, step_index)
                                    : DeadlineError(steps_done, step_index);
}

}  // namespace talus
