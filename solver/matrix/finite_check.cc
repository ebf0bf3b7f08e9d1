#include "solver/matrix/finite_check.h"

#include <cmath>
#include <cstdint>
#include <string>

#include "absl/strings/str_cat.h"
#include "solver/base/field_error.h"

namespace talus {
namespace {

absl::Status NotFiniteError(std::string_view place, double value) {
  return FieldError(place, FormatValue(value), "must be finite");
}

// Of finite values alone each product is zero; allFinite does not go by whole vectors.
template <typename Values>
bool AreFinite(const Values& values) {
  return (0.0 * values).sum() == 0.0;
}

}  // namespace

absl::Status CheckFinite(std::string_view field, const Eigen::VectorXd& values) {
  if (AreFinite(values)) return absl::OkStatus();
  for (Eigen::Index i = 0; i < values.size(); ++i) {
    if (std::isfinite(values[i])) continue;
    return NotFiniteError(absl::StrCat(std::string(field), "[", i, "]"), values[i]);
  }
  return absl::OkStatus();
}

absl::Status CheckFinite(std::string_view field, const SparseMatrix& values) {
  for (Eigen::Index outer = 0; outer < values.outerSize(); ++outer) {
    for (SparseMatrix::InnerIterator entry(values, outer); entry; ++entry) {
      if (std::isfinite(entry.value())) continue;
      return NotFiniteError(
          absl::StrCat(std::string(field), "[", entry.row(), "][", entry.col(), "]"),
          entry.value());
    }
  }
  return absl::OkStatus();
}

absl::Status CheckFinite(std::string_view field, const BlockMatrix& values) {
  for (size_t row = 0; row < values.block_count(); ++row) {
    for (size_t k = 0; k < values.Columns(row).size(); ++k) {
      const Matrix6& block = values.Blocks(row)[k];
      if (AreFinite(block)) continue;
      for (Eigen::Index i = 0; i < 36; ++i) {
        const double value = block(i / 6, i % 6);
        if (std::isfinite(value)) continue;
        return NotFiniteError(
            absl::StrCat(std::string(field), "[", 6 * row + static_cast<size_t>(i / 6), "][",
                         6 * uint64_t{values.Columns(row)[k]} + static_cast<uint64_t>(i % 6), "]"),
            value);
      }
    }
  }
  return absl::OkStatus();
}

}  // namespace talus
