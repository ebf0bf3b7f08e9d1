#include "solver/lcp/lemke.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

namespace talus::lcp {
namespace {

// Of a tableau whose entries began at about one: below it an entry is rounding.
constexpr double kLeastPivot = 1e-8;
constexpr double kTie = 1e-10;
// Covering vectors that are tried: rounding may end one way on a ray that is none, seldom two.
constexpr int kWays = 4;

// w − M z − d z₀ = q, solved for the variables of the basis: columns w, z, z₀, and the right side.
class Tableau {
 public:
  Tableau(const Eigen::MatrixXd& matrix, const Eigen::VectorXd& offset,
          const Eigen::VectorXd& covering)
      : size_(offset.size()), entries_(size_, 2 * size_ + 2), basis_(offset.size()) {
    entries_ << Eigen::MatrixXd::Identity(size_, size_), -matrix, -covering, offset;
    for (Eigen::Index i = 0; i < size_; ++i) basis_[static_cast<size_t>(i)] = i;
  }

  Eigen::Index artificial() const { return 2 * size_; }
  Eigen::Index Complement(Eigen::Index variable) const {
    return variable < size_ ? variable + size_ : variable - size_;
  }

  // The row that leaves when z₀ comes in: the lexicographically least of [q, B⁻¹], each beside its
  // entry of the covering vector.
  Eigen::Index FirstRow() const {
    Eigen::Index best = 0;
    for (Eigen::Index i = 1; i < size_; ++i) {
      if (IsBefore(i, -entries_(i, artificial()), best, -entries_(best, artificial()))) best = i;
    }
    return best;
  }

  // The row that bounds the column first, −1 where none does. z₀ leaves as soon as it may.
  Eigen::Index LeavingRow(Eigen::Index column) const {
    Eigen::Index best = -1;
    for (Eigen::Index i = 0; i < size_; ++i) {
      const double pivot = entries_(i, column);
      if (pivot <= kLeastPivot) continue;
      if (best < 0 || IsBefore(i, pivot, best, entries_(best, column))) best = i;
    }
    if (best < 0) return best;
    for (Eigen::Index i = 0; i < size_; ++i) {
      if (basis_[static_cast<size_t>(i)] != artificial()) continue;
      const double pivot = entries_(i, column);
      const bool ties =
          pivot > kLeastPivot && Right(i) / pivot <= Right(best) / entries_(best, column) + kTie;
      return ties ? i : best;
    }
    return best;
  }

  // Returns what left the basis.
  Eigen::Index Pivot(Eigen::Index row, Eigen::Index column) {
    entries_.row(row) /= entries_(row, column);
    for (Eigen::Index i = 0; i < size_; ++i) {
      const double factor = entries_(i, column);
      if (i == row || factor == 0.0) continue;
      entries_.row(i) -= factor * entries_.row(row);
      entries_(i, column) = 0.0;
    }
    std::swap(basis_[static_cast<size_t>(row)], column);
    return column;
  }

  Eigen::VectorXd Solution() const {
    Eigen::VectorXd z = Eigen::VectorXd::Zero(size_);
    for (Eigen::Index i = 0; i < size_; ++i) {
      const Eigen::Index variable = basis_[static_cast<size_t>(i)];
      if (variable >= size_ && variable < artificial()) {
        z[variable - size_] = std::max(Right(i), 0.0);
      }
    }
    return z;
  }

 private:
  double Right(Eigen::Index row) const { return entries_(row, 2 * size_ + 1); }

  // Whether row a, divided by its pivot, stands lexicographically before row b.
  bool IsBefore(Eigen::Index a, double pivot_a, Eigen::Index b, double pivot_b) const {
    const double difference = Right(a) / pivot_a - Right(b) / pivot_b;
    if (std::abs(difference) > kTie) return difference < 0.0;
    for (Eigen::Index j = 0; j < size_; ++j) {
      const double rest = entries_(a, j) / pivot_a - entries_(b, j) / pivot_b;
      if (std::abs(rest) > kTie) return rest < 0.0;
    }
    return false;
  }

  Eigen::Index size_;
  Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> entries_;
  std::vector<Eigen::Index> basis_;
};

// Ones, then vectors between one and two whose entries spread evenly.
Eigen::VectorXd CoveringVector(int way, Eigen::Index size) {
  Eigen::VectorXd covering = Eigen::VectorXd::Ones(size);
  if (way == 0) return covering;
  for (Eigen::Index i = 0; i < size; ++i) {
    const double turns = std::numbers::phi * way * static_cast<double>(i);
    covering[i] += turns - std::floor(turns);
  }
  return covering;
}

LemkeOutcome PivotOneWay(int way, int32_t max_pivots, const std::function<bool()>& stop,
                         const Eigen::MatrixXd& matrix, const Eigen::VectorXd& offset,
                         LemkeAnswer& answer) {
  Tableau tableau(matrix, offset, CoveringVector(way, offset.size()));
  Eigen::Index row = tableau.FirstRow();
  Eigen::Index entering = tableau.artificial();
  while (answer.pivot_count < max_pivots && !(stop && stop())) {
    const Eigen::Index left = tableau.Pivot(row, entering);
    ++answer.pivot_count;
    if (left == tableau.artificial()) {
      answer.z = tableau.Solution();
      return LemkeOutcome::kSolved;
    }
    entering = tableau.Complement(left);
    row = tableau.LeavingRow(entering);
    if (row < 0) return LemkeOutcome::kRay;
  }
  return LemkeOutcome::kPivotLimit;
}

}  // namespace

LemkeAnswer SolveByLemke(const Eigen::MatrixXd& matrix, const Eigen::VectorXd& offset,
                         int32_t max_pivots, const std::function<bool()>& stop) {
  LemkeAnswer answer{.z = Eigen::VectorXd::Zero(offset.size())};
  if (offset.size() == 0 || offset.minCoeff() >= 0.0) return answer;
  for (int way = 0; way < kWays; ++way) {
    answer.outcome = PivotOneWay(way, max_pivots, stop, matrix, offset, answer);
    if (answer.outcome != LemkeOutcome::kRay) break;
  }
  return answer;
}

}  // namespace talus::lcp
