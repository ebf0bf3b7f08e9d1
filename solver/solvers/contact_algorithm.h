// The concept behind which all contact algorithms stand: improve an iterate of a problem within
// limits, say how it went.
//
// On entry the iterate holds admissible impulses and their velocities; on return the best impulses
// met, by the residual of contact/residual.h. An algorithm owns scratch memory only; the answer
// does not depend on what it solved before.
#pragma once

#include <concepts>

#include "solver/contact/contact_problem.h"
#include "solver/parallel/worker_arena.h"
#include "solver/solvers/iterate.h"
#include "solver/solvers/solve_limits.h"
#include "solver/solvers/solve_report.h"

namespace talus {

template <typename T>
concept ContactAlgorithm = requires(T algorithm, WorkerArena& workers,
                                    const ContactProblem& problem, const SolveLimits& limits,
                                    Iterate& iterate) {
  { algorithm.Solve(workers, problem, limits, iterate) } -> std::same_as<SolveReport>;
};

}  // namespace talus
