#include "server/storage/mcap_writer.h"

#include <zlib.h>
#include <zstd.h>

#include <algorithm>

#include "server/storage/mcap_format.h"
#include "solver/base/check.h"

namespace talus {
namespace {

using mcap::Put;
using mcap::PutString;

// Fast enough to keep up with a scene; what it saves is mostly zeros and repeated exponents.
constexpr int kZstdLevel = 1;

uint32_t ExtendCrc(uint32_t crc, std::string_view bytes) {
  return static_cast<uint32_t>(
      crc32_z(crc, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

// "Map<key_type, value_type>".
void PutMap(const McapMap& map, std::string* out) {
  std::string entries;
  for (const auto& [key, value] : map) {
    PutString(key, &entries);
    PutString(value, &entries);
  }
  PutString(entries, out);
}

}  // namespace

McapWriter::McapWriter(const std::string& profile, const std::string& library, size_t chunk_bytes)
    : chunk_bytes_(chunk_bytes), compressor_(ZSTD_createCCtx()) {
  TALUS_CHECK(compressor_ != nullptr);
  bytes_ = mcap::kMagic;
  size_ = static_cast<int64_t>(bytes_.size());
  crc_ = ExtendCrc(0, bytes_);
  std::string header;  // "Header (op=0x01)"
  PutString(profile, &header);
  PutString(library, &header);
  Emit(mcap::kHeader, header);
}

McapWriter::~McapWriter() { ZSTD_freeCCtx(static_cast<ZSTD_CCtx*>(compressor_)); }

uint16_t McapWriter::AddSchema(const std::string& name, const std::string& encoding,
                               std::string_view data) {
  const auto id = static_cast<uint16_t>(schemas_.size() + 1);
  std::string content;  // "Schema (op=0x03)"
  Put(id, &content);
  PutString(name, &content);
  PutString(encoding, &content);
  PutString(data, &content);
  Emit(mcap::kSchema, content);
  schemas_.push_back(std::move(content));
  return id;
}

uint16_t McapWriter::AddChannel(const std::string& topic, uint16_t schema_id,
                                const std::string& message_encoding, const McapMap& metadata) {
  const auto id = static_cast<uint16_t>(channels_.size() + 1);
  std::string content;  // "Channel (op=0x04)"
  Put(id, &content);
  Put(schema_id, &content);
  PutString(topic, &content);
  PutString(message_encoding, &content);
  PutMap(metadata, &content);
  Emit(mcap::kChannel, content);
  channels_.push_back(std::move(content));
  message_counts_.push_back(0);
  return id;
}

void McapWriter::AddMetadata(const std::string& name, const McapMap& metadata) {
  CloseChunk();
  const auto offset = static_cast<uint64_t>(size_);
  std::string content;  // "Metadata (op=0x0C)"
  PutString(name, &content);
  PutMap(metadata, &content);
  Emit(mcap::kMetadata, content);
  std::string index;  // "Metadata Index (op=0x0D)"
  Put(offset, &index);
  Put(static_cast<uint64_t>(size_) - offset, &index);
  PutString(name, &index);
  metadata_indexes_.push_back(std::move(index));
}

void McapWriter::AddAttachment(const std::string& name, const std::string& media_type,
                               uint64_t time_ns, std::string_view data) {
  CloseChunk();
  const auto offset = static_cast<uint64_t>(size_);
  std::string content;  // "Attachment (op=0x09)"
  Put(time_ns, &content);
  Put(time_ns, &content);
  PutString(name, &content);
  PutString(media_type, &content);
  Put(static_cast<uint64_t>(data.size()), &content);
  content += data;
  Put(ExtendCrc(0, content), &content);
  Emit(mcap::kAttachment, content);
  std::string index;  // "Attachment Index (op=0x0A)"
  Put(offset, &index);
  Put(static_cast<uint64_t>(size_) - offset, &index);
  Put(time_ns, &index);
  Put(time_ns, &index);
  Put(static_cast<uint64_t>(data.size()), &index);
  PutString(name, &index);
  PutString(media_type, &index);
  attachment_indexes_.push_back(std::move(index));
}

void McapWriter::AddMessage(uint16_t channel_id, uint64_t log_time_ns, std::string_view data) {
  uint64_t& count = message_counts_.at(channel_id - 1u);
  if (chunk_.empty()) chunk_first_ns_ = chunk_last_ns_ = log_time_ns;
  chunk_first_ns_ = std::min(chunk_first_ns_, log_time_ns);
  chunk_last_ns_ = std::max(chunk_last_ns_, log_time_ns);
  message_indexes_[channel_id].emplace_back(log_time_ns, chunk_.size());
  // "Message (op=0x05)".
  Put(mcap::kMessage, &chunk_);
  Put(static_cast<uint64_t>(2 + 4 + 8 + 8 + data.size()), &chunk_);
  Put(channel_id, &chunk_);
  Put(static_cast<uint32_t>(count), &chunk_);  // sequence
  Put(log_time_ns, &chunk_);
  Put(log_time_ns, &chunk_);  // publish time
  chunk_ += data;
  ++count;
  if (chunk_.size() >= chunk_bytes_) CloseChunk();
}

void McapWriter::CloseChunk() {
  if (chunk_.empty()) return;
  std::string packed(ZSTD_compressBound(chunk_.size()), '\0');
  const size_t packed_size =
      ZSTD_compressCCtx(static_cast<ZSTD_CCtx*>(compressor_), packed.data(), packed.size(),
                        chunk_.data(), chunk_.size(), kZstdLevel);
  TALUS_CHECK(!ZSTD_isError(packed_size));
  packed.resize(packed_size);
  const auto offset = static_cast<uint64_t>(size_);
  std::string content;  // "Chunk (op=0x06)"
  Put(chunk_first_ns_, &content);
  Put(chunk_last_ns_, &content);
  Put(static_cast<uint64_t>(chunk_.size()), &content);
  Put(ExtendCrc(0, chunk_), &content);
  PutString(mcap::kCompression, &content);
  Put(static_cast<uint64_t>(packed.size()), &content);
  content += packed;
  Emit(mcap::kChunk, content);
  const auto indexes_begin = static_cast<uint64_t>(size_);
  std::string index_offsets;
  for (const auto& [channel_id, messages] : message_indexes_) {
    Put(channel_id, &index_offsets);
    Put(static_cast<uint64_t>(size_), &index_offsets);
    std::string entries;
    for (const auto& [time_ns, position] : messages) {
      Put(time_ns, &entries);
      Put(position, &entries);
    }
    std::string index;  // "Message Index (op=0x07)"
    Put(channel_id, &index);
    PutString(entries, &index);
    Emit(mcap::kMessageIndex, index);
  }
  std::string index;  // "Chunk Index (op=0x08)"
  Put(chunk_first_ns_, &index);
  Put(chunk_last_ns_, &index);
  Put(offset, &index);
  Put(indexes_begin - offset, &index);
  PutString(index_offsets, &index);
  Put(static_cast<uint64_t>(size_) - indexes_begin, &index);
  PutString(mcap::kCompression, &index);
  Put(static_cast<uint64_t>(packed.size()), &index);
  Put(static_cast<uint64_t>(chunk_.size()), &index);
  const bool first = chunk_indexes_.empty();
  first_time_ns_ = first ? chunk_first_ns_ : std::min(first_time_ns_, chunk_first_ns_);
  last_time_ns_ = first ? chunk_last_ns_ : std::max(last_time_ns_, chunk_last_ns_);
  chunk_indexes_.push_back(std::move(index));
  chunk_.clear();
  message_indexes_.clear();
}

void McapWriter::Finish() {
  CloseChunk();
  std::string data_end;  // "Data End (op=0x0F)"
  Put(crc_, &data_end);
  Emit(mcap::kDataEnd, data_end);
  crc_ = 0;
  const auto summary_start = static_cast<uint64_t>(size_);
  std::string offsets;  // "Summary Offset Section", one record after the other
  EmitGroup(mcap::kSchema, schemas_, &offsets);
  EmitGroup(mcap::kChannel, channels_, &offsets);
  EmitGroup(mcap::kStatistics, {MakeStatistics()}, &offsets);
  EmitGroup(mcap::kChunkIndex, chunk_indexes_, &offsets);
  EmitGroup(mcap::kAttachmentIndex, attachment_indexes_, &offsets);
  EmitGroup(mcap::kMetadataIndex, metadata_indexes_, &offsets);
  const auto offsets_start = static_cast<uint64_t>(size_);
  bytes_ += offsets;
  size_ += static_cast<int64_t>(offsets.size());
  crc_ = ExtendCrc(crc_, offsets);
  std::string footer;  // "Footer (op=0x02)": the CRC goes up to the field before it
  Put(mcap::kFooter, &footer);
  Put(uint64_t{20}, &footer);
  Put(summary_start, &footer);
  Put(offsets_start, &footer);
  Put(ExtendCrc(crc_, footer), &footer);
  footer += mcap::kMagic;
  bytes_ += footer;
  size_ += static_cast<int64_t>(footer.size());
}

std::string McapWriter::TakeBytes() { return std::exchange(bytes_, {}); }

int64_t McapWriter::most_rest() const {
  // Of a chunk: what does not compress, and indexes of 16 bytes a message, which itself has 31.
  size_t bytes =
      ZSTD_compressBound(chunk_.size()) + chunk_.size() / 2 + 1024 + 256 * channels_.size();
  for (const auto* group : {&schemas_, &channels_, &attachment_indexes_, &metadata_indexes_}) {
    for (const std::string& content : *group) bytes += content.size() + mcap::kRecordHead;
  }
  bytes += (chunk_indexes_.size() + 1) * (128 + 10 * channels_.size());
  return static_cast<int64_t>(bytes);
}

uint64_t McapWriter::message_count(uint16_t channel_id) const {
  return message_counts_.at(channel_id - 1u);
}

void McapWriter::Emit(uint8_t opcode, std::string_view content) {
  const size_t begin = bytes_.size();
  Put(opcode, &bytes_);
  Put(static_cast<uint64_t>(content.size()), &bytes_);
  bytes_ += content;
  const std::string_view record = std::string_view(bytes_).substr(begin);
  crc_ = ExtendCrc(crc_, record);
  size_ += static_cast<int64_t>(record.size());
}

void McapWriter::EmitGroup(uint8_t opcode, const std::vector<std::string>& contents,
                           std::string* offsets) {
  if (contents.empty()) return;
  const auto begin = static_cast<uint64_t>(size_);
  for (const std::string& content : contents) Emit(opcode, content);
  // "Summary Offset (op=0x0E)".
  Put(mcap::kSummaryOffset, offsets);
  Put(uint64_t{17}, offsets);
  Put(opcode, offsets);
  Put(begin, offsets);
  Put(static_cast<uint64_t>(size_) - begin, offsets);
}

std::string McapWriter::MakeStatistics() const {
  uint64_t messages = 0;
  std::string by_channel;
  for (size_t channel = 0; channel < message_counts_.size(); ++channel) {
    messages += message_counts_[channel];
    Put(static_cast<uint16_t>(channel + 1), &by_channel);
    Put(message_counts_[channel], &by_channel);
  }
  std::string content;  // "Statistics (op=0x0B)"
  Put(messages, &content);
  Put(static_cast<uint16_t>(schemas_.size()), &content);
  Put(static_cast<uint32_t>(channels_.size()), &content);
  Put(static_cast<uint32_t>(attachment_indexes_.size()), &content);
  Put(static_cast<uint32_t>(metadata_indexes_.size()), &content);
  Put(static_cast<uint32_t>(chunk_indexes_.size()), &content);
  Put(first_time_ns_, &content);
  Put(last_time_ns_, &content);
  PutString(by_channel, &content);
  return content;
}

}  // namespace talus
