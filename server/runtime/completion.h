// What runs when a submitted call ends: exactly once, with the result or the failure.
//
// It runs on an executor thread, or inside Submit on the caller's thread when the call is refused
// at once or its answer is already known. It must not block. No lock of the server is held while it
// runs.
#pragma once

#include <functional>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace talus {

template <typename T>
using Completion = std::function<void(absl::StatusOr<T>)>;

using StatusCompletion = std::function<void(absl::Status)>;

}  // namespace talus
