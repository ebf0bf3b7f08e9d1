// A contact problem given as matrices: no bodies, shapes or time, and so what a file can hold and
// what any algorithm of the literature can be run on.
//
//   u = W γ + E γ + q,   law(u, γ)                                     docs/NOTATION.md §2
//
// in blocks of six rows (contact/wrench.h), or from the velocities of what is in touch
//
//   M v = H γ + f,   u = Hᵀ v + E γ + w,   so that W = Hᵀ M⁻¹ H and q = Hᵀ M⁻¹ f + w.
//
// γ and f in N s and N m s, u and w in m/s and rad/s, M in kg and kg m². E ≥ 0, the compliance of a
// row, in m/(s N s): zero where it is rigid.
#pragma once

#include <Eigen/Core>
#include <Eigen/SparseCore>
#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "solver/matrix/block_law.h"
#include "solver/matrix/block_matrix.h"

namespace talus {

using SparseMatrix = Eigen::SparseMatrix<double>;

// The velocities beneath W.
struct VelocityForm {
  SparseMatrix mass;             // M, symmetric and positive definite: n × n
  SparseMatrix directions;       // H: n × 6 a block
  Eigen::VectorXd free_impulse;  // f, M times the velocities without contact: n
  Eigen::VectorXd offset;        // w: 6 a block
};

// Of W: how far entries that are one may differ, as a share of the largest.
inline constexpr double kAsymmetry = 1e-9;

// The first of a block's six rows.
inline Eigen::Index FirstRow(size_t block) { return 6 * static_cast<Eigen::Index>(block); }

struct MatrixProblem {
  std::vector<BlockLaw> laws;
  BlockMatrix delassus;        // W, without compliance
  Eigen::VectorXd compliance;  // the diagonal of E: 6 a block
  Eigen::VectorXd free_rows;   // q: 6 a block
  std::optional<VelocityForm> velocities;

  size_t block_count() const { return laws.size(); }
  Eigen::Index row_count() const { return 6 * static_cast<Eigen::Index>(laws.size()); }
};

// INVALID_ARGUMENT naming field, value and range: sizes that differ, numbers that are not finite or
// beyond base/limits.h, bounds that cross or leave nothing finite, W not symmetric to 1e-9 of its
// largest entry, a block of its diagonal that is not positive semidefinite (mobility.h), a contact
// without a positive W_nn, velocities that are none (velocity_form.h; whether W and q are theirs is
// not looked at). RESOURCE_EXHAUSTED: too many blocks.
absl::Status Validate(const MatrixProblem& problem);
// The same but for what is semidefinite and for the velocities, which takes longer than to solve
// one contact: for problems that are as they must be, or have passed Validate where they came in.
absl::Status ValidateNumbers(const MatrixProblem& problem);

// RESOURCE_EXHAUSTED: more blocks, or blocks of W, than base/limits.h has. For readers, who would
// have to hold them to call Validate.
absl::Status CheckBlockCount(size_t count);
absl::Status CheckDelassusCount(size_t count);

// The bounds of one block alone; `path` is what the caller calls it. INVALID_ARGUMENT: bounds that
// cross, leave no finite impulse between them or are finite beyond base/limits.h.
absl::Status CheckBounds(std::string_view path, const BlockLaw& law);

// u = W γ + E γ + q.
Eigen::VectorXd ComputeVelocity(const MatrixProblem& problem, const Eigen::VectorXd& impulse);

}  // namespace talus
