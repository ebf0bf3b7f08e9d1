// The files that come with a model: they are known by the names they came with and never touch the
// file system.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "absl/status/status.h"

namespace talus::model {

inline constexpr size_t kMaxFiles = 256;
inline constexpr size_t kMaxFileName = 255;  // bytes

// Borrowed.
struct ModelFile {
  std::string_view name;  // as in `arm/meshes/link.stl`
  std::string_view bytes;
};

// INVALID_ARGUMENT: too many, a name that is empty or too long, or one that is there twice. `field`
// names the list.
absl::Status ValidateFiles(std::span<const ModelFile> files, const char* field);

// The file that a URI of a model means: the one of this name, else the one with the longest name
// that is the end of the URI's path, as `meshes/link.stl` is of `package://arm/meshes/link.stl`;
// null where there is none.
const ModelFile* FindFile(std::span<const ModelFile> files, std::string_view uri);

}  // namespace talus::model
