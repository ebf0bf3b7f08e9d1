// The solver of scenes with joints: contacts and joints as one problem of matrices, solved by
// proximal Newton steps (matrix_solvers/proximal_newton.h).
//
// The lanes that sweeps run on know contacts alone, and sweeps pass what a chain carries from link
// to link: mechanisms are few stiff rows and want a factorisation. It runs on one thread; more than
// 50 000 contacts are left to plain sweeps on the matrices.
#pragma once

#include <span>

#include "solver/constraints/joint_rows.h"
#include "solver/contact/contact_input.h"
#include "solver/contact/contact_problem.h"
#include "solver/matrix/matrix_problem.h"
#include "solver/parallel/worker_arena.h"
#include "solver/solvers/contact_solver.h"
#include "solver/solvers/iterate.h"
#include "solver/solvers/solve_limits.h"
#include "solver/solvers/solve_report.h"

namespace talus {

// The problem of contacts and joints, in this order. `bodies` is what the contact problem was made
// from, `free_motion` their velocities without impulses.
MatrixProblem FormMechanismMatrices(const ContactProblem& problem, const DynamicsView& bodies,
                                    std::span<const JointRows> joints,
                                    std::span<const BodyMotion> free_motion);

// Improves the impulses of the contacts and of the joints. `bodies` is what the problem was made
// from; the velocities of the iterate stay as they were.
SolveReport SolveMechanism(WorkerArena& workers, const ContactProblem& problem,
                           const DynamicsView& bodies, const SolveLimits& limits,
                           const JointSolution& joints, Iterate& iterate);

// Adds what the joints do to the velocities of the bodies that contacts know, and to those of
// all others in `velocities`.
void AddJointImpulses(const ContactProblem& problem, const JointSolution& joints,
                      std::span<BodyMotion> motion);
void AddJointImpulses(const ContactProblem& problem, const DynamicsView& bodies,
                      const JointSolution& joints, const SolvedVelocities& velocities);

}  // namespace talus
