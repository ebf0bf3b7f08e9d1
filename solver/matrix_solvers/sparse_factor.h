// A sparse matrix, factorised to solve with: MUMPS, sequential (docs/decisions/0013-matrices.md).
//
// The library keeps state of its own between calls, so that one thread at a time is in it, however
// many scenes factorise. The bits of an answer are those of the BLAS it finds on the machine.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>

#include "solver/matrix/matrix_problem.h"

namespace talus::matrix {

// When a factorisation is not begun, because nobody can stop it once its numbers are being worked
// on: the analysis, which takes a fraction of the time, says how many operations it will take.
struct FactorLimits {
  // Some minutes of one core; heaps of 8000 bodies take 1e10, and memory goes with it.
  double max_operations = 1e12;
  // Of who makes several (smoothed_system.h): one more is not begun.
  int32_t max_factorizations = std::numeric_limits<int32_t>::max();
  // Asked before the analysis and before the numbers; true: leave it.
  std::function<bool()> stop = {};

  bool IsStopped() const { return stop && stop(); }
};

class SparseFactor {
 public:
  SparseFactor();
  ~SparseFactor();
  SparseFactor(const SparseFactor&) = delete;
  SparseFactor& operator=(const SparseFactor&) = delete;

  // False: singular, too large for the memory there is or for the limits, or stopped. Replaces what
  // was factorised before; a matrix with entries at the same places needs no other analysis.
  bool Factorize(const SparseMatrix& matrix, const FactorLimits& limits = {});
  // What the analysis of the last matrix foresaw; 0 where it came to none.
  double operation_count() const { return operation_count_; }
  // False: the library could not.
  bool Solve(const Eigen::VectorXd& right, Eigen::VectorXd& solution) const;

 private:
  struct Instance;
  bool Analyze(const SparseMatrix& matrix);  // of the places of its entries

  double operation_count_ = 0.0;
  std::unique_ptr<Instance> instance_;
};

}  // namespace talus::matrix
