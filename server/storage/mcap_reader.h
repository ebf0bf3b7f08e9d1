// Reads an MCAP file front to back, as far as it is whole: schemas, channels, attachments, metadata
// and the messages of its chunks, in the order they were written.
//
// A file that was cut off ends where its last whole record does, and so does one with a record
// beyond the bound; `truncated` says so. A record that is there but wrong (a CRC, a chunk's size)
// is DATA_LOSS. What is none of these is passed over unread. Believes nothing it reads: whatever is
// allocated is bounded by the file and by the bounds below.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "server/storage/recording_view.h"

namespace talus {

struct McapItem {
  enum class Kind { kEnd, kMessage, kAttachment, kMetadata };
  Kind kind = Kind::kEnd;
  std::string name;       // topic, or name of the attachment or metadata
  uint64_t time_ns = 0;   // log time
  std::string_view data;  // of message or attachment, valid until the next call
  std::map<std::string, std::string> metadata;
};

class McapReader {
 public:
  // Before compression.
  static constexpr int64_t kMostChunkBytes = int64_t{1} << 30;
  // Of an attachment, a chunk as it is packed and the like.
  static constexpr int64_t kMostRecordBytes = int64_t{1} << 31;

  // Neither records nor chunks may be larger than `most_bytes`. UNAVAILABLE: the file cannot be
  // read. DATA_LOSS: no MCAP file.
  static absl::StatusOr<McapReader> Open(const std::string& path);
  static absl::StatusOr<McapReader> Make(std::shared_ptr<RecordingView> view, int64_t most_bytes);

  // DATA_LOSS: a record is wrong. UNAVAILABLE: the file cannot be read.
  absl::StatusOr<McapItem> Next();
  // At the end: the file has no end of its own.
  bool truncated() const { return truncated_; }

 private:
  McapReader(std::shared_ptr<RecordingView> view, int64_t most_bytes, bool has_end);

  // Reads the next record of the file that is not passed over into record_. False: the end.
  absl::StatusOr<bool> ReadRecord(uint8_t* opcode);
  absl::StatusOr<bool> TakeRecord(uint8_t opcode, std::string_view content, McapItem* item);
  absl::Status OpenChunk(std::string_view content);

  std::shared_ptr<RecordingView> view_;
  int64_t most_bytes_;
  int64_t position_;  // in the file
  bool has_end_;      // the file ends as a finished one does
  bool truncated_ = false;
  bool ended_ = false;
  std::string record_;
  std::string chunk_;
  size_t chunk_position_ = 0;
  std::map<uint16_t, std::string> topics_;
};

}  // namespace talus
