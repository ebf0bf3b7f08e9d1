// Recorded frames: a file of talus.v1.Frame messages, each after its length as a varint. The first
// frame carries the layout, and so does each frame that changed it. Stands beside the wire:
// whatever received frames may record them. Promises that a frame is written whole or reported as
// an error, and that a torn tail (a writer that was killed) is told apart from the end of the file.
// It does not know where frames come from.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "clients/cpp/result.h"
#include "talus/v1/frame.pb.h"

namespace talus::client {

class FrameWriter {
 public:
  // Opens for writing and cuts the file to `keep_bytes` first; 0 starts a new file, or writes to
  // the device or pipe that is there.
  static Result<FrameWriter> Open(const std::string& path, int64_t keep_bytes = 0);

  // Written to the system when it returns, not yet forced to the disk.
  Result<Done> Write(const v1::Frame& frame);
  // Forces everything written to the disk.
  Result<Done> Sync();
  int64_t byte_size() const { return byte_size_; }

  FrameWriter(FrameWriter&& other) noexcept;
  FrameWriter& operator=(FrameWriter&& other) noexcept;
  ~FrameWriter();

 private:
  FrameWriter(std::string path, int descriptor, int64_t byte_size);

  std::string path_;
  int descriptor_ = -1;
  int64_t byte_size_ = 0;
};

class FrameReader {
 public:
  static Result<FrameReader> Open(const std::string& path);

  // False at the end of the file and at a torn tail; torn() tells which.
  bool Read(v1::Frame* frame);
  bool torn() const { return torn_; }
  // Bytes of the whole frames read so far.
  int64_t byte_offset() const { return byte_offset_; }

  FrameReader(FrameReader&&) noexcept;
  FrameReader& operator=(FrameReader&&) noexcept;
  ~FrameReader();

 private:
  struct Input;
  explicit FrameReader(std::unique_ptr<Input> input);

  std::unique_ptr<Input> input_;
  bool torn_ = false;
  int64_t byte_offset_ = 0;
};

}  // namespace talus::client
