// Regularized bristle friction [RB]: friction as springs between the surfaces, cut where they would
// carry more than Coulomb's law allows.
//
//   u_T + E_t γ_T + b_T = 0 within the bounds,   E_t = 1/(k_t h²),   b_T = −γ_T,old/(k_t h²)
//
// [RB] eq. (11): γ_T = γ_T,old − k_t h² u_T is the impulse of a spring of stiffness k_t (N/m) after
// a step of h seconds. Without γ_old it would be Tikhonov's regularization, which creeps. The rows
// stand in a frame of two axes in the tangent plane:
//
//   a contact that slips, ‖û_T‖ > v_th with û = W γ_old + q the velocity that the last impulse
//   would leave:  the first axis along û_T, |γ_1| ≤ μ γ_n, γ_2 = 0: friction is against the slip;
//   else:  the first axis along γ_T,old, |γ_1| ≤ μ γ_n, |γ_2| ≤ μ γ_n.
//
// [RB] knows sliding alone. Rolling and spinning are the same bristles on an arm of ρ and σ: k_r =
// k_t ρ², k_s = k_t σ² (N m), bounds ρ γ_n and σ γ_n, rolling where ρ ‖ω̂_T‖ > v_th. An arm below
// 10⁻⁶⁰ m carries nothing, as in the limit: 1/(k_t ρ² h²) would leave the range of numbers.
#pragma once

#include "absl/status/statusor.h"
#include "solver/lcp/contact_rows.h"

namespace talus::lcp {

struct BristleSettings {
  double stiffness = 1e10;       // k_t, N/m
  double slip_threshold = 0.01;  // v_th, m/s
  double time_step_s = 1e-3;     // h
};

// `old_impulse`: γ of the last step in the frames of this one, 6 a block, turned as the contacts
// are (contact/friction_memory.h). INVALID_ARGUMENT: a setting that is not finite and > 0, impulses
// of another size or not finite.
absl::StatusOr<ContactMlcp> AssembleBristleLaw(const MatrixProblem& problem,
                                               const BristleSettings& settings,
                                               const Eigen::VectorXd& old_impulse);

}  // namespace talus::lcp
