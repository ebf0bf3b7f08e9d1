// The small questions validation asks of one field: is it finite, in range, a unit quaternion, a
// proper name? Each answers with OK or with a FieldError that names the field by its path.
//
// A path is a chain of borrowed parts on the stack; its text is only made when a check fails, so
// that validating a hundred thousand bodies does not build a million strings.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "solver/base/math.h"

namespace talus {

class FieldPath {
 public:
  static constexpr size_t kNoIndex = std::numeric_limits<size_t>::max();

  explicit FieldPath(const char* name, size_t index = kNoIndex) : name_(name), index_(index) {}
  FieldPath(const FieldPath& parent, const char* name, size_t index = kNoIndex)
      : parent_(&parent), name_(name), index_(index) {}

  // As in `bodies[3].mass_kg`.
  std::string ToString() const;

 private:
  const FieldPath* parent_ = nullptr;
  const char* name_;
  size_t index_;
};

// Finite and |value| <= limit.
absl::Status CheckMagnitude(const FieldPath& path, double value, double limit);
absl::Status CheckMagnitude(const FieldPath& path, const Vec3& value, double limit);
// low <= value <= high.
absl::Status CheckRange(const FieldPath& path, double value, double low, double high);
absl::Status CheckRange(const FieldPath& path, int64_t value, int64_t low, int64_t high);
// 0 < value, and low <= value <= high: the message says `must be > 0` where that is what is wrong.
absl::Status CheckPositive(const FieldPath& path, double value, double low, double high);
absl::Status CheckPositive(const FieldPath& path, const Vec3& value, double low, double high);
// 0 <= value <= high.
absl::Status CheckNotNegative(const FieldPath& path, double value, double high);

// A quaternion whose norm is off by more than kUnitTolerance is refused; any other is made unit.
absl::Status NormalizeOrientation(const FieldPath& path, Quat& orientation);
// Any finite vector but zero is made unit.
absl::Status NormalizeDirection(const FieldPath& path, Vec3& direction);

// 1 to 64 ASCII letters, digits, '-', '_', '.'.
absl::Status CheckName(const FieldPath& path, std::string_view name);

std::string FormatVector(const Vec3& value);

}  // namespace talus
