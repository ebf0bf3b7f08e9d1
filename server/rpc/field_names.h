// Fields of failures in the words of whoever asked: what refuses a value names it as it knows it.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "absl/status/status.h"

namespace talus::rpc {

// The solver names fields from the root of a description, the caller knows them from the root of
// the request: `bodies[3]` becomes `PREFIX.bodies[3]`, `size(bodies)` `size(PREFIX.bodies)`. What
// the middle ring refuses names the request's fields already and stays as it is, and so does
// everything with an empty prefix.
absl::Status PrefixField(const absl::Status& status, const std::string& prefix);

// The same failure with its field, where it has one, as `rename` gives it; so in the message, which
// begins with it.
absl::Status RenameField(const absl::Status& status,
                         const std::function<std::string(std::string_view)>& rename);

}  // namespace talus::rpc
