// A problem of one block, solved at once: no memory is asked for, which would take longer than the
// arithmetic.
#pragma once

#include "solver/matrix/certificate.h"
#include "solver/matrix/matrix_problem.h"
#include "solver/scene/solver_settings.h"

namespace talus::matrix {

struct SolvedBlock {
  Wrench impulse;   // SI
  Wrench velocity;  // u = (W + E) γ + q
  Certificate certificate;
};

// From zero impulses, as near to round-off as SolveBlock comes. `problem` is valid and has one
// block.
SolvedBlock SolveSingleBlock(const MatrixProblem& problem, ContactLaw law);

}  // namespace talus::matrix
