// A sparse matrix, factorised to solve with: MUMPS, sequential (docs/decisions/0013-matrices.md).
//
// The library keeps state of its own between calls, so that one thread at a time is in it, however
// many scenes factorise. The bits of an answer are those of the BLAS it finds on the machine.
#pragma once

#include <Eigen/Core>
#include <memory>

#include "solver/matrix/matrix_problem.h"

namespace talus::matrix {

class SparseFactor {
 public:
  SparseFactor();
  ~SparseFactor();
  SparseFactor(const SparseFactor&) = delete;
  SparseFactor& operator=(const SparseFactor&) = delete;

  // False: singular, or too large for the memory there is. Replaces what was factorised before.
  bool Factorize(const SparseMatrix& matrix);
  // False: the library could not.
  bool Solve(const Eigen::VectorXd& right, Eigen::VectorXd& solution) const;

 private:
  struct Instance;
  std::unique_ptr<Instance> instance_;
};

}  // namespace talus::matrix
