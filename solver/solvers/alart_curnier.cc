#include "solver/solvers/alart_curnier.h"

#include <algorithm>
#include <cmath>

#include "solver/solvers/local_steps.h"

namespace talus {
namespace {

// Moves the two components from k on by a gradient step and shortens them to `bound`; keeps u up to
// date.
void ClipDisc(const ContactRow& c, int k, double step, double bound, Wrench& g, Wrench& u) {
  const double first = g[k] - step * u[k];
  const double second = g[k + 1] - step * u[k + 1];
  const double square = first * first + second * second;
  const double shrink = square > bound * bound ? bound / std::sqrt(square) : 1.0;
  const double change_first = shrink * first - g[k];
  const double change_second = shrink * second - g[k + 1];
  g[k] = shrink * first;
  g[k + 1] = shrink * second;
  u += c.block.col(k) * change_first + c.block.col(k + 1) * change_second;
}

}  // namespace

Wrench AlartCurnierStep(const ContactRow& c, const Wrench& old, Wrench u) {
  Wrench g = old;
  g[0] = std::max(0.0, old[0] - c.normal_step * u[0]);
  u += c.block.col(0) * (g[0] - old[0]);
  ClipDisc(c, 1, c.sliding_step, c.cone.sliding * g[0], g, u);
  ClipDisc(c, 4, c.rolling_step, c.cone.rolling * g[0], g, u);
  const double spin_bound = c.cone.spinning * g[0];
  g[3] = std::clamp(old[3] - c.spinning_step * u[3], -spin_bound, spin_bound);
  return g;
}

SolveReport AlartCurnier::Solve(WorkerArena& workers, const ContactProblem& problem,
                                const SolveLimits& limits, Iterate& iterate) {
  const auto step = [](const ContactRow& c, const Wrench& g, const Wrench& u) {
    return TakeLocalSteps(AlartCurnierStep, c, g, u);
  };
  return RunSweeps<CappedMomentum>(workers, problem, limits, step, iterate, scratch_);
}

}  // namespace talus
