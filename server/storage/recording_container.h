// The file of a recording as it is written: what happened becomes messages in chunks, behind the
// state it began from.
//
// Keeps the account: info() tells what was taken, and once the disk has refused something, what the
// file holds. Belongs to the recording thread.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "server/storage/mcap_writer.h"
#include "server/storage/recording_store.h"
#include "server/stream/recording_codec.h"
#include "server/stream/scene_recorder.h"

namespace talus {

class RecordingContainer {
 public:
  // `file` is empty and grows to `most_bytes` at most.
  RecordingContainer(RecordingInfo info, std::unique_ptr<RecordingFile> file,
                     std::shared_ptr<const RecordingCodec> codec, int64_t most_bytes);

  // RESOURCE_EXHAUSTED (recording_bytes, storage_bytes): it can still be ended. UNAVAILABLE
  // (STORAGE): what the disk refused stays out. The state it begins from comes first and is on the
  // disk when the call returns.
  absl::Status Write(const RecordStart& start);
  absl::Status Write(const InputRecord& input);
  absl::Status Write(const FramePtr& frame);
  // What was taken is in the file then. Errors as above.
  absl::Status CloseChunk();
  // Forces the file to the disk. UNAVAILABLE.
  absl::Status Flush() { return file_->Flush(); }
  // The file's own end, with what `info` tells of the outcome; the last call, and none after the
  // disk has refused something. UNAVAILABLE.
  absl::Status Finish(const RecordingInfo& info);

  // The state it begins from is on the disk.
  bool began() const { return began_; }
  bool chunk_open() const { return writer_.chunk_open(); }
  // All of the file is on the disk.
  bool flushed() const { return file_->flushed(); }
  RecordingInfo info() const;

 private:
  void Open();
  absl::Status WriteMessage(RecordingTopic topic, double time_s, const std::string& bytes,
                            const RecordingInfo& then);
  absl::Status WriteOut(bool last = false);

  const std::unique_ptr<RecordingFile> file_;
  const std::shared_ptr<const RecordingCodec> codec_;
  const int64_t most_bytes_;
  McapWriter writer_;
  RecordingInfo taken_;
  RecordingInfo stored_;  // of what is taken, what is in the file
  bool refused_ = false;  // by the disk
  bool began_ = false;
  int64_t written_layout_ = -1;
};

}  // namespace talus
