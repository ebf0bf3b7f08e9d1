#include "solver/scene/field_checks.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>

#include "solver/base/field_error.h"
#include "solver/base/limits.h"
#include "solver/base/status.h"

namespace talus {
namespace {

constexpr const char* kComponents[] = {"x", "y", "z"};

absl::Status Refuse(const FieldPath& path, double value, const std::string& allowed) {
  return FieldError(path.ToString(), FormatValue(value), allowed);
}

template <typename T>
std::string AllowedRange(T low, T high) {
  std::string text = "must be in [";
  return text.append(FormatValue(low)).append(", ").append(FormatValue(high)).append("]");
}

std::string FormatTuple(std::initializer_list<double> values) {
  std::string text = "(";
  for (const double value : values) {
    if (text.size() > 1) text.append(", ");
    text.append(FormatValue(value));
  }
  return text.append(")");
}

}  // namespace

std::string FieldPath::ToString() const {
  std::string text = parent_ != nullptr ? parent_->ToString() + "." : std::string();
  text += name_;
  if (index_ != kNoIndex) text.append("[").append(std::to_string(index_)).append("]");
  return text;
}

absl::Status CheckMagnitude(const FieldPath& path, double value, double limit) {
  if (!std::isfinite(value)) return Refuse(path, value, "must be finite");
  if (std::abs(value) <= limit) return absl::OkStatus();
  return Refuse(path, value, AllowedRange(-limit, limit));
}

absl::Status CheckMagnitude(const FieldPath& path, const Vec3& value, double limit) {
  for (int axis = 0; axis < 3; ++axis) {
    TALUS_RETURN_IF_ERROR(CheckMagnitude(FieldPath(path, kComponents[axis]), value[axis], limit));
  }
  return absl::OkStatus();
}

absl::Status CheckRange(const FieldPath& path, double value, double low, double high) {
  if (value >= low && value <= high) return absl::OkStatus();
  return Refuse(path, value, AllowedRange(low, high));
}

absl::Status CheckRange(const FieldPath& path, int64_t value, int64_t low, int64_t high) {
  if (value >= low && value <= high) return absl::OkStatus();
  return FieldError(path.ToString(), FormatValue(value), AllowedRange(low, high));
}

absl::Status CheckPositive(const FieldPath& path, double value, double low, double high) {
  if (!(value > 0.0)) return Refuse(path, value, "must be > 0");
  if (!std::isfinite(value)) return Refuse(path, value, "must be finite");
  return CheckRange(path, value, low, high);
}

absl::Status CheckPositive(const FieldPath& path, const Vec3& value, double low, double high) {
  for (int axis = 0; axis < 3; ++axis) {
    TALUS_RETURN_IF_ERROR(
        CheckPositive(FieldPath(path, kComponents[axis]), value[axis], low, high));
  }
  return absl::OkStatus();
}

absl::Status CheckNotNegative(const FieldPath& path, double value, double high) {
  if (!(value >= 0.0)) return Refuse(path, value, "must be >= 0");
  if (!std::isfinite(value)) return Refuse(path, value, "must be finite");
  return CheckRange(path, value, 0.0, high);
}

absl::Status NormalizeOrientation(const FieldPath& path, Quat& orientation) {
  const double norm = orientation.norm();
  if (!(std::abs(norm - 1.0) <= kUnitTolerance)) {
    return FieldError(
        path.ToString(),
        FormatTuple({orientation.w(), orientation.x(), orientation.y(), orientation.z()}),
        "must be a unit quaternion (w, x, y, z)");
  }
  orientation.coeffs() /= norm;
  return absl::OkStatus();
}

absl::Status NormalizeDirection(const FieldPath& path, Vec3& direction) {
  if (!IsFinite(direction)) {
    return FieldError(path.ToString(), FormatVector(direction), "must be finite");
  }
  // Divided by the largest component first, so that no square over- or underflows.
  const double largest = direction.cwiseAbs().maxCoeff();
  if (largest == 0.0) {
    return FieldError(path.ToString(), FormatVector(direction), "must not be zero");
  }
  direction = (direction / largest).eval().normalized();
  return absl::OkStatus();
}

absl::Status CheckName(const FieldPath& path, std::string_view name) {
  const auto allowed = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_' || c == '.';
  };
  if (!name.empty() && name.size() <= kMaxNameLength &&
      std::all_of(name.begin(), name.end(), allowed)) {
    return absl::OkStatus();
  }
  return FieldError(path.ToString(), FormatValue(name),
                    "must be 1 to 64 ASCII letters, digits, '-', '_', '.'");
}

std::string FormatVector(const Vec3& value) {
  return FormatTuple({value.x(), value.y(), value.z()});
}

}  // namespace talus
