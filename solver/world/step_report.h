// The certificate of one step: what was done, how well it was solved, where the time went.
//
// Residuals, sweeps and colours are those of the contacts that were solved. Contacts of bodies that
// slept in the step keep the impulses of the last step that solved them, and answer to its report.
#pragma once

#include <cstdint>
#include <vector>

#include "solver/solvers/solve_report.h"

namespace talus {

struct Energy {
  double kinetic_translation_j = 0.0;
  double kinetic_rotation_j = 0.0;
  double potential_j = 0.0;  // -sum m g . x
};

// What of a step had been made before it was asked for (world/step_preparation.h).
enum class MadeAhead : uint8_t { kNothing, kBeginning, kResult };

// Wall clock, seconds, with what had been made ahead. Not part of the state and never read for a
// decision.
struct StageTimes {
  double find_pairs_s = 0.0;
  double find_contacts_s = 0.0;
  double advance_velocities_s = 0.0;
  double assemble_problem_s = 0.0;
  double solve_contacts_s = 0.0;
  double apply_impulses_s = 0.0;
  double advance_poses_s = 0.0;

  double Total() const {
    return find_pairs_s + find_contacts_s + advance_velocities_s + assemble_problem_s +
           solve_contacts_s + apply_impulses_s + advance_poses_s;
  }
};

struct StepReport {
  int64_t step_index = 0;  // of the state after the step
  double time_s = 0.0;     // simulated
  uint64_t state_hash = 0;
  int64_t body_count = 0;
  int64_t pair_count = 0;
  int64_t contact_count = 0;  // solved
  int64_t emitted_count = 0;
  int64_t removed_count = 0;
  int64_t sleeping_body_count = 0;     // bodies that sleep after the step
  int64_t sleeping_contact_count = 0;  // contacts that kept their impulses unsolved
  SolveOutcome outcome = SolveOutcome::kNone;
  double residual = 0.0;
  double worst_contact_residual = 0.0;
  int32_t sweep_count = 0;
  int32_t color_count = 0;           // most of a strand
  int32_t strand_count = 0;          // parts that workers share a sweep by
  double worst_penetration_m = 0.0;  // >= 0, at the start of the step
  Energy energy;
  StageTimes stage_times;
  MadeAhead made_ahead = MadeAhead::kNothing;
  std::vector<double> residual_history;
};

}  // namespace talus
