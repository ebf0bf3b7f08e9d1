#include "solver/solvers/newton.h"

#include <algorithm>

#include "solver/contact/chunk_loop.h"
#include "solver/matrix/contact_matrices.h"
#include "solver/matrix/matrix_problem.h"
#include "solver/matrix_solvers/proximal_newton.h"

namespace talus {
namespace {

// Sweeps cost little beside factorisations: they go on as long as they get anywhere.
constexpr int32_t kMostSweeps = 4000;
constexpr int32_t kPatience = 4000;  // of factorisations

size_t CountContacts(const BlockLayout& layout) {
  size_t count = 0;
  for (size_t i = 0; i < layout.block_count(); ++i) count += layout.CountContacts(i);
  return count;
}

}  // namespace

SolveReport Newton::Solve(WorkerArena& workers, const ContactProblem& problem,
                          const SolveLimits& limits, Iterate& iterate) {
  SolveLimits sweep_limits = limits;
  const bool large = CountContacts(problem.layout) > matrix::ProximalNewton::kMostContacts;
  if (!large) sweep_limits.max_sweeps = std::min(limits.max_sweeps / 2 + 1, kMostSweeps);
  SolveReport sweeps = limits.law == ContactLaw::kNcp
                           ? alart_curnier_.Solve(workers, problem, sweep_limits, iterate)
                           : accelerated_psor_.Solve(workers, problem, sweep_limits, iterate);
  if (large || sweeps.residual <= limits.tolerance || sweeps.sweep_count >= limits.max_sweeps) {
    return sweeps;
  }

  std::vector<BodyMotion> free_motion = iterate.motion;
  SetFreeVelocities(workers, problem, free_motion);
  const ScaledProblem scaled = ScaleProblem(FormContactMatrices(problem, free_motion));
  Eigen::VectorXd impulse = Eigen::VectorXd::Zero(scaled.free_rows.size());
  ForEachSlot(workers, problem, [&](uint32_t index, size_t lane, uint32_t contact) {
    impulse.segment<6>(FirstRow(contact)) =
        iterate.impulse[index].Get(lane).cwiseQuotient(scaled.steps.segment<6>(FirstRow(contact)));
  });
  SolveLimits rest = limits;
  rest.max_sweeps -= sweeps.sweep_count;
  SolveReport report = matrix::ProximalNewton(kPatience, 0).Solve(scaled, rest, impulse);
  ForEachSlot(workers, problem, [&](uint32_t index, size_t lane, uint32_t contact) {
    const Eigen::Index at = FirstRow(contact);
    iterate.impulse[index].Set(lane,
                               impulse.segment<6>(at).cwiseProduct(scaled.steps.segment<6>(at)));
  });
  report.sweep_count += sweeps.sweep_count;
  report.residual_history.insert(report.residual_history.begin(), sweeps.residual_history.begin(),
                                 sweeps.residual_history.end());
  return report;
}

}  // namespace talus
