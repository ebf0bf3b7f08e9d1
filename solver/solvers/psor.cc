#include "solver/solvers/psor.h"

#include "solver/solvers/local_steps.h"

namespace talus {

Wrench ProjectedStep(const ContactRow& c, const Wrench& g, const Wrench& u) {
  const Wrench scaled = g.cwiseQuotient(c.step) - c.step.cwiseProduct(u) / c.block_bound;
  return ProjectToCone(ScaledCone(c), scaled).cwiseProduct(c.step);
}

SolveReport Psor::Solve(WorkerArena& workers, const ContactProblem& problem,
                        const SolveLimits& limits, Iterate& iterate) {
  SolveLimits as_published = limits;
  as_published.cold_start = false;
  return RunSweeps<NoMomentum>(workers, problem, as_published, ProjectedStep, iterate, scratch_);
}

SolveReport AcceleratedPsor::Solve(WorkerArena& workers, const ContactProblem& problem,
                                   const SolveLimits& limits, Iterate& iterate) {
  const auto step = [](const ContactRow& c, const Wrench& g, const Wrench& u) {
    return TakeLocalSteps(ProjectedStep, c, g, u);
  };
  return RunSweeps<CappedMomentum>(workers, problem, limits, step, iterate, scratch_);
}

}  // namespace talus
