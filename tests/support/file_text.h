// Files that a test writes in one call, with the mode it wants: what a server is given to read.
#pragma once

#include <sys/stat.h>

#include <fstream>
#include <string>

namespace talus::testing {

// `path`, after writing `text` to it and giving it the mode.
inline std::string WriteText(const std::string& path, const std::string& text, mode_t mode = 0600) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << text;
  chmod(path.c_str(), mode);
  return path;
}

}  // namespace talus::testing
