// Resource names `scenes/{id}`, `snapshots/{id}` and `recordings/{id}`: the one place that knows
// the rule for ids.
//
// An id is 1 to 64 of ASCII letters, digits, '-', '_' and '.'. So an id holds no path separator and
// is safe inside a file name.
#pragma once

#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace talus {

// INVALID_ARGUMENT naming `field` unless `id` follows the rule.
absl::Status ValidateId(std::string_view id, const std::string& field);

// The id in `scenes/{id}` (`snapshots/{id}`); INVALID_ARGUMENT naming `field` when the name has
// another form.
absl::StatusOr<std::string> ParseSceneName(std::string_view name,
                                           const std::string& field = "scene");
absl::StatusOr<std::string> ParseSnapshotName(std::string_view name,
                                              const std::string& field = "snapshot");
absl::StatusOr<std::string> ParseRecordingName(std::string_view name,
                                               const std::string& field = "recording");

std::string FormatSceneName(std::string_view id);
std::string FormatSnapshotName(std::string_view id);
std::string FormatRecordingName(std::string_view id);

}  // namespace talus
