#include "server/model/model_file.h"

#include <cstdint>
#include <set>
#include <string>

#include "solver/base/field_error.h"

namespace talus::model {
namespace {

bool IsEndOfPath(std::string_view name, std::string_view path) {
  return path.ends_with(name) &&
         (path.size() == name.size() || path[path.size() - name.size() - 1] == '/');
}

}  // namespace

absl::Status ValidateFiles(std::span<const ModelFile> files, const char* field) {
  if (files.size() > kMaxFiles) {
    return FieldError("size(" + std::string(field) + ")", FormatValue(uint64_t{files.size()}),
                      "must be in [0, 256]");
  }
  std::set<std::string_view> names;
  for (size_t index = 0; index < files.size(); ++index) {
    const std::string_view name = files[index].name;
    const std::string path = std::string(field) + "[" + std::to_string(index) + "].name";
    if (name.empty() || name.size() > kMaxFileName) {
      return FieldError(path, FormatValue(name), "must have 1 to 255 bytes");
    }
    if (!names.insert(name).second) {
      return FieldError(path, FormatValue(name), "must differ from those of the other files");
    }
  }
  return absl::OkStatus();
}

const ModelFile* FindFile(std::span<const ModelFile> files, std::string_view uri) {
  const size_t scheme = uri.find("://");
  const std::string_view path = scheme == std::string_view::npos ? uri : uri.substr(scheme + 3);
  const ModelFile* found = nullptr;
  for (const ModelFile& file : files) {
    if (file.name == uri) return &file;
    if (file.name.empty() || !IsEndOfPath(file.name, path)) continue;
    if (found == nullptr || file.name.size() > found->name.size()) found = &file;
  }
  return found;
}

}  // namespace talus::model
