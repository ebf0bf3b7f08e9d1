#include "solver/solvers/psor.h"

namespace talus {

SolveReport Psor::Solve(WorkerArena& workers, const ContactProblem& problem,
                        const SolveLimits& limits, Iterate& iterate) {
  SolveLimits as_published = limits;
  as_published.cold_start = false;
  return RunSweeps(workers, problem, as_published, {SweepProjected, nullptr, false}, iterate,
                   scratch_);
}

SolveReport AcceleratedPsor::Solve(WorkerArena& workers, const ContactProblem& problem,
                                   const SolveLimits& limits, Iterate& iterate) {
  return RunSweeps(workers, problem, limits, {SweepProjected, single::SweepProjected, true},
                   iterate, scratch_);
}

}  // namespace talus
