// What a Gauss–Seidel sweep does at one block: from its impulse and the velocity u = W γ + q that
// all impulses give it, to its next impulse.
//
// Blocks of bounds take the same step with every algorithm: row by row to where the velocity is
// zero, held between the bounds. W: the block's own, in scaled unknowns.
#pragma once

#include <optional>
#include <vector>

#include "solver/matrix/block_law.h"
#include "solver/matrix/scaled_problem.h"
#include "solver/scene/solver_settings.h"

namespace talus::matrix {

Wrench StepWithinBounds(const BlockLaw& law, const Matrix6& w, const Wrench& impulse,
                        const Wrench& velocity);

// Projected, for CCP: γ⁺ = Π(γ − s u), s = ω/λ with λ the largest eigenvalue of W. [TA] eq. (46)
Wrench StepProjected(const BlockLaw& law, const Matrix6& w, double length, const Wrench& impulse,
                     const Wrench& velocity);
// s of each block for it; an eigenvalue costs more than a step.
std::vector<double> ProjectedStepLengths(const ScaledProblem& problem, double relaxation);

// What each part of an impulse moves against a velocity: 1 over W of its row, or over the larger
// eigenvalue of W of its two rows; 0 where nothing moves. Roots and quotients take as long as the
// rest of a step: they are found once a solve.
struct PartSteps {
  double normal = 0.0;
  double sliding = 0.0;
  double spinning = 0.0;
  double rolling = 0.0;
};
PartSteps PartStepsOf(const Matrix6& w);
std::vector<PartSteps> PartStepsOfBlocks(const ScaledProblem& problem);

// What keeps the block from moving at all, W γ + q = 0, where its cone allows that much; nothing
// for blocks of bounds.
std::optional<Wrench> StickingImpulse(const BlockLaw& law, Matrix6 w, const Wrench& free);

// The block's own problem solved to `tolerance`, its neighbours held: the impulse that makes it
// stick, else semismooth Newton steps, and damped plain steps where they do not help. [AB] §5.2
Wrench SolveBlock(ContactLaw contact_law, const BlockLaw& law, const Matrix6& w, double tolerance,
                  const Wrench& impulse, const Wrench& velocity);

}  // namespace talus::matrix
