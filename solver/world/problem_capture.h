// Takes the contact problem of a step in progress as matrices, for World::kept_problem.
#pragma once

#include <span>

#include "solver/contact/contact_input.h"
#include "solver/solvers/contact_solution.h"
#include "solver/solvers/contact_solver.h"
#include "solver/world/step_context.h"

namespace talus {

// Keeps the problem where the step's options say so. To be called between the solve of the contacts
// and the end of the step, when the state is still that of its start.
void CaptureProblem(StepContext& context, std::span<const ContactInput> contacts,
                    const JointSolution& joints, const ContactSolution& solution);

}  // namespace talus
