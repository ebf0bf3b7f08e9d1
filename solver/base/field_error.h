// An INVALID_ARGUMENT that names the field, the value that was met and what would have been
// allowed, both as a sentence
// (`bodies[3].mass_kg = -2 must be > 0`) and in parts, so that a caller can hand them on without
// parsing the sentence.
//
// The parts travel as a payload of the Status. Values are printed so that they read back to the
// same number; text is quoted, escaped to ASCII and cut, because it comes from outside and ends in
// logs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/status.h"

namespace talus {

struct FieldErrorParts {
  std::string field;    // `bodies[3].mass_kg`
  std::string value;    // `-2`
  std::string allowed;  // `must be > 0`
};

absl::Status FieldError(std::string_view field, std::string_view value, std::string_view allowed,
                        absl::StatusCode code = absl::StatusCode::kInvalidArgument);

// The parts of a Status made by FieldError; nothing for any other.
std::optional<FieldErrorParts> GetFieldError(const absl::Status& status);

// The value as a message shows it.
std::string FormatValue(double value);
std::string FormatValue(int64_t value);
std::string FormatValue(uint64_t value);
std::string FormatValue(std::string_view text);

}  // namespace talus
