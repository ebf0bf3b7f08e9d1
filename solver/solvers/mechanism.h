// What the joints of a step do to the velocities of bodies. They are solved with the contacts
// (matrix_step.h, pivoting.h), which know the velocities of the bodies in touch alone.
#pragma once

#include <span>

#include "solver/contact/contact_input.h"
#include "solver/contact/contact_problem.h"
#include "solver/solvers/contact_solver.h"

namespace talus {

// Adds what the joints do to the velocities of the bodies that contacts know, and to those of
// all others in `velocities`.
void AddJointImpulses(const ContactProblem& problem, const JointSolution& joints,
                      std::span<BodyMotion> motion);
void AddJointImpulses(const ContactProblem& problem, const DynamicsView& bodies,
                      const JointSolution& joints, const SolvedVelocities& velocities);

}  // namespace talus
