// The file in which bytes stand for a reader that wants a path; it goes with the process.
#pragma once

#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "solver/base/check.h"

namespace talus::fuzz {

class ScratchFile {
 public:
  ScratchFile()
      : path_(
            (std::filesystem::temp_directory_path() / ("talus-fuzz-" + std::to_string(::getpid())))
                .string()) {}
  ~ScratchFile() { std::remove(path_.c_str()); }
  ScratchFile(const ScratchFile&) = delete;
  ScratchFile& operator=(const ScratchFile&) = delete;

  const std::string& Write(std::string_view bytes) {
    std::ofstream file(path_, std::ios::binary | std::ios::trunc);
    file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    file.close();
    TALUS_CHECK(file.good());
    return path_;
  }

 private:
  const std::string path_;
};

inline ScratchFile& Scratch() {
  static ScratchFile file;
  return file;
}

}  // namespace talus::fuzz
