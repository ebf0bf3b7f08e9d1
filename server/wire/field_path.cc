#include "server/wire/field_path.h"

namespace talus::wire {

std::string FieldPath::ToString() const {
  std::string text = parent_ == nullptr ? std::string() : parent_->ToString();
  if (name_.empty()) return text;
  if (!text.empty()) text += '.';
  text += name_;
  if (index_ != kNoIndex) text += '[' + std::to_string(index_) + ']';
  return text;
}

absl::Status FieldPath::Error(std::string_view allowed) const {
  return absl::InvalidArgumentError(ToString() + ' ' + std::string(allowed));
}

absl::Status FieldPath::Error(std::string_view value, std::string_view allowed) const {
  return absl::InvalidArgumentError(ToString() + " = " + std::string(value) + ' ' +
                                    std::string(allowed));
}

absl::Status PrefixField(const absl::Status& status, std::string_view prefix) {
  if (status.ok() || prefix.empty()) return status;
  absl::Status prefixed(status.code(),
                        std::string(prefix) + '.' + std::string(status.message()));
  status.ForEachPayload([&](auto url, const auto& payload) { prefixed.SetPayload(url, payload); });
  return prefixed;
}

}  // namespace talus::wire
