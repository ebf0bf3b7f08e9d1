// A sparse matrix in blocks of six rows, factorised as L U: what contacts join bodies to
// (docs/decisions/0013-matrices.md). Rows are exchanged within a block, not between blocks.
//
// For matrices of up to some hundreds of bodies, where a general library spends most of its time
// beside the numbers. Any number of threads may factorise at once, each by a factor of its own, and
// the bits of an answer are those of this code alone.
#pragma once

#include <Eigen/Core>
#include <array>
#include <vector>

#include "solver/matrix/matrix_problem.h"
#include "solver/matrix_solvers/block_elimination.h"

namespace talus::matrix {

class BlockFactor {
 public:
  // Where the entries of a matrix go; nothing to do where they stand at the places of the last one.
  // The floating-point operations that a factorisation takes.
  double Analyze(const SparseMatrix& matrix);
  // Of the matrix that was analysed last. Replaces what was factorised before. False: it has too
  // few digits without exchanging rows between blocks.
  bool Factorize(const SparseMatrix& matrix);
  // Only after a factorisation that succeeded.
  void Solve(const Eigen::VectorXd& right, Eigen::VectorXd& solution) const;

 private:
  using Pivots = std::array<int8_t, 6>;  // the row that came to each place

  bool HasPlacesOf(const SparseMatrix& matrix) const;
  void FindTargets();
  void FindUpdates();
  double Fill(const SparseMatrix& matrix);
  bool Eliminate(double largest);

  BlockElimination elimination_;
  bool has_places_ = false;      // for numbers: targets_ and updates_ are those of elimination_
  Eigen::Index size_ = 0;        // of the matrix
  std::vector<int> starts_;      // of its columns
  std::vector<int> rows_;        // of its entries
  std::vector<size_t> targets_;  // where in values_ each entry goes
  std::vector<size_t> updates_;  // places that a step changes, pair by pair of its later steps
  // Blocks, column by column: those of the diagonal by step, then by place those below it and those
  // right of it, the latter transposed.
  std::vector<double> values_;
  std::vector<Pivots> pivots_;  // by step
};

}  // namespace talus::matrix
