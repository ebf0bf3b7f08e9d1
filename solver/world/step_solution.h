// What a step does with the contacts that were found for it: joints, sleepers, the solve, and where
// the bodies come to.
#pragma once

#include "absl/status/status.h"
#include "solver/world/step_context.h"

namespace talus {

// From what PrepareStep has filled. Fills context.buffers: the impulses of contacts and joints, the
// velocities with contact in the place of those without, the new poses; and of context.report what
// the solve came to. The state stays as it is. RESOURCE_EXHAUSTED: more contacts than the law takes
// (solvers/pivoting.h), or the solver (solvers/matrix_step.h).
absl::Status SolveStep(StepContext& context);

}  // namespace talus
