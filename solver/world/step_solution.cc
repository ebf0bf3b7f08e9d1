#include "solver/world/step_solution.h"

#include <functional>
#include <span>
#include <utility>

#include "solver/base/status.h"
#include "solver/integrator/pose_update.h"
#include "solver/solvers/matrix_step.h"
#include "solver/solvers/pivoting.h"
#include "solver/world/problem_capture.h"
#include "solver/world/stage_clock.h"
#include "solver/world/step_preparation.h"

namespace talus {
namespace {

bool MaySleep(const StepContext& context) { return context.state.settings.sleep.has_value(); }

// The rows of the joints, at the poses they start from.
void AssembleJoints(StepContext& context) {
  const StageClock clock(context.report.stage_times.assemble_problem_s);
  context.buffers.joints.Assemble(context.state);
}

// Wakes what the contacts wake, before any of them is solved.
void FindSleepers(StepContext& context) {
  if (!MaySleep(context)) return;
  const StageClock clock(context.report.stage_times.find_contacts_s);
  StepBuffers& buffers = context.buffers;
  buffers.sleepers.FindSleepers(context.state, buffers.contact_set.contacts,
                                buffers.joints.links());
  buffers.sleepers.StopFreeMotion(buffers.linear_velocities, buffers.angular_velocities);
}

// `kept_rows`: where the contacts find the impulses of the last step. `places`: where they stand in
// the set, or none where they are all of it.
absl::Status SolveContacts(StepContext& context, std::span<const ContactInput> contacts,
                           std::span<const uint32_t> places, std::span<const uint32_t> kept_rows,
                           ContactSolution& solution) {
  StepBuffers& buffers = context.buffers;
  StageTimes& times = context.report.stage_times;
  const bool sleeping = MaySleep(context) && buffers.sleepers.count() > 0;
  const JointSolution joints =
      buffers.joints.Start(context.state, sleeping ? &buffers.sleepers : nullptr);
  buffers.compliance.Clear();
  if (contacts.empty() && joints.rows.empty()) {
    solution.Clear();
    context.report.outcome = SolveOutcome::kConverged;
    CaptureProblem(context, contacts, joints, solution);
    return absl::OkStatus();
  }
  const SceneState& state = context.state;
  const WarmStart warm = MakeWarmStart(state, kept_rows);
  const DynamicsView bodies = ViewDynamics(context);
  if (const SolverSettings& solver = state.settings.solver; HasFlatSides(solver.law)) {
    TALUS_RETURN_IF_ERROR(CheckPivotedCount(solver, contacts.size(), joints.rows.size()));
    TALUS_RETURN_IF_ERROR(CheckLemkeRows(solver, bodies, contacts, joints.rows));
  }
  TALUS_RETURN_IF_ERROR(CheckMatrixCount(state.settings.solver, contacts.size()));
  TALUS_RETURN_IF_ERROR(CheckMatrixBlocks(state.settings.solver, bodies, contacts, joints.rows));
  const StepSettings& settings = state.settings;
  // Once stopped it stays so, whatever the caller would say next.
  bool stopped = false;
  const auto stop = [&] { return stopped = stopped || context.options.stop(); };
  double assembly_s = 0.0;
  {
    const StageClock clock(times.assemble_problem_s);
    buffers.compliance.Assemble(context.workers, state, bodies, buffers.contact_set, places,
                                contacts, warm);
  }
  {
    const StageClock clock(times.solve_contacts_s);
    SolveReport solve = buffers.contact_solver.Solve(
        context.workers, bodies, contacts, warm, MakeAssemblySettings(settings), settings.solver,
        {.residual_history = context.options.residual_history,
         .stop = context.options.stop ? std::function<bool()>(stop) : nullptr},
        {buffers.linear_velocities, buffers.angular_velocities}, solution, &assembly_s, joints,
        buffers.compliance.contacts(), context.assembled);
    context.report.outcome = solve.outcome;
    context.report.residual = solve.residual;
    context.report.worst_contact_residual = solve.worst_contact_residual;
    context.report.sweep_count = solve.sweep_count;
    context.report.color_count = solve.color_count;
    context.report.strand_count = solve.strand_count;
    context.report.residual_history = std::move(solve.residual_history);
  }
  if (stopped) return absl::CancelledError("the step was stopped");
  times.assemble_problem_s += assembly_s;
  times.solve_contacts_s -= assembly_s;
  CaptureProblem(context, contacts, joints, solution);
  return absl::OkStatus();
}

absl::Status SolveAwakeContacts(StepContext& context) {
  StepBuffers& buffers = context.buffers;
  ContactSet& set = buffers.contact_set;
  if (!MaySleep(context) || buffers.sleepers.count() == 0) {
    return SolveContacts(context, set.contacts, {}, set.solution.slots, set.solution);
  }
  AwakeContacts& awake = buffers.awake_contacts;
  awake.Take(set, {set.solution.slots, context.state.contact_cache.impulses()}, buffers.sleepers);
  context.report.contact_count = static_cast<int64_t>(awake.contacts().size());
  context.report.sleeping_contact_count =
      static_cast<int64_t>(set.contacts.size() - awake.contacts().size());
  TALUS_RETURN_IF_ERROR(SolveContacts(context, awake.contacts(), awake.places(), awake.kept_rows(),
                                      awake.solution()));
  awake.PutBack(set);
  return absl::OkStatus();
}

void AdvancePoses(StepContext& context) {
  const StageClock clock(context.report.stage_times.advance_poses_s);
  StepBuffers& buffers = context.buffers;
  const SceneState& state = context.state;
  if (MaySleep(context)) {
    buffers.sleepers.FallAsleep(context.workers, state, buffers.linear_velocities,
                                buffers.angular_velocities);
  }
  talus::AdvancePoses(context.workers, state.settings.time_step_s, state.bodies.positions(),
                      state.bodies.orientations(), buffers.linear_velocities,
                      buffers.angular_velocities, buffers.new_positions, buffers.new_orientations);
  if (MaySleep(context)) {
    buffers.sleepers.KeepPoses(state.bodies, buffers.new_positions, buffers.new_orientations);
  }
}

}  // namespace

absl::Status SolveStep(StepContext& context) {
  AssembleJoints(context);
  FindSleepers(context);
  TALUS_RETURN_IF_ERROR(SolveAwakeContacts(context));
  AdvancePoses(context);
  return absl::OkStatus();
}

}  // namespace talus
