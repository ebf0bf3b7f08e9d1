// How far impulses and velocities are from satisfying the law: one definition for all solvers.
//
//   res = ‖γ' − Π_Z'(γ' − û')‖ / ‖Π_Z'(−r')‖
//
// in the metric of contact_problem.h and r = Dᵀ v_free + b. û is the velocity the law pairs with γ,
// Z* ∋ û ⟂ γ ∈ Z: CCP [TA] û = u, the convex relaxation, which lifts a moving contact by h A_r; NCP
// [AB, extended by spinning] û_n = u_n + A_r, A_r = μ‖u_T‖ + ρ‖ω_T‖ + σ|ω_n|: exact Coulomb
// friction. No unit; zero exactly when the law holds at every contact. Where nothing presses
// (‖Π_Z'(−r')‖ = 0) the answer is γ = 0 and the residual is taken relative to ‖γ'‖ instead.
#pragma once

#include <span>

#include "solver/contact/contact_problem.h"
#include "solver/parallel/worker_arena.h"
#include "solver/scene/solver_settings.h"

namespace talus {

// Sets what both residuals are relative to; part of the assembly. `motion`: v_free, by row.
void MeasureDriving(WorkerArena& workers, ContactProblem& problem,
                    std::span<const BodyMotion> motion);

// `motion` must be v(γ), by row of the problem, with the inverse masses of the problem.
double ComputeResidual(WorkerArena& workers, const ContactProblem& problem, ContactLaw law,
                       std::span<const WrenchBlock> impulse, std::span<const BodyMotion> motion);

// η of the worst contact: max_c ‖p̃_c − Π(p̃_c − ρ_c û̃_c)‖ / ρ_c over max_c ‖r̃_c‖, torque rows scaled
// by a length ℓ_c = sqrt(W_nn / W_rr) to the units of the others, W_rr the mean of the two rolling
// entries of W's diagonal, and ρ_c = 1 / the largest absolute row sum of the block so scaled. No
// unit.
double ComputeWorstContactResidual(WorkerArena& workers, const ContactProblem& problem,
                                   ContactLaw law, std::span<const WrenchBlock> impulse,
                                   std::span<const BodyMotion> motion);
// The same from the largest of what DescribeContacts returns for the chunks of the problem.
double WorstContactResidual(const ContactProblem& problem, double largest_violation);

}  // namespace talus
