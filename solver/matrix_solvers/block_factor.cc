#include "solver/matrix_solvers/block_factor.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "solver/base/check.h"
#include "solver/matrix_solvers/kernels/block_products.h"

namespace talus::matrix {
namespace {

constexpr size_t kRows = BlockElimination::kRows;
constexpr size_t kNumbers = kRows * kRows;
// What L U may come to beside the largest number of the matrix: round-off grows by as much.
constexpr double kMostGrowth = 1e4;

using Block = Eigen::Map<Matrix6>;
using ConstBlock = Eigen::Map<const Matrix6>;

// P D = L U in place, L with ones on its diagonal; false where D is singular.
bool FactorizeDiagonal(Block d, std::array<int8_t, 6>& pivots) {
  for (int k = 0; k < 6; ++k) pivots[static_cast<size_t>(k)] = static_cast<int8_t>(k);
  for (int k = 0; k < 6; ++k) {
    int best = k;
    for (int row = k + 1; row < 6; ++row) {
      if (std::abs(d(row, k)) > std::abs(d(best, k))) best = row;
    }
    if (!(std::abs(d(best, k)) > 0.0)) return false;
    if (best != k) {
      d.row(k).swap(d.row(best));
      std::swap(pivots[static_cast<size_t>(k)], pivots[static_cast<size_t>(best)]);
    }
    const double inverse = 1.0 / d(k, k);
    for (int row = k + 1; row < 6; ++row) d(row, k) *= inverse;
    for (int column = k + 1; column < 6; ++column) {
      const double factor = d(k, column);
      for (int row = k + 1; row < 6; ++row) d(row, column) -= d(row, k) * factor;
    }
  }
  return true;
}

// B U⁻¹, of a block below the diagonal.
void DivideByUpper(const Block& d, Block b) {
  for (int k = 0; k < 6; ++k) {
    for (int before = 0; before < k; ++before) b.col(k) -= d(before, k) * b.col(before);
    b.col(k) *= 1.0 / d(k, k);
  }
}

// (L⁻¹ P C)ᵀ of a block C right of the diagonal, given as Cᵀ.
void DivideByLower(const Block& d, const std::array<int8_t, 6>& pivots, Block transposed) {
  const Matrix6 given = transposed;
  for (int k = 0; k < 6; ++k) {
    transposed.col(k) = given.col(pivots[static_cast<size_t>(k)]);
    for (int before = 0; before < k; ++before) {
      transposed.col(k) -= d(k, before) * transposed.col(before);
    }
  }
}

}  // namespace

bool BlockFactor::HasPlacesOf(const SparseMatrix& matrix) const {
  return size_ == matrix.cols() &&
         std::ranges::equal(
             starts_, std::span(matrix.outerIndexPtr(), static_cast<size_t>(matrix.cols()) + 1)) &&
         std::ranges::equal(
             rows_, std::span(matrix.innerIndexPtr(), static_cast<size_t>(matrix.nonZeros())));
}

double BlockFactor::Analyze(const SparseMatrix& matrix) {
  TALUS_CHECK(matrix.isCompressed() && matrix.rows() == matrix.cols());
  if (!HasPlacesOf(matrix)) {
    size_ = matrix.cols();
    starts_.assign(matrix.outerIndexPtr(), matrix.outerIndexPtr() + matrix.cols() + 1);
    rows_.assign(matrix.innerIndexPtr(), matrix.innerIndexPtr() + matrix.nonZeros());
    elimination_ = BlockElimination(matrix);
    has_places_ = false;
  }
  return elimination_.operation_count();
}

void BlockFactor::FindTargets() {
  const size_t below = kNumbers * elimination_.step_count();
  const size_t right = below + kNumbers * elimination_.place_count();
  targets_.clear();
  targets_.reserve(rows_.size());
  for (size_t column = 0; column < static_cast<size_t>(size_); ++column) {
    const int32_t column_step = elimination_.StepOf(column / kRows);
    const size_t own_column = column % kRows;
    for (int k = starts_[column]; k < starts_[column + 1]; ++k) {
      const auto row = static_cast<size_t>(rows_[static_cast<size_t>(k)]);
      const int32_t row_step = elimination_.StepOf(row / kRows);
      const size_t own_row = row % kRows;
      const auto earlier = static_cast<size_t>(std::min(row_step, column_step));
      size_t block = kNumbers * earlier;
      if (row_step > column_step) {
        block = below + kNumbers * elimination_.PlaceOf(earlier, row_step);
      } else if (row_step < column_step) {
        block = right + kNumbers * elimination_.PlaceOf(earlier, column_step);
      }
      const bool transposed = row_step < column_step;
      targets_.push_back(
          block + (transposed ? kRows * own_row + own_column : kRows * own_column + own_row));
    }
  }
  values_.resize(right + kNumbers * elimination_.place_count());
  pivots_.resize(elimination_.step_count());
}

void BlockFactor::FindUpdates() {
  updates_.clear();
  for (size_t step = 0; step < elimination_.step_count(); ++step) {
    const std::span<const int32_t> later = elimination_.LaterSteps(step);
    for (size_t p = 0; p < later.size(); ++p) {
      const auto first = static_cast<size_t>(later[p]);
      const std::span<const int32_t> touched = elimination_.LaterSteps(first);
      size_t at = 0;
      for (size_t q = p + 1; q < later.size(); ++q) {
        while (touched[at] != later[q]) ++at;
        updates_.push_back(elimination_.FirstPlace(first) + at);
      }
    }
  }
}

// The numbers in their places; the largest of them.
double BlockFactor::Fill(const SparseMatrix& matrix) {
  std::ranges::fill(values_, 0.0);
  double largest = 0.0;
  const double* const given = matrix.valuePtr();
  for (size_t k = 0; k < targets_.size(); ++k) {
    values_[targets_[k]] = given[k];
    largest = std::max(largest, std::abs(given[k]));
  }
  if (size_ == 0) return largest;
  // Rows of the last block that the matrix does not have.
  const size_t last = kNumbers * static_cast<size_t>(elimination_.StepOf(pivots_.size() - 1));
  for (size_t row = static_cast<size_t>(size_ - 1) % kRows + 1; row < kRows; ++row) {
    values_[last + kRows * row + row] = 1.0;
  }
  return largest;
}

bool BlockFactor::Eliminate(double largest) {
  const size_t steps = elimination_.step_count();
  double* const diagonal = values_.data();
  double* const below = diagonal + kNumbers * steps;
  double* const right = below + kNumbers * elimination_.place_count();
  const size_t* places = updates_.data();
  for (size_t step = 0; step < steps; ++step) {
    const Block d(diagonal + kNumbers * step);
    if (!FactorizeDiagonal(d, pivots_[step])) return false;
    const std::span<const int32_t> later = elimination_.LaterSteps(step);
    double* const first_below = below + kNumbers * elimination_.FirstPlace(step);
    double* const first_right = right + kNumbers * elimination_.FirstPlace(step);
    double most_below = 1.0;
    double most_right = d.cwiseAbs().maxCoeff();
    for (size_t p = 0; p < later.size(); ++p) {
      Block lower(first_below + kNumbers * p);
      Block upper(first_right + kNumbers * p);
      DivideByUpper(d, lower);
      DivideByLower(d, pivots_[step], upper);
      most_below = std::max(most_below, lower.cwiseAbs().maxCoeff());
      most_right = std::max(most_right, upper.cwiseAbs().maxCoeff());
    }
    if (!(most_below * most_right <= kMostGrowth * largest)) return false;
    SubtractProducts({later, first_below, first_right, places, diagonal, below, right});
    places += later.size() * (later.size() - 1) / 2;
  }
  return true;
}

bool BlockFactor::Factorize(const SparseMatrix& matrix) {
  TALUS_CHECK(matrix.cols() == size_ && static_cast<size_t>(matrix.nonZeros()) == rows_.size());
  if (!has_places_) {
    FindTargets();
    FindUpdates();
    has_places_ = true;
  }
  return Eliminate(Fill(matrix));
}

void BlockFactor::Solve(const Eigen::VectorXd& right, Eigen::VectorXd& solution) const {
  const size_t steps = elimination_.step_count();
  const double* const diagonal = values_.data();
  const double* const below = diagonal + kNumbers * steps;
  const double* const beside = below + kNumbers * elimination_.place_count();
  std::vector<Wrench> ordered(steps, Wrench::Zero());
  for (Eigen::Index row = 0; row < size_; ++row) {
    const auto block = static_cast<size_t>(row) / kRows;
    ordered[static_cast<size_t>(elimination_.StepOf(block))][row % 6] = right[row];
  }
  for (size_t step = 0; step < steps; ++step) {
    const ConstBlock d(diagonal + kNumbers * step);
    Wrench own;
    for (int k = 0; k < 6; ++k) own[k] = ordered[step][pivots_[step][static_cast<size_t>(k)]];
    for (int k = 0; k < 6; ++k) {
      for (int row = k + 1; row < 6; ++row) own[row] -= d(row, k) * own[k];
    }
    ordered[step] = own;
    size_t place = elimination_.FirstPlace(step);
    for (const int32_t later : elimination_.LaterSteps(step)) {
      ordered[static_cast<size_t>(later)] -= ConstBlock(below + kNumbers * place++) * own;
    }
  }
  for (size_t step = steps; step-- > 0;) {
    const ConstBlock d(diagonal + kNumbers * step);
    Wrench own = ordered[step];
    size_t place = elimination_.FirstPlace(step);
    for (const int32_t later : elimination_.LaterSteps(step)) {
      own -=
          ConstBlock(beside + kNumbers * place++).transpose() * ordered[static_cast<size_t>(later)];
    }
    for (int k = 5; k >= 0; --k) {
      own[k] /= d(k, k);
      for (int row = 0; row < k; ++row) own[row] -= d(row, k) * own[k];
    }
    ordered[step] = own;
  }
  solution.resize(size_);
  for (Eigen::Index row = 0; row < size_; ++row) {
    const auto block = static_cast<size_t>(row) / kRows;
    solution[row] = ordered[static_cast<size_t>(elimination_.StepOf(block))][row % 6];
  }
}

}  // namespace talus::matrix
