// Rows that no impulse moves: those of a ScaledProblem whose step is 0. As W is positive
// semidefinite their velocities are those of q, whatever the impulses, and their impulses move
// nothing. So solvers leave them out, and what the law asks of them follows from the answer:
//
//   bounds    γ at its lower bound where q > 0, at its upper where q < 0
//   contacts  the parts that slide, roll or spin on against all friction that the normal impulse
//             allows, γ_T = −μ γ_n u_T / ‖u_T‖; under CCP u_n is lifted by h A_r of them
//
// A bilateral row that must not move and does has no solution: its impulse is 0 and its velocity
// counts as what the law is violated by (certificate.h).
#pragma once

#include <Eigen/Core>

#include "solver/matrix/scaled_problem.h"

namespace talus {

// Of a block, `steps` as ScaleBlock has them.
inline bool HasImmobileRows(const Wrench& steps) { return !(steps.minCoeff() > 0.0); }

// What those rows are measured by: of a contact by the step of its normal row, of bounds by the
// largest of the block, by 1 where there is none.
Wrench MeasuringSteps(const BlockLaw& law, const Wrench& steps);

// q of a block as solvers are to see it, in SI: without those rows, and the normal one lower by
// what they lift it.
Wrench MobileFreeRow(ContactLaw contact_law, const BlockLaw& law, const Wrench& steps,
                     const Wrench& free_row);

// γ of a block, in SI, with what the law asks of those rows.
Wrench CompleteImpulse(const BlockLaw& law, const Wrench& steps, const Wrench& free_row,
                       Wrench impulse);

// The same of a problem and the scaled one of it.
void LeaveOutImmobileRows(const MatrixProblem& problem, ContactLaw contact_law,
                          ScaledProblem& scaled);
Eigen::VectorXd CompleteImpulses(const MatrixProblem& problem, const ScaledProblem& scaled,
                                 Eigen::VectorXd impulse);

}  // namespace talus
