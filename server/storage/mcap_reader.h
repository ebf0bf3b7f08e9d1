// Reads an MCAP file front to back, as far as it is whole: schemas, channels, attachments, metadata
// and the messages of its chunks, in the order they were written.
//
// A file that was cut off ends where its last whole record does, and `truncated` says so; a record
// that is there but wrong (a CRC, a length, a chunk beyond the bound) is DATA_LOSS. Indexes and
// summary are passed over. Believes nothing it reads: whatever is allocated is bounded by the file
// or by kMostChunkBytes.
#pragma once

#include <cstdint>
#include <fstream>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

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
  static constexpr uint64_t kMostChunkBytes = uint64_t{1} << 30;

  // UNAVAILABLE: the file cannot be opened. DATA_LOSS: no MCAP file.
  static absl::StatusOr<McapReader> Open(const std::string& path);

  // DATA_LOSS: a record is wrong.
  absl::StatusOr<McapItem> Next();
  // At the end: the file has no end of its own.
  bool truncated() const { return truncated_; }

 private:
  McapReader(std::ifstream file, uint64_t size, bool has_end)
      : file_(std::move(file)), left_(size), has_end_(has_end) {}

  // Reads the next record of the file into record_. False: the end.
  bool ReadRecord(uint8_t* opcode);
  absl::StatusOr<bool> TakeRecord(uint8_t opcode, std::string_view content, McapItem* item);
  absl::Status OpenChunk(std::string_view content);

  std::ifstream file_;
  uint64_t left_;  // bytes of the file not yet read
  bool has_end_;   // the file ends as a finished one does
  bool truncated_ = false;
  bool ended_ = false;
  std::string record_;
  std::string chunk_;
  size_t chunk_position_ = 0;
  std::map<uint16_t, std::string> topics_;
};

}  // namespace talus
