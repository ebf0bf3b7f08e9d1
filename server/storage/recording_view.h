// The file of a recording, open to be read; it stays readable when it is deleted meanwhile.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/statusor.h"

namespace talus {

class RecordingView {
 public:
  // UNAVAILABLE (STORAGE), also for what is no regular file: it is neither followed nor waited on.
  static absl::StatusOr<std::shared_ptr<RecordingView>> Open(const std::string& path);
  ~RecordingView();
  RecordingView(const RecordingView&) = delete;
  RecordingView& operator=(const RecordingView&) = delete;

  // Fewer bytes where the file ends before. UNAVAILABLE.
  absl::StatusOr<std::string> Read(int64_t offset, int64_t count) const;
  int64_t size() const { return size_; }  // when it was opened

 private:
  RecordingView(int descriptor, std::string path, int64_t size)
      : descriptor_(descriptor), path_(std::move(path)), size_(size) {}

  const int descriptor_;
  const std::string path_;
  const int64_t size_;
};

}  // namespace talus
