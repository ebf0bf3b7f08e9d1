#include "server/storage/mcap_reader.h"

#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "server/session/error.h"
#include "server/storage/file.h"
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

absl::StatusOr<McapReader> McapReader::Open(const std::string& path) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  if (!file) return FileError("cannot open", path, errno);
  const auto size = static_cast<uint64_t>(std::max<std::streamoff>(0, file.tellg()));
  std::string magic(mcap::kMagic.size(), '\0');
  const auto magic_size = static_cast<std::streamoff>(magic.size());
  file.seekg(std::max<std::streamoff>(0, static_cast<std::streamoff>(size) - magic_size));
  const bool has_end =
      size >= 2 * magic.size() && file.read(magic.data(), magic_size) && magic == mcap::kMagic;
  file.clear();
  file.seekg(0);
  if (!file.read(magic.data(), static_cast<std::streamsize>(magic.size())) ||
      magic != mcap::kMagic) {
    return Wrong("it does not begin as one");
  }
  return McapReader(std::move(file), size - magic.size(), has_end);
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
    if (ended_ || !ReadRecord(&opcode)) return item;
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

bool McapReader::ReadRecord(uint8_t* opcode) {
  std::string head(mcap::kRecordHead, '\0');
  uint64_t length = 0;
  truncated_ = true;
  if (left_ >= head.size() && file_.read(head.data(), static_cast<std::streamsize>(head.size()))) {
    Cursor cursor(head);
    *opcode = cursor.Get<uint8_t>();
    length = cursor.Get<uint64_t>();
    left_ -= head.size();
    if (length <= left_) {
      record_.resize(length);
      if (length == 0 || file_.read(record_.data(), static_cast<std::streamsize>(length))) {
        truncated_ = false;
      }
    }
  }
  if (truncated_) {
    ended_ = true;
    return false;
  }
  left_ -= length;
  if (*opcode == mcap::kDataEnd || *opcode == mcap::kFooter) {
    // The end of the file proves that it was finished, not only the end of the data.
    truncated_ = !has_end_;
    ended_ = true;
    return false;
  }
  return true;
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
    default:  // indexes, and what later versions of the format add
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
  if (size > kMostChunkBytes) return Wrong("a chunk of " + std::to_string(size) + " bytes");
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
