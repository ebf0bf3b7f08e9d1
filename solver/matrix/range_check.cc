#include "solver/matrix/range_check.h"

#include <cmath>
#include <cstdint>
#include <string>

#include "absl/strings/str_cat.h"
#include "solver/base/field_error.h"
#include "solver/base/limits.h"
#include "solver/base/status.h"

namespace talus {

absl::Status CheckRange(std::string_view place, double value, double most) {
  if (std::abs(value) <= most) return absl::OkStatus();
  return FieldError(place, FormatValue(value),
                    std::isfinite(value) ? absl::StrCat("must be in [", -most, ", ", most, "]")
                                         : "must be finite");
}

absl::Status CheckRange(std::string_view field, const Eigen::VectorXd& values, double most) {
  if (AreWithin(values, most)) return absl::OkStatus();
  for (Eigen::Index i = 0; i < values.size(); ++i) {
    if (std::abs(values[i]) <= most) continue;
    return CheckRange(absl::StrCat(std::string(field), "[", i, "]"), values[i], most);
  }
  return absl::OkStatus();
}

absl::Status CheckRange(std::string_view field, const SparseMatrix& values, double most) {
  for (Eigen::Index outer = 0; outer < values.outerSize(); ++outer) {
    for (SparseMatrix::InnerIterator entry(values, outer); entry; ++entry) {
      if (std::abs(entry.value()) <= most) continue;
      return CheckRange(absl::StrCat(std::string(field), "[", entry.row(), "][", entry.col(), "]"),
                        entry.value(), most);
    }
  }
  return absl::OkStatus();
}

absl::Status CheckRange(std::string_view field, const BlockMatrix& values, double most) {
  for (size_t row = 0; row < values.block_count(); ++row) {
    for (size_t k = 0; k < values.Columns(row).size(); ++k) {
      const Matrix6& block = values.Blocks(row)[k];
      if (AreWithin(block, most)) continue;
      for (Eigen::Index i = 0; i < 36; ++i) {
        TALUS_RETURN_IF_ERROR(CheckRange(
            absl::StrCat(std::string(field), "[", 6 * row + static_cast<size_t>(i / 6), "][",
                         6 * uint64_t{values.Columns(row)[k]} + static_cast<uint64_t>(i % 6), "]"),
            block(i / 6, i % 6), most));
      }
    }
  }
  return absl::OkStatus();
}

bool IsCoefficient(double value) { return value >= 0.0 && value <= kMaxFriction; }

absl::Status CheckCoefficient(std::string_view place, double value) {
  if (IsCoefficient(value)) return absl::OkStatus();
  return FieldError(place, FormatValue(value), absl::StrCat("must be in [0, ", kMaxFriction, "]"));
}

}  // namespace talus
