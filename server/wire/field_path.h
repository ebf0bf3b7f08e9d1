// The path of a field in a request, as in `spec.bodies[3].shapes[0].geometry`, for error messages.
//
// A path is a chain of nodes on the stack, one a message level, turned into text only when something is wrong: decoding
// ten thousand good bodies builds no string. Nodes must not outlive the names and parents they point to.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "absl/status/status.h"

namespace talus::wire {

class FieldPath {
 public:
  FieldPath() = default;  // the request itself

  FieldPath Field(std::string_view name) const { return FieldPath(this, name, kNoIndex); }
  FieldPath Element(std::string_view name, size_t index) const {
    return FieldPath(this, name, index);
  }
  std::string ToString() const;

  // INVALID_ARGUMENT `PATH must ...`.
  absl::Status Error(std::string_view allowed) const;
  // INVALID_ARGUMENT `PATH = VALUE must ...`.
  absl::Status Error(std::string_view value, std::string_view allowed) const;

 private:
  static constexpr size_t kNoIndex = static_cast<size_t>(-1);
  FieldPath(const FieldPath* parent, std::string_view name, size_t index)
      : parent_(parent), name_(name), index_(index) {}

  const FieldPath* parent_ = nullptr;
  std::string_view name_;
  size_t index_ = kNoIndex;
};

// A status of the solver about a description, with the path of that description in the request put before the field it
// names: `bodies[3].mass_kg = -2 ...` becomes `spec.bodies[3].mass_kg = -2 ...`. OK stays OK.
absl::Status PrefixField(const absl::Status& status, std::string_view prefix);

}  // namespace talus::wire
