// The contact problem of a step, which stands in blocks of lanes (contact/contact_problem.h), as
// matrices: for the algorithms that factorise, and for files.
//
// Blocks stand in the order of the contacts, bodies in that of the rows of the problem. The problem
// must hold its blocks in doubles.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "solver/contact/contact_problem.h"
#include "solver/matrix/block_assembly.h"
#include "solver/matrix/matrix_problem.h"

namespace talus {

// By contact.
std::vector<ActingBlock> FormContactBlocks(const ContactProblem& problem);
// By row of the problem. `motion`: v_free and the mobilities.
std::vector<ActedBody> FormContactBodies(const ContactProblem& problem,
                                         std::span<const BodyMotion> motion);

// DelassusCount of it.
uint64_t CountDelassusBlocks(const ContactProblem& problem, std::span<const BodyMotion> motion);

MatrixProblem FormContactMatrices(const ContactProblem& problem,
                                  std::span<const BodyMotion> motion);

}  // namespace talus
