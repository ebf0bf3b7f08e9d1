// Writes the MCAP container, version 0 of the format (specification at mcap.dev/spec): messages in
// zstd chunks with CRC and message indexes, then a summary with statistics and chunk index.
//
// Makes bytes and touches no file: TakeBytes hands out whole records to append, so a file that was
// cut off behind any of them is readable up to there. Schemas and channels stand before the first
// chunk. Knows nothing of what the messages mean. Section names in the comments of the .cc are
// those of the specification.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace talus {

using McapMap = std::map<std::string, std::string>;

class McapWriter {
 public:
  // A chunk is closed once it holds `chunk_bytes` before compression.
  McapWriter(const std::string& profile, const std::string& library, size_t chunk_bytes);
  ~McapWriter();
  McapWriter(const McapWriter&) = delete;
  McapWriter& operator=(const McapWriter&) = delete;

  // Before the first message. Ids count from 1.
  uint16_t AddSchema(const std::string& name, const std::string& encoding, std::string_view data);
  uint16_t AddChannel(const std::string& topic, uint16_t schema_id,
                      const std::string& message_encoding, const McapMap& metadata = {});
  // Between chunks: closes the open one.
  void AddMetadata(const std::string& name, const McapMap& metadata);
  void AddAttachment(const std::string& name, const std::string& media_type, uint64_t time_ns,
                     std::string_view data);

  void AddMessage(uint16_t channel_id, uint64_t log_time_ns, std::string_view data);
  // No-op without messages in it.
  void CloseChunk();
  // Ends the file; nothing may be added afterwards.
  void Finish();

  // Whole records, to be appended to the file.
  std::string TakeBytes();
  // Of all records so far, taken or not; the open chunk and the end of the file not included.
  int64_t size() const { return size_; }
  bool chunk_open() const { return !chunk_.empty(); }
  // No more than this is added when the file ends now.
  int64_t most_rest() const;
  uint64_t message_count(uint16_t channel_id) const;

 private:
  using MessageIndex = std::vector<std::pair<uint64_t, uint64_t>>;  // log time, offset in the chunk

  void Emit(uint8_t opcode, std::string_view content);
  void EmitGroup(uint8_t opcode, const std::vector<std::string>& contents, std::string* offsets);
  std::string MakeStatistics() const;

  const size_t chunk_bytes_;
  void* const compressor_;  // ZSTD_CCtx
  std::string bytes_;
  int64_t size_ = 0;
  uint32_t crc_ = 0;  // of all bytes since the last section began
  std::vector<std::string> schemas_;
  std::vector<std::string> channels_;
  std::vector<std::string> chunk_indexes_;
  std::vector<std::string> attachment_indexes_;
  std::vector<std::string> metadata_indexes_;
  std::vector<uint64_t> message_counts_;  // by channel id - 1
  uint64_t first_time_ns_ = 0;
  uint64_t last_time_ns_ = 0;
  std::string chunk_;  // records of the open chunk
  uint64_t chunk_first_ns_ = 0;
  uint64_t chunk_last_ns_ = 0;
  std::map<uint16_t, MessageIndex> message_indexes_;  // of the open chunk
};

}  // namespace talus
