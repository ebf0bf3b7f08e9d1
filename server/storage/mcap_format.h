// The constants of the MCAP container and the way its values stand in bytes (specification at
// mcap.dev/spec, sections "Records" and "Serialization"): what writer and reader share.
// Little-endian throughout; a string is its length and its bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace talus::mcap {

// "Magic": the first and the last bytes of a file.
inline constexpr std::string_view kMagic("\x89MCAP0\r\n", 8);

// "Records": the opcodes.
inline constexpr uint8_t kHeader = 0x01;
inline constexpr uint8_t kFooter = 0x02;
inline constexpr uint8_t kSchema = 0x03;
inline constexpr uint8_t kChannel = 0x04;
inline constexpr uint8_t kMessage = 0x05;
inline constexpr uint8_t kChunk = 0x06;
inline constexpr uint8_t kMessageIndex = 0x07;
inline constexpr uint8_t kChunkIndex = 0x08;
inline constexpr uint8_t kAttachment = 0x09;
inline constexpr uint8_t kAttachmentIndex = 0x0A;
inline constexpr uint8_t kStatistics = 0x0B;
inline constexpr uint8_t kMetadata = 0x0C;
inline constexpr uint8_t kMetadataIndex = 0x0D;
inline constexpr uint8_t kSummaryOffset = 0x0E;
inline constexpr uint8_t kDataEnd = 0x0F;

inline constexpr size_t kRecordHead = 9;                  // opcode and length
inline constexpr size_t kFooterSize = kRecordHead + 20;   // of the whole record
inline constexpr std::string_view kCompression = "zstd";  // registry, "Well-known compression"

template <typename T>
void Put(T value, std::string* out) {
  for (size_t byte = 0; byte < sizeof(T); ++byte) {
    out->push_back(static_cast<char>(static_cast<uint64_t>(value) >> (8 * byte)));
  }
}

inline void PutString(std::string_view text, std::string* out) {
  Put(static_cast<uint32_t>(text.size()), out);
  out->append(text);
}

// Takes values off the front of bytes; once something was missing, nothing more comes.
class Cursor {
 public:
  explicit Cursor(std::string_view bytes) : bytes_(bytes) {}

  template <typename T>
  T Get() {
    const std::string_view taken = GetBytes(sizeof(T));
    uint64_t value = 0;
    for (size_t byte = 0; byte < taken.size(); ++byte) {
      value |= uint64_t{static_cast<unsigned char>(taken[byte])} << (8 * byte);
    }
    return static_cast<T>(value);
  }
  std::string_view GetBytes(uint64_t count) {
    if (count > bytes_.size()) {
      failed_ = true;
      bytes_ = {};
      return {};
    }
    const std::string_view taken = bytes_.substr(0, count);
    bytes_.remove_prefix(count);
    return taken;
  }
  std::string_view GetString() { return GetBytes(Get<uint32_t>()); }

  std::string_view rest() const { return bytes_; }
  bool empty() const { return bytes_.empty(); }
  bool ok() const { return !failed_; }

 private:
  std::string_view bytes_;
  bool failed_ = false;
};

}  // namespace talus::mcap
