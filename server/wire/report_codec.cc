#include "server/wire/report_codec.h"

namespace talus::wire {

v1::SolveOutcome EncodeOutcome(SolveOutcome outcome) {
  switch (outcome) {
    case SolveOutcome::kNone:
      return v1::SOLVE_OUTCOME_UNSPECIFIED;
    case SolveOutcome::kConverged:
      return v1::SOLVE_OUTCOME_CONVERGED;
    case SolveOutcome::kSweepLimit:
      return v1::SOLVE_OUTCOME_SWEEP_LIMIT;
    case SolveOutcome::kStalled:
      return v1::SOLVE_OUTCOME_STALLED;
    case SolveOutcome::kRay:
      return v1::SOLVE_OUTCOME_RAY;
    case SolveOutcome::kSingular:
      return v1::SOLVE_OUTCOME_SINGULAR;
    case SolveOutcome::kTooLarge:
      return v1::SOLVE_OUTCOME_TOO_LARGE;
  }
  return v1::SOLVE_OUTCOME_UNSPECIFIED;
}

namespace {

void EncodeStageTimes(const StageTimes& times, v1::StageTimes& message) {
  message.set_find_pairs_s(times.find_pairs_s);
  message.set_find_contacts_s(times.find_contacts_s);
  message.set_advance_velocities_s(times.advance_velocities_s);
  message.set_assemble_problem_s(times.assemble_problem_s);
  message.set_solve_contacts_s(times.solve_contacts_s);
  message.set_apply_impulses_s(times.apply_impulses_s);
  message.set_advance_poses_s(times.advance_poses_s);
}

}  // namespace

void EncodeEnergy(const Energy& energy, v1::Energy& message) {
  message.set_kinetic_translation_j(energy.kinetic_translation_j);
  message.set_kinetic_rotation_j(energy.kinetic_rotation_j);
  message.set_potential_j(energy.potential_j);
}

void EncodeReport(const StepReport& report, v1::StepReport& message) {
  message.set_step_index(report.step_index);
  message.set_time_s(report.time_s);
  message.set_state_hash(report.state_hash);
  message.set_body_count(report.body_count);
  message.set_pair_count(report.pair_count);
  message.set_contact_count(report.contact_count);
  message.set_sleeping_body_count(report.sleeping_body_count);
  message.set_sleeping_contact_count(report.sleeping_contact_count);
  message.set_emitted_count(report.emitted_count);
  message.set_removed_count(report.removed_count);
  message.set_outcome(EncodeOutcome(report.outcome));
  message.set_residual(report.residual);
  message.set_worst_contact_residual(report.worst_contact_residual);
  message.set_sweep_count(report.sweep_count);
  message.set_color_count(report.color_count);
  message.set_strand_count(report.strand_count);
  message.set_worst_penetration_m(report.worst_penetration_m);
  EncodeEnergy(report.energy, *message.mutable_energy());
  EncodeStageTimes(report.stage_times, *message.mutable_stage_times());
  message.mutable_residual_history()->Assign(report.residual_history.begin(),
                                             report.residual_history.end());
}

}  // namespace talus::wire
