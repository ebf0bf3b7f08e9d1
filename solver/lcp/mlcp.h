// A mixed linear complementarity problem with bounds: what friction laws with flat sides become.
//
//   w = A z + b,   lower ≤ z ≤ upper,   in each row w ≥ 0 where z is at its lower bound, w ≤ 0 at
//   its upper, w = 0 between them
//
// Infinite bounds are allowed: a row without any is an equation. The bounds of a row may be
// coupled to another one, a friction row to its normal row: then |z_i| ≤ upper_i z_k. Rows may be
// in different units; `ScaleMlcp` brings them to one. Knows no contacts.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "solver/matrix/matrix_problem.h"

namespace talus::lcp {

constexpr int32_t kUncoupled = -1;

struct Mlcp {
  SparseMatrix matrix;     // A
  Eigen::VectorXd offset;  // b
  Eigen::VectorXd lower;
  Eigen::VectorXd upper;
  // The row k that the bounds are proportional to, or kUncoupled. Row k has the bounds 0 and ∞ and
  // is not coupled itself; a coupled row has lower = −upper, both finite.
  std::vector<int32_t> coupled_to;

  Eigen::Index row_count() const { return offset.size(); }
  bool IsCoupled(Eigen::Index row) const {
    return coupled_to[static_cast<size_t>(row)] != kUncoupled;
  }
  // The bounds of a row where the rows are `z`.
  double LowerBound(Eigen::Index row, const Eigen::VectorXd& z) const;
  double UpperBound(Eigen::Index row, const Eigen::VectorXd& z) const;
};

// INVALID_ARGUMENT naming field, value and range: sizes that differ, entries that are not finite,
// bounds that are not numbers or cross, a coupling that is not as above.
absl::Status Validate(const Mlcp& problem);

// The same problem in z' with z = S z', w' = S w: S_ii = A_ii^(−½) where A_ii > 0, else what makes
// the largest entry of the row about one.
struct ScaledMlcp {
  Mlcp problem;
  Eigen::VectorXd steps;  // the diagonal of S
};
ScaledMlcp ScaleMlcp(const Mlcp& problem);

// The nearest z within its bounds, those that are coupled last.
Eigen::VectorXd ClampToBounds(const Mlcp& problem, Eigen::VectorXd z);

// z − mid(lower, z − w, upper), row by row: zero in each row exactly where z solves the problem.
Eigen::VectorXd FindViolation(const Mlcp& problem, const Eigen::VectorXd& z);

// ‖z − mid(lower, z − w, upper)‖ beside the same at z = 0 (1 where that is zero): zero exactly
// where z solves the problem. Meaningful in one unit: call it on a scaled problem.
double ComputeResidual(const Mlcp& problem, const Eigen::VectorXd& z);

}  // namespace talus::lcp
