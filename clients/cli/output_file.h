// Files that are there whole or not at all: written beside their place, forced to the disk, then
// renamed. Whatever a run leaves behind goes through here, so that a kill at any moment leaves the
// old file or the new one.
#pragma once

#include <string>

#include "clients/cpp/result.h"

namespace talus::cli {

client::Result<client::Done> WriteFileAtomically(const std::string& path, const std::string& bytes);
// kNotFound when there is no such file.
client::Result<std::string> ReadFile(const std::string& path);

}  // namespace talus::cli
