// Files as commands write and read them. What is to be there whole or not at all goes through
// pending_output.h, so that a kill at any moment leaves the old file or the new one.
#pragma once

#include <cstddef>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

#include "clients/cpp/result.h"

namespace talus::cli {

// A file that is written front to back.
class OutputFile {
 public:
  static client::Result<OutputFile> Create(const std::string& path);

  client::Result<client::Done> Write(std::string_view bytes);
  // Forces it to the disk.
  client::Result<client::Done> Close();

 private:
  struct Closer {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  OutputFile(std::string path, std::FILE* file) : path_(std::move(path)), file_(file) {}

  std::string path_;
  std::unique_ptr<std::FILE, Closer> file_;
};

// Written beside its place, forced to the disk, then renamed. kUnknown where that fails.
client::Result<client::Done> WriteFileAtomically(const std::string& path, const std::string& bytes);
// The largest file that is read whole: what a message may hold (client::kMostMessageMib).
inline constexpr size_t kMostFileMib = 2047;
// kNotFound when there is no such file; kResourceExhausted when it holds more, which is found out
// by reading: a device or a pipe has no size.
client::Result<std::string> ReadFile(const std::string& path, size_t most_mib = kMostFileMib);

// `cannot write PATH: No space left on device`; `code` is the system's. kUnknown.
client::Error FileError(const std::string& what, const std::string& path, int code);

}  // namespace talus::cli
