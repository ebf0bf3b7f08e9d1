#include "solver/world/step_pipeline.h"

#include <string>

#include "solver/integrator/free_motion.h"
#include "solver/integrator/pose_update.h"
#include "solver/world/stage_clock.h"
#include "solver/world/step_outcome.h"
#include "solver/world/warm_start.h"

namespace talus {
namespace {

void AdvanceFreeVelocities(StepContext& context) {
  const StageClock clock(context.report.stage_times.advance_velocities_s);
  StepBuffers& buffers = context.buffers;
  const SceneState& state = context.state;
  AdvanceVelocities(context.workers, state.bodies, state.settings.gravity_world_m_s2,
                    state.settings.time_step_s, buffers.linear_velocities,
                    buffers.angular_velocities);
  const bool same_bodies = buffers.inertias_layout_version == state.layout_version;
  ComputeInverseInertiasWorld(context.workers, state.bodies, same_bodies,
                              buffers.inverse_inertias_world);
  buffers.inertias_layout_version = state.layout_version;
}

void FindPairs(StepContext& context) {
  const StageClock clock(context.report.stage_times.find_pairs_s);
  StepBuffers& buffers = context.buffers;
  context.report.pair_count = static_cast<int64_t>(buffers.contact_search.FindPairs(
      context.workers, context.state, {buffers.linear_velocities, buffers.angular_velocities}));
}

void FindContacts(StepContext& context) {
  const StageClock clock(context.report.stage_times.find_contacts_s);
  StepBuffers& buffers = context.buffers;
  ContactSet& set = buffers.contact_set;
  context.report.worst_penetration_m =
      buffers.contact_search.FindContacts(context.workers, context.state, set.contacts, set.keys);
  context.report.contact_count = static_cast<int64_t>(set.contacts.size());
}

// Where the contacts find the impulses of the last step.
WarmStart FindWarmStart(StepContext& context) {
  if (!context.state.settings.solver.warm_start) return {};
  const StageClock clock(context.report.stage_times.assemble_problem_s);
  StepBuffers& buffers = context.buffers;
  const ContactCache& cache = context.state.contact_cache;
  FindKeptImpulses(context.workers, cache, buffers.contact_set.keys, buffers.kept_rows);
  return {buffers.kept_rows, cache.impulses()};
}

void SolveContacts(StepContext& context) {
  StepBuffers& buffers = context.buffers;
  StageTimes& times = context.report.stage_times;
  if (buffers.contact_set.contacts.empty()) {
    buffers.contact_set.solution.Clear();
    context.report.outcome = SolveOutcome::kConverged;
    return;
  }
  const WarmStart warm = FindWarmStart(context);
  const SceneState& state = context.state;
  const DynamicsView bodies{state.bodies.positions(),         state.bodies.inverse_masses(),
                            buffers.inverse_inertias_world,   buffers.linear_velocities,
                            buffers.angular_velocities,       state.bodies.linear_velocities(),
                            state.bodies.angular_velocities()};
  const StepSettings& settings = state.settings;
  double assembly_s = 0.0;
  {
    const StageClock clock(times.solve_contacts_s);
    SolveReport solve = buffers.contact_solver.Solve(
        context.workers, bodies, buffers.contact_set.contacts, warm,
        {settings.time_step_s, settings.recovery_speed_m_s, settings.restitution_threshold_m_s},
        settings.solver, context.residual_history,
        {buffers.linear_velocities, buffers.angular_velocities}, buffers.contact_set.solution,
        &assembly_s);
    context.report.outcome = solve.outcome;
    context.report.residual = solve.residual;
    context.report.worst_contact_residual = solve.worst_contact_residual;
    context.report.sweep_count = solve.sweep_count;
    context.report.color_count = solve.color_count;
    context.report.residual_history = std::move(solve.residual_history);
  }
  times.assemble_problem_s += assembly_s;
  times.solve_contacts_s -= assembly_s;
}

// Keeps what the contacts carried for the next step. The solver has applied it to the velocities
// already.
void KeepImpulses(StepContext& context) {
  const StageClock clock(context.report.stage_times.apply_impulses_s);
  StepBuffers& buffers = context.buffers;
  ContactCache& cache = context.state.contact_cache;
  if (context.state.settings.solver.warm_start) {
    buffers.impulse_keeper.KeepImpulses(context.workers, buffers.contact_set, cache);
  } else {
    cache.Clear();
  }
}

// To the new poses, and no further when they or what they come from are no state.
absl::Status AdvancePoses(StepContext& context, const RollbackPoint& start) {
  const StageClock clock(context.report.stage_times.advance_poses_s);
  StepBuffers& buffers = context.buffers;
  const SceneState& state = context.state;
  talus::AdvancePoses(context.workers, state.settings.time_step_s, state.bodies.positions(),
                      state.bodies.orientations(), buffers.linear_velocities,
                      buffers.angular_velocities, buffers.new_positions, buffers.new_orientations);
  const std::string fault = FindFault(context);
  if (fault.empty()) return absl::OkStatus();
  start.Restore(context);
  context.state.fault = fault;
  return absl::FailedPreconditionError(fault);
}

}  // namespace

absl::Status AdvanceScene(StepContext& context) {
  const RollbackPoint start(context);
  context.report.emitted_count = context.buffers.emission.EmitParticles(context.state);
  AdvanceFreeVelocities(context);
  FindPairs(context);
  FindContacts(context);
  SolveContacts(context);
  if (absl::Status status = AdvancePoses(context, start); !status.ok()) return status;
  KeepImpulses(context);

  const StageClock clock(context.report.stage_times.advance_poses_s);
  CommitStep(context);
  RemoveLeavers(context);
  Account(context);
  return absl::OkStatus();
}

}  // namespace talus
