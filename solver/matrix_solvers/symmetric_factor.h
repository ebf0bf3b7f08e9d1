// A sparse symmetric positive definite matrix, factorised to solve with: L D Lᵀ by Eigen's
// simplicial method, in the order of the approximate minimum degree
// (docs/decisions/0013-matrices.md says beside which others).
#pragma once

#include <Eigen/SparseCholesky>

#include "solver/matrix/matrix_problem.h"
#include "solver/matrix_solvers/sparse_factor.h"

namespace talus::matrix {

class SymmetricFactor {
 public:
  // Reads the lower half alone. False: not positive definite to rounding, beyond the limits, or
  // stopped. Matrices after the first must have entries at the same places: one analysis serves
  // all.
  bool Factorize(const SparseMatrix& matrix, const FactorLimits& limits = {});
  // Only after a factorisation.
  void Solve(const Eigen::VectorXd& right, Eigen::VectorXd& solution) const;

 private:
  class Ldlt : public Eigen::SimplicialLDLT<SparseMatrix, Eigen::Lower> {
   public:
    // Of the elimination, as the analysis foresees them.
    double OperationCount() const { return m_nonZerosPerCol.cast<double>().squaredNorm(); }
  };

  Ldlt factor_;
  bool is_analyzed_ = false;
};

}  // namespace talus::matrix
