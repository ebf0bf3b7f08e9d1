#include "server/session/resource_name.h"

#include "server/session/error.h"
#include "solver/base/field_error.h"

namespace talus {
namespace {

constexpr std::string_view kScenes = "scenes/";
constexpr std::string_view kSnapshots = "snapshots/";
constexpr std::string_view kRecordings = "recordings/";
constexpr size_t kLongestId = 64;

bool IsIdCharacter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
         c == '_' || c == '.';
}

absl::StatusOr<std::string> ParseName(std::string_view prefix, std::string_view name,
                                      const std::string& field) {
  const bool ours = name.substr(0, prefix.size()) == prefix;
  if (!ours || !ValidateId(name.substr(prefix.size()), field).ok()) {
    return InvalidFieldError(field, FormatValue(name),
                             "must be " + std::string(prefix) +
                                 "{id} with an id of 1 to 64 letters, digits, '-', '_', '.'");
  }
  return std::string(name.substr(prefix.size()));
}

}  // namespace

absl::Status ValidateId(std::string_view id, const std::string& field) {
  bool valid = !id.empty() && id.size() <= kLongestId;
  for (const char c : id) valid = valid && IsIdCharacter(c);
  if (valid) return absl::OkStatus();
  return InvalidFieldError(field, FormatValue(id),
                           "must be 1 to 64 letters, digits, '-', '_', '.'");
}

absl::StatusOr<std::string> ParseSceneName(std::string_view name, const std::string& field) {
  return ParseName(kScenes, name, field);
}

absl::StatusOr<std::string> ParseSnapshotName(std::string_view name, const std::string& field) {
  return ParseName(kSnapshots, name, field);
}

absl::StatusOr<std::string> ParseRecordingName(std::string_view name, const std::string& field) {
  return ParseName(kRecordings, name, field);
}

std::string FormatSceneName(std::string_view id) { return std::string(kScenes) + std::string(id); }

std::string FormatSnapshotName(std::string_view id) {
  return std::string(kSnapshots) + std::string(id);
}

std::string FormatRecordingName(std::string_view id) {
  return std::string(kRecordings) + std::string(id);
}

}  // namespace talus
