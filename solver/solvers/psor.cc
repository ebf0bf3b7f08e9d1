#include "solver/solvers/psor.h"

namespace talus {

Wrench ProjectedStep(const ContactRow& c, const Wrench& g, const Wrench& u) {
  const Wrench scaled = g.cwiseQuotient(c.step) - c.step.cwiseProduct(u) / c.block_bound;
  return ProjectToCone(ScaledCone(c), scaled).cwiseProduct(c.step);
}

SolveReport Psor::Solve(WorkerArena& workers, const ContactProblem& problem,
                        const SolveLimits& limits, Iterate& iterate) {
  return RunSweeps<NoMomentum>(workers, problem, limits, ProjectedStep, iterate, scratch_);
}

SolveReport AcceleratedPsor::Solve(WorkerArena& workers, const ContactProblem& problem,
                                   const SolveLimits& limits, Iterate& iterate) {
  return RunSweeps<CappedMomentum>(workers, problem, limits, ProjectedStep, iterate, scratch_);
}

}  // namespace talus
