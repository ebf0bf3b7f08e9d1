// The contact problem of a step, which stands in blocks of lanes (contact/contact_problem.h), as
// matrices: for the algorithms that factorise, and for files.
//
// Blocks stand in the order of the contacts. Velocities beneath W: six for each dynamic row of the
// problem, (ẋ, ω) in world axes; what prescribed rows do is in w.
#pragma once

#include <span>

#include "solver/contact/contact_problem.h"
#include "solver/matrix/matrix_problem.h"

namespace talus {

// The problem must hold its blocks in doubles. `motion`: v_free and the mobilities, by row.
MatrixProblem FormContactMatrices(const ContactProblem& problem,
                                  std::span<const BodyMotion> motion);

}  // namespace talus
