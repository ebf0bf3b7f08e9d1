// A law's map of one block, of which an impulse that solves the block is a fixed point, γ = P(γ −
// u), and its derivative where it has one: what Newton's method on a whole problem goes by.
#pragma once

#include <Eigen/Core>

#include "solver/matrix/block_law.h"
#include "solver/matrix/scaled_problem.h"
#include "solver/scene/solver_settings.h"

namespace talus::matrix {

// P(x): Alart and Curnier's clipping under NCP, the projection under CCP; bounds are held under
// both.
Wrench MapBlock(const BlockLaw& law, ContactLaw contact_law, const Wrench& x);
// Of all blocks: what comes out is admissible.
Eigen::VectorXd MapBlocks(const ScaledProblem& problem, ContactLaw contact_law, Eigen::VectorXd x);

// Of one of the sides where P has a corner.
Matrix6 MapDerivative(const BlockLaw& law, ContactLaw contact_law, const Wrench& x);

}  // namespace talus::matrix
