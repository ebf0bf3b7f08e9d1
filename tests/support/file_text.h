// Files that a test writes in one call, with the mode it wants, and reads in one.
#pragma once

#include <sys/stat.h>

#include <fstream>
#include <iterator>
#include <string>

namespace talus::testing {

// `path`, after writing `text` to it and giving it the mode.
inline std::string WriteText(const std::string& path, const std::string& text, mode_t mode = 0600) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << text;
  chmod(path.c_str(), mode);
  return path;
}

// All of a file; empty when there is none.
inline std::string ReadText(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace talus::testing
