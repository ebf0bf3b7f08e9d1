// What is known of a solution of a bare problem, whoever found it: three measures of how far it is
// from the law, each zero exactly where it is solved.
#pragma once

#include <Eigen/Core>

#include "solver/matrix/matrix_problem.h"
#include "solver/matrix/scaled_problem.h"
#include "solver/scene/solver_settings.h"

namespace talus {

struct Certificate {
  // The residual of NOTATION §5, which all our solvers stop by. No unit.
  double residual = 0.0;
  // η of the worst block, NOTATION §5: in a block of bounds every row has the step 1 / (largest
  // absolute row sum). No unit.
  double worst_contact_residual = 0.0;
  // Siconos' own: ‖γ − Π_Z(γ − û)‖ / max(‖q‖, ‖γ‖) of SI numbers as they are, impulses and
  // velocities mixed, so that it depends on the units.
  double siconos_error = 0.0;
};

// `impulse` in SI.
Certificate Certify(const MatrixProblem& problem, ContactLaw law, const Eigen::VectorXd& impulse);
// The same for who has the scaled problem and the velocities of the impulses already.
Certificate Certify(const MatrixProblem& problem, const ScaledProblem& scaled, ContactLaw law,
                    const Eigen::VectorXd& impulse, const Eigen::VectorXd& velocity);

// The same of a problem of one block, with w = W + E and velocities u = w γ + q.
Certificate CertifyBlock(const BlockLaw& law, const Matrix6& w, const Wrench& free_row,
                         ContactLaw contact_law, const Wrench& impulse);

// The largest of the three.
double WorstOf(const Certificate& certificate);

}  // namespace talus
