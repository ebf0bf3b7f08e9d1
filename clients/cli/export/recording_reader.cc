#include "clients/cli/export/recording_reader.h"

#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "clients/cli/export/byte_cursor.h"

namespace talus::cli {
namespace {

// The specification's section "Records".
constexpr std::string_view kMagic("\x89MCAP0\r\n", 8);
constexpr uint8_t kFooter = 0x02;
constexpr uint8_t kChannel = 0x04;
constexpr uint8_t kMessage = 0x05;
constexpr uint8_t kChunk = 0x06;
constexpr uint8_t kMetadata = 0x0C;
constexpr uint8_t kDataEnd = 0x0F;
constexpr size_t kRecordHead = 9;  // opcode and length

// The first record of a recording after the header.
constexpr char kAbout[] = "talus.recording";

uint32_t CrcOf(std::string_view bytes) {
  return static_cast<uint32_t>(
      crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

}  // namespace

RecordingReader::RecordingReader(std::string path, std::ifstream file, uint64_t size, bool has_end)
    : path_(std::move(path)),
      file_(std::move(file)),
      size_(size),
      position_(kMagic.size()),
      has_end_(has_end) {}

client::Result<RecordingReader> RecordingReader::Open(const std::string& path) {
  errno = 0;
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  const std::streamoff size = file ? static_cast<std::streamoff>(file.tellg()) : -1;
  if (size < 0) {
    return MakeError(errno == ENOENT ? client::Code::kNotFound : client::Code::kUnknown,
                     "cannot read " + path + ": " + std::strerror(errno == 0 ? EIO : errno));
  }
  std::string magic(kMagic.size(), '\0');
  const auto length = static_cast<std::streamsize>(magic.size());
  file.seekg(std::max<std::streamoff>(0, size - length));
  const bool has_end = size >= 2 * length && file.read(magic.data(), length) && magic == kMagic;
  file.clear();
  file.seekg(0);
  if (!file.read(magic.data(), length) || magic != kMagic) {
    return MakeError(client::Code::kInvalidArgument, path + " is no recording: not an MCAP file");
  }
  RecordingReader reader(path, std::move(file), static_cast<uint64_t>(size), has_end);
  // What it says of itself stands before the first chunk.
  while (reader.about_.empty() && !reader.ended_ && reader.chunk_.empty()) {
    const auto record = reader.ReadRecord();
    if (!record) return record.error();
    if (*record != Record::kChunk) continue;
    const auto opened = reader.OpenChunk();
    if (!opened) return opened.error();
  }
  if (reader.about_.empty()) {
    return MakeError(
        client::Code::kInvalidArgument,
        path + " is no recording of Talus, or nothing of one: it has no record " + kAbout);
  }
  return reader;
}

client::Result<bool> RecordingReader::Next(RecordedMessage* message) {
  client::Error error;
  while (true) {
    if (chunk_position_ < chunk_.size()) {
      if (TakeFromChunk(message, &error)) return true;
      if (!error.message.empty()) return error;
      continue;
    }
    if (ended_) return false;
    const auto record = ReadRecord();
    if (!record) return record.error();
    if (*record != Record::kChunk) continue;
    const auto opened = OpenChunk();
    if (!opened) return opened.error();
  }
}

client::Result<RecordingReader::Record> RecordingReader::ReadRecord() {
  record_position_ = position_;
  const auto cut_off = [this] {
    truncated_ = ended_ = true;
    return Record::kNone;
  };
  char head[kRecordHead];
  if (size_ - position_ < kRecordHead || !file_.read(head, kRecordHead)) return cut_off();
  ByteCursor cursor({head, kRecordHead});
  const auto opcode = cursor.Get<uint8_t>();
  const auto length = cursor.Get<uint64_t>();
  position_ += kRecordHead;
  if (length > size_ - position_) return cut_off();
  position_ += length;
  if (opcode == kDataEnd || opcode == kFooter) {
    // The end of the file proves that it was finished, not the end of the data alone.
    truncated_ = !has_end_;
    ended_ = true;
    return Record::kOther;
  }
  if (opcode == kMessage) return Damaged("a message outside a chunk");
  if (opcode != kChunk && opcode != kMetadata && opcode != kChannel) {
    file_.seekg(static_cast<std::streamoff>(position_));
    return Record::kOther;
  }
  record_.resize(length);
  if (length > 0 && !file_.read(record_.data(), static_cast<std::streamsize>(length))) {
    return cut_off();
  }
  if (opcode == kChunk) return Record::kChunk;
  ByteCursor content(record_);
  if (opcode == kChannel) {
    const auto id = content.Get<uint16_t>();
    content.Get<uint16_t>();
    topics_[id] = content.GetString();
  } else if (content.GetString() == kAbout) {
    ByteCursor entries(content.GetString());
    while (!entries.empty() && entries.ok()) {
      const std::string key(entries.GetString());
      about_[key] = entries.GetString();
    }
  }
  if (!content.ok()) return Damaged("a record is shorter than its fields");
  return Record::kOther;
}

client::Result<bool> RecordingReader::OpenChunk() {
  ByteCursor cursor(record_);
  cursor.Get<uint64_t>();
  cursor.Get<uint64_t>();
  const auto size = cursor.Get<uint64_t>();
  const auto crc = cursor.Get<uint32_t>();
  const std::string_view compression = cursor.GetString();
  const std::string_view packed = cursor.GetBytes(cursor.Get<uint64_t>());
  if (!cursor.ok()) return Damaged("a chunk is shorter than its fields");
  if (size > kMostChunkBytes) return Damaged("a chunk of " + std::to_string(size) + " bytes");
  chunk_position_ = 0;
  if (compression == "zstd") {
    if (ZSTD_getFrameContentSize(packed.data(), packed.size()) != size) {
      return Damaged("a chunk's size");
    }
    chunk_.resize(size);
    const size_t unpacked = ZSTD_decompress(chunk_.data(), size, packed.data(), packed.size());
    if (ZSTD_isError(unpacked) != 0 || unpacked != size) return Damaged("a chunk does not unpack");
  } else if (compression.empty() && packed.size() == size) {
    chunk_ = packed;
  } else {
    return Damaged("a chunk packed as " + std::string(compression));
  }
  if (crc != 0 && crc != CrcOf(chunk_)) return Damaged("a chunk's CRC");
  return true;
}

// False without an error: a record of another kind.
bool RecordingReader::TakeFromChunk(RecordedMessage* message, client::Error* error) {
  ByteCursor cursor(std::string_view(chunk_).substr(chunk_position_));
  const auto opcode = cursor.Get<uint8_t>();
  const std::string_view content = cursor.GetBytes(cursor.Get<uint64_t>());
  chunk_position_ += kRecordHead + content.size();
  ByteCursor fields(content);
  if (cursor.ok() && opcode == kMessage) {
    const auto topic = topics_.find(fields.Get<uint16_t>());
    fields.GetBytes(sizeof(uint32_t) + 2 * sizeof(uint64_t));  // sequence, two times
    if (fields.ok() && topic != topics_.end()) {
      message->topic = topic->second;
      message->data = fields.rest();
      return true;
    }
    *error = Damaged("a message of an unknown channel");
  } else if (cursor.ok() && opcode == kChannel) {
    const auto id = fields.Get<uint16_t>();
    fields.Get<uint16_t>();
    topics_[id] = fields.GetString();
  }
  if (!cursor.ok() || !fields.ok()) *error = Damaged("a record ends beyond its chunk");
  return false;
}

client::Error RecordingReader::Damaged(const std::string& what) const {
  return MakeError(client::Code::kDataLoss,
                   path_ + " is damaged at byte " + std::to_string(record_position_) + ": " + what);
}

}  // namespace talus::cli
