#include "server/rpc/field_names.h"

#include <optional>

#include "server/session/error.h"
#include "solver/base/field_error.h"

namespace talus::rpc {

absl::Status PrefixField(const absl::Status& status, const std::string& prefix) {
  const std::optional<FieldErrorParts> parts = GetFieldError(status);
  if (!parts || prefix.empty()) return status;
  constexpr std::string_view kSizeOf = "size(";
  std::string field = parts->field;
  field.insert(field.rfind(kSizeOf, 0) == 0 ? kSizeOf.size() : 0, prefix + '.');
  return FieldError(field, parts->value, parts->allowed, status.code());
}

absl::Status RenameField(const absl::Status& status,
                         const std::function<std::string(std::string_view)>& rename) {
  if (status.ok()) return status;
  ErrorInfo info = FindErrorInfo(status);
  std::string field = rename(info.field);
  if (info.field.empty() || field == info.field) return status;
  std::string message(status.message());
  if (message.rfind(info.field, 0) == 0) message.replace(0, info.field.size(), field);
  info.field = std::move(field);
  return MakeError(status.code(), message, info);
}

}  // namespace talus::rpc
