// A file or a folder that takes its place whole or not at all: made beside it as `PATH.tmp`, forced
// to the disk, then renamed. What was not committed is removed at the end. A folder's `PATH.tmp`,
// and `PATH.old` where one is replaced, are taken for what a killed program left, and removed.
// Links stay; what they lead to is replaced. A device, a pipe or a socket cannot be replaced: it is
// written to at once.
#pragma once

#include <memory>
#include <string>
#include <utility>

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

  // Where to write until Commit; the place itself where that is a device, a pipe or a socket.
  const std::string& beside() const { return beside_; }
  // A file's bytes must have been forced to the disk.
  client::Result<client::Done> Commit();

 private:
  PendingOutput(std::string path, std::string beside, Kind kind)
      : path_(std::move(path)), beside_(std::move(beside)), kind_(kind) {}

  std::string path_;
  std::string beside_;
  Kind kind_;
  bool committed_ = false;
};

}  // namespace talus::cli
