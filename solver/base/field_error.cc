#include "solver/base/field_error.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <string>

#include "absl/strings/cord.h"

namespace talus {
namespace {

constexpr char kPayloadUrl[] = "talus/field_error";
constexpr size_t kMaxShownText = 80;

// Parts are joined by a byte that none of them holds: fields and bounds are our own words, values
// are escaped.
constexpr char kSeparator = '\x1f';

}  // namespace

absl::Status FieldError(std::string_view field, std::string_view value, std::string_view allowed,
                        absl::StatusCode code) {
  std::string message(field);
  message.append(" = ").append(value).append(" ").append(allowed);
  absl::Status status(code, message);
  std::string payload(field);
  payload.push_back(kSeparator);
  payload.append(value);
  payload.push_back(kSeparator);
  payload.append(allowed);
  status.SetPayload(kPayloadUrl, absl::Cord(std::move(payload)));
  return status;
}

std::optional<FieldErrorParts> GetFieldError(const absl::Status& status) {
  const auto payload = status.GetPayload(kPayloadUrl);
  if (!payload.has_value()) return std::nullopt;
  const std::string text(*payload);
  const size_t first = text.find(kSeparator);
  const size_t second = text.find(kSeparator, first + 1);
  if (first == std::string::npos || second == std::string::npos) return std::nullopt;
  return FieldErrorParts{text.substr(0, first), text.substr(first + 1, second - first - 1),
                         text.substr(second + 1)};
}

std::string FormatValue(double value) {
  if (std::isnan(value)) return "nan";
  std::array<char, 32> text;
  const auto result = std::to_chars(text.data(), text.data() + text.size(), value);
  return std::string(text.data(), result.ptr);
}

std::string FormatValue(int64_t value) { return std::to_string(value); }
std::string FormatValue(uint64_t value) { return std::to_string(value); }

std::string FormatValue(std::string_view text) {
  std::string shown = "\"";
  for (const char c : text.substr(0, kMaxShownText)) {
    if (c == '"' || c == '\\') {
      shown.push_back('\\');
      shown.push_back(c);
    } else if (c >= ' ' && c <= '~') {
      shown.push_back(c);
    } else {
      std::array<char, 5> escaped;
      std::snprintf(escaped.data(), escaped.size(), "\\x%02x", static_cast<unsigned char>(c));
      shown.append(escaped.data());
    }
  }
  shown.push_back('"');
  if (text.size() > kMaxShownText) shown.append("...");
  return shown;
}

}  // namespace talus
