#include "server/storage/mcap_reader.h"

#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <utility>

#include "server/session/error.h"
#include "server/storage/mcap_format.h"

namespace talus {
namespace {

using mcap::Cursor;

uint32_t CrcOf(std::string_view bytes) {
  return static_cast<uint32_t>(
      crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

absl::Status Wrong(const std::string& what) {
  return BadRecordingError("the recording is damaged: " + what);
}

// The others are indexes, the summary, and what later versions of the format add.
bool IsTaken(uint8_t opcode) {
  return opcode == mcap::kChannel || opcode == mcap::kChunk || opcode == mcap::kMessage ||
         opcode == mcap::kAttachment || opcode == mcap::kMetadata;
}

std::map<std::string, std::string> ReadMap(std::string_view bytes) {
  std::map<std::string, std::string> map;
  Cursor cursor(bytes);
  while (!cursor.empty() && cursor.ok()) {
    const std::string_view key = cursor.GetString();
    map[std::string(key)] = cursor.GetString();
  }
  return map;
}

}  // namespace

McapReader::McapReader(std::shared_ptr<RecordingView> view, int64_t most_bytes, bool has_end)
    : view_(std::move(view)),
      most_bytes_(most_bytes),
      position_(static_cast<int64_t>(mcap::kMagic.size())),
      has_end_(has_end) {}

absl::StatusOr<McapReader> McapReader::Open(const std::string& path) {
  auto view = RecordingView::Open(path);
  if (!view.ok()) return view.status();
  return Make(*std::move(view), kMostRecordBytes);
}

absl::StatusOr<McapReader> McapReader::Make(std::shared_ptr<RecordingView> view,
                                            int64_t most_bytes) {
  const auto magic_size = static_cast<int64_t>(mcap::kMagic.size());
  const auto begin = view->Read(0, magic_size);
  if (!begin.ok()) return begin.status();
  if (*begin != mcap::kMagic) return Wrong("it does not begin as one");
  const auto end = view->Read(view->size() - magic_size, magic_size);
  if (!end.ok()) return end.status();
  const bool has_end = view->size() >= 2 * magic_size && *end == mcap::kMagic;
  return McapReader(std::move(view), most_bytes, has_end);
}

absl::StatusOr<McapItem> McapReader::Next() {
  McapItem item;
  while (true) {
    if (chunk_position_ < chunk_.size()) {
      Cursor cursor(std::string_view(chunk_).substr(chunk_position_));
      const auto opcode = cursor.Get<uint8_t>();
      const auto length = cursor.Get<uint64_t>();
      const std::string_view content = cursor.GetBytes(length);
      if (!cursor.ok()) return Wrong("a record ends beyond its chunk");
      chunk_position_ += mcap::kRecordHead + content.size();
      const auto taken = TakeRecord(opcode, content, &item);
      if (!taken.ok()) return taken.status();
      if (*taken) return item;
      continue;
    }
    uint8_t opcode = 0;
    if (ended_) return item;
    const auto found = ReadRecord(&opcode);
    if (!found.ok()) return found.status();
    if (!*found) return item;
    if (opcode == mcap::kChunk) {
      const absl::Status opened = OpenChunk(record_);
      if (!opened.ok()) return opened;
      continue;
    }
    // The format allows it; our recordings keep all messages in chunks, under a CRC.
    if (opcode == mcap::kMessage) return Wrong("a message outside a chunk");
    const auto taken = TakeRecord(opcode, record_, &item);
    if (!taken.ok()) return taken.status();
    if (*taken) return item;
  }
}

absl::StatusOr<bool> McapReader::ReadRecord(uint8_t* opcode) {
  truncated_ = ended_ = true;  // unless a record is found
  while (true) {
    const auto head = view_->Read(position_, mcap::kRecordHead);
    if (!head.ok()) return head.status();
    if (head->size() < mcap::kRecordHead) return false;
    position_ += mcap::kRecordHead;
    Cursor cursor(*head);
    *opcode = cursor.Get<uint8_t>();
    const auto length = cursor.Get<uint64_t>();
    if (length > static_cast<uint64_t>(view_->size() - position_)) return false;
    if (*opcode == mcap::kDataEnd || *opcode == mcap::kFooter) {
      // The end of the file proves that it was finished, not only the end of the data.
      truncated_ = !has_end_;
      return false;
    }
    const bool taken = IsTaken(*opcode);
    if (taken && length > static_cast<uint64_t>(most_bytes_)) return false;
    const int64_t begin = position_;
    position_ += static_cast<int64_t>(length);
    if (!taken) continue;
    auto record = view_->Read(begin, static_cast<int64_t>(length));
    if (!record.ok()) return record.status();
    if (record->size() < length) return false;
    record_ = *std::move(record);
    truncated_ = ended_ = false;
    return true;
  }
}

absl::StatusOr<bool> McapReader::TakeRecord(uint8_t opcode, std::string_view content,
                                            McapItem* item) {
  Cursor cursor(content);
  switch (opcode) {
    case mcap::kChannel: {
      const auto id = cursor.Get<uint16_t>();
      cursor.Get<uint16_t>();
      topics_[id] = cursor.GetString();
      break;
    }
    case mcap::kMessage: {
      const auto topic = topics_.find(cursor.Get<uint16_t>());
      if (topic == topics_.end()) return Wrong("a message of an unknown channel");
      cursor.Get<uint32_t>();
      item->kind = McapItem::Kind::kMessage;
      item->name = topic->second;
      item->time_ns = cursor.Get<uint64_t>();
      cursor.Get<uint64_t>();
      item->data = cursor.rest();
      break;
    }
    case mcap::kAttachment: {
      item->kind = McapItem::Kind::kAttachment;
      item->time_ns = cursor.Get<uint64_t>();
      cursor.Get<uint64_t>();
      item->name = cursor.GetString();
      cursor.GetString();
      item->data = cursor.GetBytes(cursor.Get<uint64_t>());
      const std::string_view sealed = content.substr(0, content.size() - cursor.rest().size());
      const auto crc = cursor.Get<uint32_t>();
      if (cursor.ok() && crc != 0 && crc != CrcOf(sealed)) return Wrong("an attachment's CRC");
      break;
    }
    case mcap::kMetadata:
      item->kind = McapItem::Kind::kMetadata;
      item->name = cursor.GetString();
      item->metadata = ReadMap(cursor.GetString());
      break;
    default:  // in a chunk: what later versions of the format add
      return false;
  }
  if (!cursor.ok()) return Wrong("a record is shorter than its fields");
  return item->kind != McapItem::Kind::kEnd;
}

absl::Status McapReader::OpenChunk(std::string_view content) {
  Cursor cursor(content);
  cursor.Get<uint64_t>();
  cursor.Get<uint64_t>();
  const auto size = cursor.Get<uint64_t>();
  const auto crc = cursor.Get<uint32_t>();
  const std::string_view compression = cursor.GetString();
  const std::string_view packed = cursor.GetBytes(cursor.Get<uint64_t>());
  if (!cursor.ok()) return Wrong("a chunk is shorter than its fields");
  if (size > static_cast<uint64_t>(std::min(kMostChunkBytes, most_bytes_)))
    return Wrong("a chunk of " + std::to_string(size) + " bytes");
  chunk_position_ = 0;
  chunk_.clear();
  if (compression == mcap::kCompression) {
    // Grown as it fills up only if the packed bytes say so themselves.
    if (ZSTD_getFrameContentSize(packed.data(), packed.size()) != size)
      return Wrong("a chunk's size");
    chunk_.resize(size);
    const size_t unpacked = ZSTD_decompress(chunk_.data(), size, packed.data(), packed.size());
    if (ZSTD_isError(unpacked) || unpacked != size) return Wrong("a chunk does not unpack");
  } else if (compression.empty() && packed.size() == size) {
    chunk_ = packed;
  } else {
    return Wrong("a chunk packed as " + std::string(compression));
  }
  if (crc != 0 && crc != CrcOf(chunk_)) return Wrong("a chunk's CRC");
  return absl::OkStatus();
}

}  // namespace talus
