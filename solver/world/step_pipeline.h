// The whole physics of one step, as named stages in the order they run (docs/ARCHITECTURE.md has
// the table).
//
// Either the step succeeds, and the state is the next one; or the new state is not finite or out of
// bounds, or there are more contacts than the law or the caller takes, and the state is the one
// before, to the bit. Results do not depend on the number of workers.
#pragma once

#include "absl/status/status.h"
#include "solver/world/step_context.h"

namespace talus {

// Advances `context.state` by one time step and fills `context.report` and
// `context.buffers.contact_set`. FAILED_PRECONDITION says which body left the numbers; only
// state.fault has changed then. RESOURCE_EXHAUSTED counts the contacts; nothing has changed.
absl::Status AdvanceScene(StepContext& context);

}  // namespace talus
