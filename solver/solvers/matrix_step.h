// One step by an algorithm on matrices (matrix_solvers/problem_solver.h): scenes with joints, and
// those that choose a solver of bare problems.
//
// The lanes that sweeps run on know contacts alone, and sweeps pass what a chain carries from link
// to link: mechanisms are few stiff rows and want a factorisation. And what the literature iterates
// on a full W is easier read, and compared, in vectors than in lanes. All of it runs on one thread
// and takes joints. In a scene with joints NEWTON leaves more than 50 000 contacts to plain sweeps
// on the matrices; nobody else may have more.
#pragma once

#include <cstddef>
#include <span>

#include "absl/status/status.h"
#include "solver/constraints/joint_rows.h"
#include "solver/contact/contact_input.h"
#include "solver/contact/contact_problem.h"
#include "solver/parallel/worker_arena.h"
#include "solver/scene/solver_settings.h"
#include "solver/solvers/contact_solver.h"
#include "solver/solvers/iterate.h"
#include "solver/solvers/solve_limits.h"
#include "solver/solvers/solve_report.h"

namespace talus {

// Contacts of one step that an algorithm on matrices takes: W of as many, where each shares a body
// with ten, is 160 MB, held twice, and every sweep goes through it on one thread.
inline constexpr size_t kMostMatrixContacts = 50'000;

// Whether these settings have a step solved as matrices though it has no joints: FIXED_POINT,
// EXTRAGRADIENT, NSGS, BARZILAI_BORWEIN, ADMM, and PSOR where it is not to iterate as its sweeps
// do.
bool TakesMatrices(const SolverSettings& settings);

// RESOURCE_EXHAUSTED where these settings do and a step has more contacts than may be.
absl::Status CheckMatrixCount(const SolverSettings& settings, size_t contact_count);

// RESOURCE_EXHAUSTED where these settings do, or joints ask for it, and W would have more blocks
// than may be: it has k² of them for a dynamic body that k contacts and joints act on.
absl::Status CheckMatrixBlocks(const SolverSettings& settings, const DynamicsView& bodies,
                               std::span<const ContactInput> contacts,
                               std::span<const JointRows> joints);

// Improves the impulses of the contacts and of the joints, to admissible ones. `problem` is made
// from `bodies`, in doubles; the solver of the settings is one of the above or, with joints,
// NEWTON, and the law has no flat sides. The velocities of the iterate stay as they were.
SolveReport SolveMatrixStep(WorkerArena& workers, const ContactProblem& problem,
                            const DynamicsView& bodies, const SolverSettings& settings,
                            const SolveLimits& limits, const JointSolution& joints,
                            Iterate& iterate);

}  // namespace talus
