// A-AC: accelerated Alart–Curnier block sweeps, the workhorse for the NCP law.
//
// Per contact the normal first, then each friction disc clipped with the bound of the current
// normal impulse:
//
//   γ_n⁺ = max(0, γ_n − u_n / W_nn),                       u += W(:, n) Δγ_n
//   γ_T⁺ = clip(γ_T − u_T / λ_max(W_TT), μ γ_n⁺),           u += W(:, T) Δγ_T
//   rolling likewise with ρ γ_n⁺, spinning with σ γ_n⁺.
//
// Its fixed points are exactly the solutions of the law: no De Saxcé shift appears, because each
// disc is projected on its own with the normal impulse held (Alart & Curnier, CMAME 92, 1991).
// The kernel is contact/kernels/steps-inl.h. Momentum under a cap (momentum.h), guarded; several
// steps at contacts where one is far from the local answer (BlockKind::local_steps); a start of its
// own from zero impulses (cold_start.h).
#pragma once

#include "solver/solvers/contact_algorithm.h"
#include "solver/solvers/sweep_driver.h"

namespace talus {

class AlartCurnier {
 public:
  SolveReport Solve(WorkerArena& workers, const ContactProblem& problem, const SolveLimits& limits,
                    Iterate& iterate);

 private:
  SweepScratch scratch_;
};

static_assert(ContactAlgorithm<AlartCurnier>);

}  // namespace talus
