// What is known of a solution of a bare problem, whoever found it: three measures of how far it is
// from the law, each zero exactly where it is solved.
#pragma once

#include <Eigen/Core>

#include "solver/matrix/matrix_problem.h"
#include "solver/scene/solver_settings.h"

namespace talus {

struct Certificate {
  // The residual of NOTATION §5, which all our solvers stop by, and of rows that no impulse moves
  // as well (immobile_rows.h). No unit.
  double residual = 0.0;
  // η of the worst block, NOTATION §5: in a block of bounds every row has the step 1 / (largest
  // absolute row sum), where W is zero 1. No unit.
  double worst_contact_residual = 0.0;
  // Siconos' own: ‖γ − Π_Z(γ − û)‖ / max(‖q‖, ‖γ‖) of SI numbers as they are, impulses and
  // velocities mixed, so that it depends on the units.
  double siconos_error = 0.0;
};

// `impulse` in SI.
Certificate Certify(const MatrixProblem& problem, ContactLaw law, const Eigen::VectorXd& impulse);
// The same for who has the velocities of the impulses already: u = (W + E) γ + q.
Certificate Certify(const MatrixProblem& problem, ContactLaw law, const Eigen::VectorXd& impulse,
                    const Eigen::VectorXd& velocity);

// What certificates are made of: the terms of each block, added up in the order of the blocks.
struct CertificateSums {
  double scaled_violation = 0.0;  // squares, in the units of ScaledProblem:
  double scaled_free = 0.0;       // ‖Π(−q')‖²
  double scaled_impulse = 0.0;
  double worst_violation = 0.0;  // of η: the largest of the blocks, m/s
  double worst_driving = 0.0;
  double violation = 0.0;  // squares of SI numbers as they are
  double free = 0.0;
  double impulse = 0.0;

  void Add(const CertificateSums& other);
  Certificate ToCertificate() const;
};

// Of one block, with w = W + E of its own and its part of q, γ and u = (W + E) γ + q.
CertificateSums MeasureBlock(const BlockLaw& law, const Matrix6& w, const Wrench& free_row,
                             ContactLaw contact_law, const Wrench& impulse, const Wrench& velocity);

// The largest of the three; NaN where one is.
double WorstOf(const Certificate& certificate);

}  // namespace talus
