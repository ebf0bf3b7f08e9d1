// Whole text files, read and written at once, with the file's name in the error: what the programs
// of this folder hand to each other.
#pragma once

#include <fstream>
#include <sstream>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace talus::peers {

inline absl::StatusOr<std::string> ReadTextFile(const std::string& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  if (!file) return absl::NotFoundError("cannot read " + path);
  return text.str();
}

inline absl::Status WriteTextFile(const std::string& path, const std::string& text) {
  std::ofstream file(path);
  file << text;
  file.close();
  return file ? absl::OkStatus() : absl::UnavailableError("cannot write " + path);
}

}  // namespace talus::peers
