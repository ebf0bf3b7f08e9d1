#include "solver/lcp/active_rows.h"

#include <algorithm>
#include <cmath>

namespace talus::lcp {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

constexpr double kRounding = 1e-12;
// What a solution of equations may leave of them, beside their size: a singular matrix leaves more.
constexpr double kLeftOver = 1e-8;
// Added to a diagonal of about one where equations are singular, and how often its error is taken
// out again.
constexpr double kPadding = 1e-9;
constexpr int kMostCorrections = 12;
// Operations of one factorisation, some seconds: its numbers, once begun, nobody can stop.
constexpr double kMostOperations = 2e10;

}  // namespace

ActiveRows::ActiveRows(const Mlcp& problem, const std::function<bool()>& stop)
    : problem_(problem),
      factor_limits_{.max_operations = kMostOperations, .stop = stop},
      rounding_(problem.row_count() == 0 ? 0.0 : kRounding * problem.offset.cwiseAbs().maxCoeff()),
      side_(static_cast<size_t>(problem.row_count()), RowSide::kFree),
      z_(VectorXd::Zero(problem.row_count())) {
  for (Index i = 0; i < problem_.row_count(); ++i) {
    const bool has_lower = std::isfinite(problem_.lower[i]);
    const bool has_upper = std::isfinite(problem_.upper[i]);
    if (HasOneValue(i)) side(i) = RowSide::kLower;
    if (problem_.IsCoupled(i) || HasOneValue(i)) continue;
    if (has_lower && problem_.offset[i] >= 0.0) side(i) = RowSide::kLower;
    if (has_upper && !has_lower && problem_.offset[i] <= 0.0) side(i) = RowSide::kUpper;
  }
}

bool ActiveRows::SolveEquations() {
  // z = P y + z₀ with y the free rows: a row at a coupled bound follows the row it is coupled to.
  const Index rows = problem_.row_count();
  std::vector<Index> unknown(static_cast<size_t>(rows), -1);
  std::vector<Index> free;
  for (Index i = 0; i < rows; ++i) {
    if (side(i) != RowSide::kFree || IsParked(i)) continue;
    unknown[static_cast<size_t>(i)] = static_cast<Index>(free.size());
    free.push_back(i);
  }
  VectorXd constant = VectorXd::Zero(rows);
  std::vector<Eigen::Triplet<double>> follows;
  for (Index i = 0; i < rows; ++i) {
    const VectorXd& bounds = side(i) == RowSide::kUpper ? problem_.upper : problem_.lower;
    if (unknown[static_cast<size_t>(i)] >= 0) {
      follows.emplace_back(i, unknown[static_cast<size_t>(i)], 1.0);
    } else if (!problem_.IsCoupled(i)) {
      constant[i] = bounds[i];
    } else if (!IsParked(i)) {
      follows.emplace_back(i, unknown[static_cast<size_t>(coupled_to(i))], bounds[i]);
    }
  }
  z_ = constant;
  if (free.empty()) return true;
  const auto count = static_cast<Index>(free.size());
  SparseMatrix pattern(rows, count);
  pattern.setFromTriplets(follows.begin(), follows.end());
  std::vector<Eigen::Triplet<double>> picks;
  for (Index i = 0; i < count; ++i) picks.emplace_back(i, free[static_cast<size_t>(i)], 1.0);
  SparseMatrix pick(count, rows);
  pick.setFromTriplets(picks.begin(), picks.end());
  const SparseMatrix equations = pick * problem_.matrix * pattern;
  const VectorXd right = -(pick * (problem_.matrix * constant + problem_.offset));
  const double size = right.cwiseAbs().maxCoeff() + problem_.offset.cwiseAbs().maxCoeff();
  VectorXd solution(count);
  const auto solves = [&] {
    return (equations * solution - right).cwiseAbs().maxCoeff() <= kLeftOver * size;
  };
  const bool regular =
      factor_.Factorize(equations, factor_limits_) && factor_.Solve(right, solution) && solves();
  if (!regular && !(SolvePadded(equations, right, size, solution) && solves())) return false;
  z_ += pattern * solution;
  return true;
}

bool ActiveRows::SolvePadded(const SparseMatrix& equations, const VectorXd& right, double size,
                             VectorXd& solution) {
  SparseMatrix identity(right.size(), right.size());
  identity.setIdentity();
  const SparseMatrix padded = equations + kPadding * identity;
  if (!factor_.Factorize(padded, factor_limits_)) return false;
  solution.setZero();
  VectorXd rest = right;
  VectorXd correction(right.size());
  for (int i = 0; i < kMostCorrections && rest.cwiseAbs().maxCoeff() > kRounding * size; ++i) {
    if (!factor_.Solve(rest, correction) || !correction.allFinite()) return false;
    solution += correction;
    rest = right - equations * solution;
  }
  return solution.allFinite();
}

std::vector<ActiveRows::Move> ActiveRows::FindMoves() const {
  const VectorXd w = problem_.matrix * z_ + problem_.offset;
  std::vector<Move> moves;
  for (Index i = 0; i < problem_.row_count(); ++i) {
    if (HasOneValue(i) || IsParked(i)) continue;
    // Where its normal row pulls, that row has to move first.
    if (problem_.IsCoupled(i) && z_[coupled_to(i)] < 0.0) continue;
    if (side(i) == RowSide::kFree) {
      if (z_[i] < problem_.LowerBound(i, z_) - rounding_) {
        moves.push_back({i, RowSide::kLower});
      } else if (z_[i] > problem_.UpperBound(i, z_) + rounding_) {
        moves.push_back({i, RowSide::kUpper});
      }
    } else if (side(i) == RowSide::kLower ? w[i] < -rounding_ : w[i] > rounding_) {
      moves.push_back({i, RowSide::kFree});
    }
  }
  return moves;
}

void ActiveRows::AdoptSides(const VectorXd& z) {
  const VectorXd w = problem_.matrix * z + problem_.offset;
  for (Index i = 0; i < problem_.row_count(); ++i) {
    if (HasOneValue(i)) continue;
    // At a bound where z is nearer to it than w is to zero.
    const double above = z[i] - problem_.LowerBound(i, z);
    const double below = problem_.UpperBound(i, z) - z[i];
    side(i) = w[i] > 0.0 && above < w[i]    ? RowSide::kLower
              : w[i] < 0.0 && below < -w[i] ? RowSide::kUpper
                                            : RowSide::kFree;
  }
}

}  // namespace talus::lcp
