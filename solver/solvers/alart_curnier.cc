#include "solver/solvers/alart_curnier.h"

namespace talus {

SolveReport AlartCurnier::Solve(WorkerArena& workers, const ContactProblem& problem,
                                const SolveLimits& limits, Iterate& iterate) {
  return RunSweeps(workers, problem, limits, {SweepAlartCurnier, single::SweepAlartCurnier, true},
                   iterate, scratch_);
}

}  // namespace talus
