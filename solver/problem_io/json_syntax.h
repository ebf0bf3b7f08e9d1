// Where a text that is not JSON stops being it: said once it is known to be none, by a second look
// that keeps nothing of the text.
#pragma once

#include <string_view>

#include "absl/status/status.h"

namespace talus {

// INVALID_ARGUMENT with line and column, of a text that could not be parsed.
absl::Status JsonSyntaxError(std::string_view text);

}  // namespace talus
