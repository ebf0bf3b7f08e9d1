#include "solver/world/step_pipeline.h"

#include <string>

#include "solver/base/field_error.h"
#include "solver/base/status.h"
#include "solver/world/stage_clock.h"
#include "solver/world/step_outcome.h"
#include "solver/world/step_preparation.h"
#include "solver/world/step_solution.h"
#include "solver/world/warm_start.h"

namespace talus {
namespace {

// Before anything is made of them: what a contact costs, the solve asks for.
absl::Status CheckContactCount(const StepContext& context) {
  const int64_t most = context.options.most_contacts;
  const auto found = static_cast<int64_t>(context.buffers.contact_set.contacts.size());
  if (found <= most) return absl::OkStatus();
  return FieldError(kContactCountField, FormatValue(found), "must be <= " + FormatValue(most),
                    absl::StatusCode::kResourceExhausted);
}

// Keeps what the contacts carried for the next step. The solver has applied it to the velocities
// already.
void KeepImpulses(StepContext& context) {
  const StageClock clock(context.report.stage_times.apply_impulses_s);
  StepBuffers& buffers = context.buffers;
  ContactCache& cache = context.state.contact_cache;
  buffers.joints.Keep(context.state);
  if (KeepsImpulses(context.state.settings)) {
    buffers.impulse_keeper.KeepImpulses(context.workers, buffers.contact_set,
                                        context.state.bodies.ids(), KeepsNormals(context.state),
                                        cache);
  } else {
    cache.Clear();
  }
}

// The state stays where the result is none.
absl::Status CheckResult(StepContext& context) {
  const StageClock clock(context.report.stage_times.advance_poses_s);
  const std::string fault = FindFault(context);
  if (fault.empty()) return absl::OkStatus();
  context.state.fault = fault;
  return absl::FailedPreconditionError(fault);
}

// To a result that can be made the state's.
absl::Status FindResult(StepContext& context) {
  PrepareStep(context);
  TALUS_RETURN_IF_ERROR(CheckContactCount(context));
  if (context.solved) return absl::OkStatus();
  TALUS_RETURN_IF_ERROR(SolveStep(context));
  return CheckResult(context);
}

}  // namespace

absl::Status AdvanceScene(StepContext& context) {
  const RollbackPoint start(context);
  context.report.emitted_count = context.buffers.emission.EmitParticles(context.state);
  Standstill& standstill = context.buffers.standstill;
  if (standstill.Holds(context.state)) {
    const StageClock clock(context.report.stage_times.advance_poses_s);
    standstill.Repeat(context.state, context.report);
    return absl::OkStatus();
  }
  if (absl::Status status = FindResult(context); !status.ok()) {
    start.Restore(context);
    return status;
  }
  KeepImpulses(context);

  const StageClock clock(context.report.stage_times.advance_poses_s);
  CommitStep(context);
  RemoveLeavers(context);
  Account(context);
  if (context.state.settings.sleep.has_value()) {
    standstill.Note(context.state, context.report, context.buffers.sleepers.all_asleep());
  }
  return absl::OkStatus();
}

}  // namespace talus
