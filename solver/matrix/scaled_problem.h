// A contact problem in unknowns of one unit, which is what algorithms iterate on.
//
//   γ = S γ',   u' = S u = W' γ' + q',   W' = S (W + E) S,   q' = S q
//
// S is the metric of NOTATION §4: four steps a contact, s_n = W_nn^(−½), s_t = ((W_uu +
// W_ww)/2)^(−½) and likewise s_s and s_r, of W + E; in a block of bounds one step a row.
// Coefficients become μ' = μ s_n/s_t, σ' = σ s_n/s_s, ρ' = ρ s_n/s_r, bounds are divided by their
// steps. With them both laws have the form they had, the diagonal is about one, and the residual of
// NOTATION §5 is Euclidean. Rows without any mobility (a problem without spinning has six rows too)
// have step and impulse 0: they are no part of the scaled problem (immobile_rows.h).
#pragma once

#include <Eigen/Core>
#include <optional>
#include <vector>

#include "solver/matrix/body_form.h"
#include "solver/matrix/matrix_problem.h"
#include "solver/matrix/scaled_delassus.h"

namespace talus {

// The velocities beneath W', in SI: W' = H'ᵀ M⁻¹ H' + E'.
struct ScaledVelocities {
  SparseMatrix mass;        // M
  SparseMatrix directions;  // H' = H S
  SparseMatrix directions_transposed;
};

struct ScaledProblem {
  std::vector<BlockLaw> laws;
  ScaledDelassus delassus;     // W'
  Eigen::VectorXd compliance;  // the diagonal of E' = S E S, a part of W'
  Eigen::VectorXd free_rows;   // q'
  Eigen::VectorXd steps;       // the diagonal of S
  double free_scale = 0.0;     // ‖Π(−q')‖: what the residual is relative to
  std::optional<ScaledVelocities> velocities;
  std::optional<BodyForm> bodies;  // where W' γ is quicker by way of them

  size_t block_count() const { return laws.size(); }
};

// W' γ
Eigen::VectorXd MultiplyDelassus(const ScaledProblem& problem, const Eigen::VectorXd& impulse);

ScaledProblem ScaleProblem(const MatrixProblem& problem);

// S and the law of one block, from W + E of its own.
struct ScaledBlock {
  Wrench steps;
  BlockLaw law;
};
ScaledBlock ScaleBlock(const BlockLaw& law, const Matrix6& diagonal);
// The law of γ' = γ / steps.
BlockLaw ScaleLaw(BlockLaw law, const Wrench& steps);

// The nearest admissible impulse by the law's own projection: of one block, of all blocks.
Wrench ProjectBlock(const BlockLaw& law, const Wrench& impulse);
Eigen::VectorXd ProjectBlocks(const ScaledProblem& problem, Eigen::VectorXd impulse);
// The velocity that the law pairs with an impulse, û of NOTATION §5; for bounds it is u itself.
Wrench PairedVelocity(ContactLaw contact_law, const BlockLaw& law, const Wrench& velocity);

// The residual of NOTATION §5 over the rows that have a step; `velocity` must be u' = W' γ' + q'.
double ComputeResidual(const ScaledProblem& problem, ContactLaw law, const Eigen::VectorXd& impulse,
                       const Eigen::VectorXd& velocity);

}  // namespace talus
