// One sweep over all contacts: each contact is brought closer to its law with the velocities its
// neighbours just left behind (block Gauss–Seidel in colour order), and the change of the whole
// sweep is summed for the momentum.
//
// `ContactStep` is a callable (row, impulse, local velocity) -> new impulse; it is the whole
// difference between the sweep-based algorithms.
#pragma once

#include <vector>

#include "solver/contact/delassus.h"
#include "solver/solvers/color_loop.h"
#include "solver/solvers/iterate.h"
#include "solver/solvers/momentum.h"

namespace talus {

// Sweeps `current` in place. `previous` holds the impulses after the sweep before (γ).
template <typename ContactStep>
SweepChange Sweep(WorkerArena& workers, const ContactProblem& problem, const ContactStep& step,
                  const Iterate& previous, Iterate& current, std::vector<SweepChange>& partial) {
  partial.assign(SweepChunkCount(problem), SweepChange{});
  ForEachColor(workers, problem, [&](size_t begin, size_t end, size_t chunk) {
    SweepChange sum;
    for (size_t i = begin; i < end; ++i) {
      const ContactRow& c = problem.contacts[i];
      const Wrench old = current.impulse[i];
      const Wrench u = LocalVelocity(c, current.velocity[c.body_a], current.velocity[c.body_b]);
      const Wrench next = step(c, old, u);
      const Wrench change = next - old;
      AddImpulse(problem, c, change, current.velocity);
      current.impulse[i] = next;
      const Wrench weighted = c.weight.cwiseProduct(change);
      sum.length_squared += weighted.dot(change);
      sum.against -= weighted.dot(next - previous.impulse[i]);
    }
    partial[chunk] = sum;
  });
  SweepChange total;
  for (const SweepChange& part : partial) {
    total.length_squared += part.length_squared;
    total.against += part.against;
  }
  return total;
}

}  // namespace talus
