// The contact problem of one step as matrices, with what the step made of it: what to keep of a
// step that went wrong, and to solve again elsewhere.
#pragma once

#include <Eigen/Core>
#include <cstdint>

#include "solver/matrix/matrix_problem.h"
#include "solver/scene/solver_settings.h"
#include "solver/solvers/solve_report.h"

namespace talus {

struct StepProblem {
  int64_t step_index = 0;  // after the step
  SolverSettings settings;
  // Blocks stand in the order of World::Contacts and then of World::Joints, those of sleeping
  // bodies left out.
  MatrixProblem problem;
  Eigen::VectorXd impulse;  // γ the step ended with, in the frames of the contacts: N s, N m s
  // γ of the step before in the same frames: what bristles remember. Empty under other laws.
  Eigen::VectorXd old_impulse;
  SolveOutcome outcome = SolveOutcome::kNone;
  double residual = 0.0;
};

}  // namespace talus
