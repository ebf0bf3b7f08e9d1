#include "solver/world/step_preparation.h"

#include <utility>

#include "solver/integrator/applied_loads.h"
#include "solver/integrator/free_motion.h"
#include "solver/solvers/pivoting.h"
#include "solver/world/stage_clock.h"
#include "solver/world/step_outcome.h"
#include "solver/world/step_solution.h"
#include "solver/world/warm_start.h"

namespace talus {
namespace {

void FindPairs(StepContext& context) {
  const StageClock clock(context.report.stage_times.find_pairs_s);
  StepBuffers& buffers = context.buffers;
  context.report.pair_count = static_cast<int64_t>(buffers.contact_search.FindPairs(
      context.workers, context.state, {buffers.linear_velocities, buffers.angular_velocities}));
}

void FindContacts(StepContext& context, ContactSet& set) {
  const StageClock clock(context.report.stage_times.find_contacts_s);
  set.old_ids.clear();
  context.report.worst_penetration_m = context.buffers.contact_search.FindContacts(
      context.workers, context.state, set.contacts, set.marks);
  context.report.contact_count = static_cast<int64_t>(set.contacts.size());
}

// Where the contacts find the impulses of the last step: in the slots of the set, until they are
// solved.
void FindKeptImpulses(StepContext& context, ContactSet& set) {
  if (!KeepsImpulses(context.state.settings)) return;
  const StageClock clock(context.report.stage_times.assemble_problem_s);
  talus::FindKeptImpulses(context.workers, context.state.contact_cache, set,
                          context.state.bodies.ids(), set.solution.slots);
}

void PrepareInto(StepContext& context, ContactSet& set) {
  FindNextContacts(context, set);
  FindKeptImpulses(context, set);
}

// A solve of which more is wanted than its result has to be made in the step.
bool IsResultEnough(const PreparedStep& prepared, const StepOptions& options) {
  if (options.residual_history) return false;
  if (options.capture == ProblemCapture::kNever) return true;
  return options.capture == ProblemCapture::kUnconverged &&
         prepared.report.outcome == SolveOutcome::kConverged;
}

// False: nothing was made ahead that fits.
bool TakePrepared(StepContext& context) {
  PreparedStep& prepared = context.buffers.prepared;
  if (!prepared.made()) return false;
  if (prepared.solved && !IsResultEnough(prepared, context.options)) {
    prepared.Forget();
    return false;
  }
  prepared.Take();
  context.assembled = prepared.assembled;
  context.solved = prepared.solved;
  ContactSet& set = context.buffers.contact_set;
  set.old_ids.clear();
  set.contacts.swap(prepared.set.contacts);
  set.marks.swap(prepared.set.marks);
  if (prepared.solved) {
    std::swap(set.solution, prepared.set.solution);
  } else {
    set.solution.slots.swap(prepared.set.solution.slots);
  }
  context.report = prepared.report;
  context.report.made_ahead = prepared.solved ? MadeAhead::kResult : MadeAhead::kBeginning;
  return true;
}

// The stages of the step itself work on the set of the step.
void SolveAhead(StepContext& context) {
  StepBuffers& buffers = context.buffers;
  PreparedStep& prepared = buffers.prepared;
  context.assembled = prepared.assembled;
  std::swap(buffers.contact_set, prepared.set);
  const bool is_state = SolveStep(context).ok() && FindFault(context).empty();
  std::swap(buffers.contact_set, prepared.set);
  prepared.assembled = false;
  prepared.solved = is_state;
  // The step will say what is wrong.
  if (!is_state) prepared.Forget();
}

// Not where the problem asks for more than contacts: the compliance of elastic surfaces, or the
// rows of a law with flat sides.
bool IsPlain(const SceneState& state) {
  return !state.materials.elastic() && !HasFlatSides(state.settings.solver.law);
}

}  // namespace

bool KeepsImpulses(const StepSettings& settings) {
  return settings.solver.warm_start || settings.sleep.has_value();
}

bool KeepsNormals(const SceneState& state) {
  return state.materials.remembers() || state.settings.solver.law == ContactLaw::kBristle;
}

void FindFreeVelocities(const StepContext& context, std::vector<Vec3>& linear,
                        std::vector<Vec3>& angular) {
  const SceneState& state = context.state;
  const StepSettings& settings = state.settings;
  AdvanceVelocities(context.workers, state.bodies, settings.gravity_world_m_s2,
                    {settings.time_step_s, settings.theta}, linear, angular);
  ApplyLoads(state.loads, state.bodies, settings.time_step_s, context.buffers.inverse_tensors_world,
             linear, angular);
}

void FindNextContacts(StepContext& context, ContactSet& set) {
  StepBuffers& buffers = context.buffers;
  {
    const StageClock clock(context.report.stage_times.advance_velocities_s);
    TurnInverseInertias(context.workers, context.state.bodies, buffers.inverse_tensors_world);
    FindFreeVelocities(context, buffers.linear_velocities, buffers.angular_velocities);
  }
  FindPairs(context);
  FindContacts(context, set);
}

DynamicsView ViewDynamics(const StepContext& context) {
  const SceneState& state = context.state;
  return {state.bodies.positions(),
          state.bodies.inverse_masses(),
          state.bodies.inertias().inverses(),
          state.bodies.inertias().tensor_rows(),
          context.buffers.inverse_tensors_world,
          context.buffers.linear_velocities,
          context.buffers.angular_velocities,
          state.bodies.linear_velocities(),
          state.bodies.angular_velocities(),
          state.materials.materials(),
          state.materials.pairs()};
}

WarmStart MakeWarmStart(const SceneState& state, std::span<const uint32_t> kept_rows) {
  if (!state.settings.solver.warm_start) return {};
  return {kept_rows, state.contact_cache.impulses(), state.contact_cache.normals()};
}

AssemblySettings MakeAssemblySettings(const StepSettings& settings) {
  return {settings.time_step_s, settings.recovery_speed_m_s, settings.restitution_threshold_m_s};
}

void PrepareStep(StepContext& context) {
  if (!TakePrepared(context)) PrepareInto(context, context.buffers.contact_set);
}

void PrepareStepAhead(StepContext& context) {
  const SceneState& state = context.state;
  PreparedStep& prepared = context.buffers.prepared;
  if (prepared.made()) return;
  if (state.settings.sleep.has_value() || !state.emitters.empty()) return;
  if (!prepared.IsWorthMaking()) return;
  PrepareInto(context, prepared.set);
  prepared.assembled = IsPlain(state) && !prepared.set.contacts.empty();
  if (prepared.assembled) {
    const StageClock clock(context.report.stage_times.assemble_problem_s);
    context.buffers.contact_solver.Assemble(
        context.workers, ViewDynamics(context), prepared.set.contacts,
        MakeWarmStart(state, prepared.set.solution.slots), MakeAssemblySettings(state.settings),
        state.settings.solver, !state.joints.empty(), {});
  }
  prepared.solved = false;
  prepared.NoteMade();
  if (prepared.IsWorthSolving()) SolveAhead(context);
  prepared.report = context.report;
}

}  // namespace talus
