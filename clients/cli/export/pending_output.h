// A file or a folder that takes its place whole or not at all: made beside it as `PATH.tmp`, forced
// to the disk, then renamed. What was not committed is removed at the end.
#pragma once

#include <cstdio>
#include <memory>
#include <string>

#include "clients/cpp/result.h"

namespace talus::cli {

class PendingOutput {
 public:
  enum class Kind { kFile, kFolder };

  // kAlreadyExists: there is something at `path` and it may not be replaced.
  static client::Result<std::unique_ptr<PendingOutput>> Begin(const std::string& path, Kind kind,
                                                              bool replace);
  ~PendingOutput();
  PendingOutput(const PendingOutput&) = delete;
  PendingOutput& operator=(const PendingOutput&) = delete;

  // Where to write until Commit.
  const std::string& beside() const { return beside_; }
  // A file's bytes must have been forced to the disk.
  client::Result<client::Done> Commit();

 private:
  PendingOutput(std::string path, std::string beside)
      : path_(std::move(path)), beside_(std::move(beside)) {}

  std::string path_;
  std::string beside_;
  bool committed_ = false;
};

// A text file that is written front to back.
class TextFile {
 public:
  static client::Result<TextFile> Create(const std::string& path);

  client::Result<client::Done> Write(const std::string& text);
  // Forces it to the disk.
  client::Result<client::Done> Close();

 private:
  struct Closer {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  TextFile(std::string path, std::FILE* file) : path_(std::move(path)), file_(file) {}

  std::string path_;
  std::unique_ptr<std::FILE, Closer> file_;
};

}  // namespace talus::cli
