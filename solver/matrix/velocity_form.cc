#include "solver/matrix/velocity_form.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <string_view>
#include <tuple>

#include "absl/strings/str_cat.h"
#include "solver/base/field_error.h"
#include "solver/base/limits.h"
#include "solver/base/status.h"
#include "solver/matrix/delassus.h"
#include "solver/matrix/range_check.h"

namespace talus {
namespace {

absl::Status CheckSizes(const VelocityForm& form, Eigen::Index rows) {
  const Eigen::Index size = form.mass.rows();
  for (const auto& [field, actual, expected] :
       {std::tuple<std::string_view, Eigen::Index, Eigen::Index>{"M.columns", form.mass.cols(),
                                                                 size},
        {"H.rows", form.directions.rows(), size},
        {"H.columns", form.directions.cols(), rows},
        {"f.size", form.free_impulse.size(), size},
        {"w.size", form.offset.size(), rows}}) {
    if (actual == expected) continue;
    return FieldError(field, FormatValue(int64_t{actual}), absl::StrCat("must be ", expected));
  }
  return absl::OkStatus();
}

absl::Status CheckMass(const SparseMatrix& mass) {
  TALUS_RETURN_IF_ERROR(CheckRange("M", mass, kMaxProblemMass));
  for (Eigen::Index row = 0; row < mass.rows(); ++row) {
    const double value = mass.coeff(row, row);
    if (!(value > 0.0) || value >= kMinDiagonal) continue;
    return FieldError(absl::StrCat("M[", row, "][", row, "]"), FormatValue(value),
                      absl::StrCat("must be in [", kMinDiagonal, ", ", kMaxProblemMass, "]"));
  }
  const SparseMatrix mirrored = mass.transpose();
  double largest = 0.0;
  for (Eigen::Index k = 0; k < mass.nonZeros(); ++k) {
    largest = std::max(largest, std::abs(mass.valuePtr()[k]));
  }
  const SparseMatrix difference = mass - mirrored;
  for (Eigen::Index k = 0; k < difference.nonZeros(); ++k) {
    const double value = std::abs(difference.valuePtr()[k]);
    if (value <= kAsymmetry * largest) continue;
    return FieldError("M", FormatValue(value / largest),
                      absl::StrCat("must differ from its transpose by at most ", kAsymmetry,
                                   " of its largest entry"));
  }
  return absl::OkStatus();
}

// A block of the row, zero where none is stored.
Matrix6 BlockAt(const BlockMatrix& w, size_t row, uint32_t column) {
  const std::span<const uint32_t> columns = w.Columns(row);
  const auto found = std::ranges::lower_bound(columns, column);
  if (found == columns.end() || *found != column) return Matrix6::Zero();
  return w.Blocks(row)[static_cast<size_t>(found - columns.begin())];
}

// √W_ii of either, whichever is larger.
Eigen::VectorXd ScaleOf(const BlockMatrix& a, const BlockMatrix& b) {
  Eigen::VectorXd scale(6 * static_cast<Eigen::Index>(a.block_count()));
  for (size_t i = 0; i < a.block_count(); ++i) {
    scale.segment<6>(FirstRow(i)) =
        a.Diagonal(i).diagonal().cwiseMax(b.Diagonal(i).diagonal()).cwiseMax(0.0).cwiseSqrt();
  }
  return scale;
}

// Of W, by the columns of one of the two.
absl::Status CheckBlocksAgree(const BlockMatrix& given, const BlockMatrix& formed,
                              const BlockMatrix& columns, const Eigen::VectorXd& scale) {
  for (size_t i = 0; i < columns.block_count(); ++i) {
    for (const uint32_t j : columns.Columns(i)) {
      const Matrix6 own = BlockAt(given, i, j);
      const Matrix6 other = BlockAt(formed, i, j);
      for (int row = 0; row < 6; ++row) {
        for (int column = 0; column < 6; ++column) {
          const Eigen::Index at = FirstRow(i) + row;
          const Eigen::Index across = FirstRow(j) + column;
          const double allowed = kDisagreement * scale[at] * scale[across];
          if (std::abs(own(row, column) - other(row, column)) <= allowed) continue;
          return FieldError(absl::StrCat("W[", at, "][", across, "]"),
                            FormatValue(own(row, column)),
                            absl::StrCat("must be that of H^T M^-1 H, ",
                                         FormatValue(other(row, column)), ", or be left out"));
        }
      }
    }
  }
  return absl::OkStatus();
}

// Of q: in rows that move, S q beside the largest; else each by itself.
absl::Status CheckRowsAgree(const Eigen::VectorXd& given, const Eigen::VectorXd& formed,
                            const Eigen::VectorXd& scale) {
  double largest = 0.0;
  for (Eigen::Index i = 0; i < given.size(); ++i) {
    if (scale[i] > 0.0) {
      largest = std::max({largest, std::abs(given[i]) / scale[i], std::abs(formed[i]) / scale[i]});
    }
  }
  for (Eigen::Index i = 0; i < given.size(); ++i) {
    const double beside = scale[i] > 0.0 ? largest * scale[i] : std::abs(formed[i]);
    if (std::abs(given[i] - formed[i]) <= kDisagreement * beside) continue;
    return FieldError(absl::StrCat("q[", i, "]"), FormatValue(given[i]),
                      absl::StrCat("must be that of H^T M^-1 f + w, ", FormatValue(formed[i]),
                                   ", or be left out"));
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status CheckVelocities(const VelocityForm& form, Eigen::Index row_count) {
  TALUS_RETURN_IF_ERROR(CheckSizes(form, row_count));
  TALUS_RETURN_IF_ERROR(CheckMass(form.mass));
  TALUS_RETURN_IF_ERROR(CheckRange("H", form.directions, kMaxDirection));
  TALUS_RETURN_IF_ERROR(CheckRange("f", form.free_impulse, kMaxProblemImpulse));
  return CheckRange("w", form.offset, kMaxProblemSpeed);
}

absl::Status UnifyForms(MatrixProblem& problem) {
  MatrixProblem formed;
  formed.laws = problem.laws;
  formed.velocities = problem.velocities;
  TALUS_RETURN_IF_ERROR(FormDelassus(formed));
  const Eigen::VectorXd scale = ScaleOf(problem.delassus, formed.delassus);
  const BlockMatrix& w = problem.delassus;
  TALUS_RETURN_IF_ERROR(CheckBlocksAgree(w, formed.delassus, w, scale));
  TALUS_RETURN_IF_ERROR(CheckBlocksAgree(w, formed.delassus, formed.delassus, scale));
  TALUS_RETURN_IF_ERROR(CheckRowsAgree(problem.free_rows, formed.free_rows, scale));
  problem.delassus = std::move(formed.delassus);
  problem.free_rows = std::move(formed.free_rows);
  return absl::OkStatus();
}

}  // namespace talus
