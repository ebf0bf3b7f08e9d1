// What elastic surfaces make of the rows of a contact, u = Dᵀ v + E γ + b.
//
// Normal row, Kelvin and Voigt: F⁺ = −k Φ⁺ − c u_n with Φ⁺ = Φ + h u_n the gap at the end of the
// step, and F⁺ = γ_n/h, so
//
//   E_n = 1/(h(hk + c)),   b_n = k Φ/(hk + c)  where Φ < 0,   b_n = Φ/h  where Φ >= 0:
//
// what is apart may come as far as touching, and beyond that spring and damper resist the way made
// within. There is no recovery speed and no restitution in such a row, and no pull: γ_n >= 0.
//
// Hertz: F(δ) = (4/3) E* √R δ^(3/2) with δ = −Φ, made linear over the step: F⁺ = F(δ) + k (δ⁺ − δ),
//
//   b_n = −F(δ)/(hk + c),   k = (F(δ_free) − F(δ))/(δ_free − δ),
//
// the chord to where free motion would lead, δ_free = max(δ, −Φ − h u_free, 10⁻⁶ R). As h → 0 it is
// the tangent dF/dδ = 2 E* √(Rδ) = (6 E*² R F)^(1/3). At rest F⁺ = F(δ): the indentation is
// Hertz's, δ = (9 F²/(16 E*² R))^(1/3), whatever h is; the tangent alone in the place of k in the
// row above would come to 2/3 of it. The chord also serves a first touch, where the tangent is 0. F
// is that of the indentation and not of the last impulse, in which the damper has a share. Surfaces
// without curvature, R = ∞, have k = ∞: rigid.
//
// Friction rows are bristles with memory: E = 1/(k h²), b = −E γ_old, so that F⁺ = F_old − k h u,
// and the law's cone bounds F⁺: [RB] eq. (11). Of sliding k = k_t, or for Hertz's law Mindlin's
// (4G*/E*) k; of rolling and spinning k_r and k_s. γ_old is what the contact carried in the last
// step (friction_memory.h). A contact that carried nothing remembers nothing.
//
// Viscosity c in series with the bristles, as in Maxwell's model, adds its own rate F⁺/c to that of
// the bristles, E = 1/(k h²) + 1/(c h), and remembers nothing, b = −γ_old/(k h²). Without bristles
// that is Tikhonov's regularization, u_T = −E γ_T with E = 1/(c h): what is held creeps at F/c.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "solver/contact/contact_block.h"
#include "solver/contact/contact_input.h"
#include "solver/parallel/worker_arena.h"

namespace talus {

struct ContactCompliance {
  std::array<double, kPartCount> compliance = {};  // E, 1/kg and 1/(kg m²); 0: rigid
  std::array<double, 6> bias = {};  // b of the rows that are not rigid, m/s and rad/s
};

// By contact. `radii`: R of each, m, infinite where no curvature meets; none where Hertz's law
// holds nowhere. `memory`: the impulses of the last step and the normals they had.
void AssembleCompliance(WorkerArena& workers, const DynamicsView& bodies,
                        std::span<const ContactInput> contacts, std::span<const double> radii,
                        const WarmStart& memory, double time_step_s,
                        std::vector<ContactCompliance>& compliance);

}  // namespace talus
