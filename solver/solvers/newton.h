// Proximal steps by semismooth Newton (matrix_solvers/proximal_newton.h) on the contacts of a step:
// for tolerances that sweeps do not reach, with either law.
//
// The sweeps of the law lead to where Newton's method works; then the problem is taken as matrices,
// which asks for memory in every step and factorises on one thread. Where Newton's method gets
// nowhere sweeps go on from there, and so on in turns. Problems of more than 50 000 contacts are
// left to the sweeps.
#pragma once

#include "solver/solvers/alart_curnier.h"
#include "solver/solvers/contact_algorithm.h"
#include "solver/solvers/psor.h"

namespace talus {

class Newton {
 public:
  SolveReport Solve(WorkerArena& workers, const ContactProblem& problem, const SolveLimits& limits,
                    Iterate& iterate);

 private:
  SolveReport Sweep(WorkerArena& workers, const ContactProblem& problem, const SolveLimits& limits,
                    Iterate& iterate);

  AlartCurnier alart_curnier_;
  AcceleratedPsor accelerated_psor_;
  std::vector<WrenchBlock> best_;
};

static_assert(ContactAlgorithm<Newton>);

}  // namespace talus
