// Reads the messages of a recording front to back, as far as the file is whole. A recording is an
// MCAP file (mcap.dev/spec) whose messages stand in zstd chunks with a CRC; RecordingService in the
// schema says what is in it.
//
// A file that was cut off ends where its last whole chunk does, and truncated() says so; a record
// that is there but wrong is kDataLoss with the byte it begins at. Believes nothing it reads: what
// it allocates is bounded by the file or by kMostChunkBytes. Passes over attachments and indexes
// without reading them.
#pragma once

#include <cstdint>
#include <fstream>
#include <map>
#include <string>
#include <string_view>

#include "clients/cpp/result.h"

namespace talus::cli {

struct RecordedMessage {
  std::string topic;      // as in `/frames`
  std::string_view data;  // valid until the next call
};

class RecordingReader {
 public:
  // Before compression.
  static constexpr uint64_t kMostChunkBytes = uint64_t{1} << 30;

  // kNotFound: no such file. kInvalidArgument: no recording of ours.
  static client::Result<RecordingReader> Open(const std::string& path);

  // False at the end. kDataLoss: the file is damaged; nothing more comes.
  client::Result<bool> Next(RecordedMessage* message);

  // At the end: the file has no end of its own.
  bool truncated() const { return truncated_; }
  // What the recording says of itself: `scene`, `parts`, `every_n_steps`, `created_unix_ms`.
  const std::map<std::string, std::string>& about() const { return about_; }
  uint64_t byte_size() const { return size_; }
  uint64_t bytes_read() const { return position_; }

 private:
  RecordingReader(std::string path, std::ifstream file, uint64_t size, bool has_end);

  enum class Record { kNone, kChunk, kOther };
  client::Result<Record> ReadRecord();
  client::Result<bool> OpenChunk();
  bool TakeFromChunk(RecordedMessage* message, client::Error* error);
  client::Error Damaged(const std::string& what) const;

  std::string path_;
  std::ifstream file_;
  uint64_t size_ = 0;
  uint64_t position_ = 0;         // in the file, behind the last record
  uint64_t record_position_ = 0;  // where that began
  bool has_end_ = false;          // the file ends as a finished one does
  bool truncated_ = false;
  bool ended_ = false;
  std::string record_;
  std::string chunk_;
  size_t chunk_position_ = 0;
  std::map<uint16_t, std::string> topics_;
  std::map<std::string, std::string> about_;
};

}  // namespace talus::cli
