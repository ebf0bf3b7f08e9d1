#include "solver/matrix/mobility.h"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <string>

#include "absl/strings/str_cat.h"
#include "solver/base/field_error.h"
#include "solver/base/limits.h"
#include "solver/base/status.h"

namespace talus {
namespace {

bool IsMobility(double value) { return value >= kMinDiagonal && value <= kMaxMobility; }

// With rows that nothing moves as rows that only their own impulse moves.
Matrix6 WithoutImmobileRows(Matrix6 block) {
  for (int row = 0; row < 6; ++row) {
    if (block(row, row) == 0.0) block(row, row) = 1.0;
  }
  return block;
}

double LeastEigenvalue(const Matrix6& block) {
  const Matrix6 whole = WithoutImmobileRows(block);
  const Wrench scale = whole.diagonal().cwiseSqrt().cwiseInverse();
  const Matrix6 scaled = scale.asDiagonal() * whole * scale.asDiagonal();
  return Eigen::SelfAdjointEigenSolver<Matrix6>(scaled, Eigen::EigenvaluesOnly).eigenvalues()[0];
}

absl::Status CheckImmobileRow(const BlockMatrix& w, size_t row, int own) {
  for (size_t k = 0; k < w.Blocks(row).size(); ++k) {
    for (int column = 0; column < 6; ++column) {
      const double value = w.Blocks(row)[k](own, column);
      if (value == 0.0) continue;
      const size_t at = 6 * row + static_cast<size_t>(own);
      return FieldError(absl::StrCat("W[", at, "][", 6 * w.Columns(row)[k] + column, "]"),
                        FormatValue(value), absl::StrCat("must be 0, as W[", at, "][", at, "] is"));
    }
  }
  return absl::OkStatus();
}

}  // namespace

bool HasSureMobility(const BlockMatrix& w, size_t row) {
  const Matrix6& block = w.Diagonal(row);
  for (int own = 0; own < 6; ++own) {
    if (IsMobility(block(own, own))) continue;
    if (block(own, own) != 0.0) return false;
    for (const Matrix6& beside : w.Blocks(row)) {
      if (!(beside.row(own).cwiseAbs().sum() == 0.0)) return false;
    }
  }
  return true;
}

absl::Status CheckMobility(const BlockMatrix& w) {
  for (size_t row = 0; row < w.block_count(); ++row) {
    const Matrix6& block = w.Diagonal(row);
    if (HasSureMobility(w, row)) continue;
    for (int own = 0; own < 6; ++own) {
      const double value = block(own, own);
      const size_t at = 6 * row + static_cast<size_t>(own);
      if (value == 0.0) {
        TALUS_RETURN_IF_ERROR(CheckImmobileRow(w, row, own));
      } else if (!IsMobility(value)) {
        return FieldError(absl::StrCat("W[", at, "][", at, "]"), FormatValue(value),
                          absl::StrCat("must be 0 or in [", kMinDiagonal, ", ", kMaxMobility, "]"));
      }
    }
  }
  return absl::OkStatus();
}

absl::Status CheckSemidefinite(const BlockMatrix& w) {
  for (size_t row = 0; row < w.block_count(); ++row) {
    const Matrix6& block = w.Diagonal(row);
    if (Eigen::LLT<Matrix6>(WithoutImmobileRows(block)).info() == Eigen::Success) continue;
    const double least = LeastEigenvalue(block);
    if (least >= -kIndefinite) continue;
    const std::string rows = absl::StrCat("[", 6 * row, "..", 6 * row + 5, "]");
    return FieldError(absl::StrCat("W", rows, rows),
                      absl::StrCat("of a least eigenvalue of ", FormatValue(least)),
                      absl::StrCat("must be positive semidefinite: with its rows scaled to a "
                                   "diagonal of 1, no eigenvalue below ",
                                   -kIndefinite));
  }
  return absl::OkStatus();
}

}  // namespace talus
