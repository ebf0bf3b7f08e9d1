#include "server/runtime/waiter.h"

#include "server/session/error.h"

namespace talus {

absl::Status WaitEndError(WaitEnd end, int64_t steps_done, int64_t step_index) {
  switch (end) {
    case WaitEnd::kCancelled:
      return CancelledError(steps_done, step_index);
    case WaitEnd::kExpired:
      return DeadlineError(steps_done, step_index);
    case WaitEnd::kLeaseLost:
      break;
  }
  return WithStepsDone(LeaseLostError("it ended while the call waited or ran"), steps_done);
}

}  // namespace talus
