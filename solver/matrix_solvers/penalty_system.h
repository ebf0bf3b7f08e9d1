// The linear equation of a step with a penalty p for all rows alike,
//
//   (I + p W') δ = r,
//
// symmetric and positive definite, by a sparse L D Lᵀ that is kept while p stays. Where
// W' = H'ᵀ M⁻¹ H' + E' comes from velocities the matrix is as large as those,
//
//   δ = A⁻¹ r − p A⁻¹ H'ᵀ (M + p H' A⁻¹ H'ᵀ)⁻¹ H' A⁻¹ r,   A = I + p E';
//
// where W' is all there is, it is I + p W' itself. A step of Newton's method, in which every block
// has a derivative of its own and nothing is symmetric, is proximal_system.h.
#pragma once

#include <optional>
#include <vector>

#include "solver/matrix/scaled_problem.h"
#include "solver/matrix_solvers/symmetric_factor.h"
#include "solver/matrix_solvers/velocity_matrix.h"

namespace talus::matrix {

class PenaltySystem {
 public:
  // `problem` must outlive it; `limits`: of each factorisation.
  explicit PenaltySystem(const ScaledProblem& problem, FactorLimits limits = {});

  // `penalty` > 0. False: beyond the limits, stopped, or not positive definite to rounding.
  bool Factorize(double penalty);
  // Only after a factorisation. False: what it leads to is no number.
  bool Solve(const Eigen::VectorXd& right, Eigen::VectorXd& solution) const;

 private:
  const ScaledProblem& problem_;
  FactorLimits limits_;
  double penalty_ = 0.0;
  Eigen::VectorXd inverses_;              // the diagonal of A⁻¹, where there are velocities
  std::optional<VelocityMatrix> matrix_;  // likewise
  SparseMatrix delassus_;                 // the lower half of W', where there are none
  SymmetricFactor factor_;
};

}  // namespace talus::matrix
