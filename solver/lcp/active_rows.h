// Which rows of an MLCP are free and which stand at a bound, and the solution that this means.
//
// A guess of pivoting methods: w = 0 in the free rows and z at its bound in the others make a
// system of linear equations. Where a coupled row stands at its bound z_i = ∓c z_k, it follows row
// k. Where row k stands at 0, the rows coupled to it are 0 and their side has no meaning.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <functional>
#include <vector>

#include "solver/lcp/mlcp.h"
#include "solver/matrix_solvers/direct_factor.h"

namespace talus::lcp {

enum class RowSide : uint8_t { kFree = 0, kLower = 1, kUpper = 2 };

class ActiveRows {
 public:
  // `problem` must outlive it and be scaled. All rows free that have no bound or would leave it at
  // once: b on the wrong side, or coupled. `stop`: asked before the parts of a factorisation.
  explicit ActiveRows(const Mlcp& problem, const std::function<bool()>& stop = {});

  // Of singular equations that do not contradict each other, as those of contacts that are more
  // than needed, the solution is near the shortest one. False: they do, or nearly, or `stop` said
  // so.
  bool SolveEquations();
  // What the last solve of the equations gave.
  const Eigen::VectorXd& z() const { return z_; }

  // Where the rows belong that the answer has on the wrong side, by more than rounding.
  struct Move {
    Eigen::Index row = 0;
    RowSide side = RowSide::kFree;
  };
  std::vector<Move> FindMoves() const;
  void Apply(const Move& move) { side_[static_cast<size_t>(move.row)] = move.side; }

  // The sides that z and w = A z + b stand at.
  void AdoptSides(const Eigen::VectorXd& z);

 private:
  // Equations with a small diagonal added, whose error is taken out again step by step. `size`: of
  // what the rest is small beside.
  bool SolvePadded(const SparseMatrix& equations, const Eigen::VectorXd& right, double size,
                   Eigen::VectorXd& solution);
  bool HasOneValue(Eigen::Index row) const { return problem_.lower[row] == problem_.upper[row]; }
  RowSide& side(Eigen::Index row) { return side_[static_cast<size_t>(row)]; }
  RowSide side(Eigen::Index row) const { return side_[static_cast<size_t>(row)]; }
  int32_t coupled_to(Eigen::Index row) const {
    return problem_.coupled_to[static_cast<size_t>(row)];
  }
  // Whether the row is 0 because the one that it is coupled to is.
  bool IsParked(Eigen::Index row) const {
    return problem_.IsCoupled(row) && side(coupled_to(row)) != RowSide::kFree;
  }

  const Mlcp& problem_;
  const matrix::FactorLimits factor_limits_;
  double rounding_;  // differences below it decide nothing
  std::vector<RowSide> side_;
  Eigen::VectorXd z_;
  matrix::DirectFactor factor_;
};

}  // namespace talus::lcp
