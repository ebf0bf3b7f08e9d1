// APGD: accelerated projected gradient descent for the CCP law, the order-independent baseline
// (Mazhar, Heyn, Negrut & Tasora, ACM Trans. Graph. 34(3), 2015), in the four-step metric.
//
//   γ'⁺ = Π'( y' − (N' y' + r') / L ),   L backtracked until  dᵀ N' d ≤ L ‖d‖²,  d = γ'⁺ − y'
//
// with Nesterov momentum and gradient restart. One step is counted as one sweep: it touches every
// contact once for the gradient and once for the velocities, and once more for every backtrack.
#pragma once

#include <vector>

#include "solver/solvers/contact_algorithm.h"

namespace talus {

class Apgd {
 public:
  SolveReport Solve(WorkerArena& workers, const ContactProblem& problem, const SolveLimits& limits,
                    Iterate& iterate);

 private:
  Iterate previous_;
  Iterate best_;
  Iterate start_;                      // y
  std::vector<WrenchBlock> velocity_;  // N y + r, SI
  std::vector<WrenchBlock> next_velocity_;
  std::vector<PartBlock> weights_;
};

static_assert(ContactAlgorithm<Apgd>);

}  // namespace talus
