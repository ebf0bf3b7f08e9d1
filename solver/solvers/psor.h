// PSOR and A-PSOR: block sweeps with the joint cone projection, for the CCP law.
//
//   t = Π'( γ' − (ω / λ) u' )   per contact, λ an upper bound of the largest eigenvalue of its
//   scaled block, ω = 1
//
// [TA] eq. (46), in the four-step metric of contact_problem.h (with one scalar step in SI units
// sliding and rolling rows, which differ in unit, cannot both be served). PSOR sweeps plainly, one
// step a contact; A-PSOR adds capped momentum (momentum.h), several steps at contacts where one is
// far from the local answer (BlockKind::local_steps) and a start of its own from zero impulses
// (cold_start.h): the workhorse for CCP. The velocities extrapolate
// with the impulses, so the momentum costs no product with N.
#pragma once

#include "solver/solvers/contact_algorithm.h"
#include "solver/solvers/sweep_driver.h"

namespace talus {

class Psor {
 public:
  SolveReport Solve(WorkerArena& workers, const ContactProblem& problem, const SolveLimits& limits,
                    Iterate& iterate);

 private:
  SweepScratch scratch_;
};

class AcceleratedPsor {
 public:
  SolveReport Solve(WorkerArena& workers, const ContactProblem& problem, const SolveLimits& limits,
                    Iterate& iterate);

 private:
  SweepScratch scratch_;
};

static_assert(ContactAlgorithm<Psor> && ContactAlgorithm<AcceleratedPsor>);

}  // namespace talus
