#include "server/storage/snapshot_file.h"

#include <cstring>

namespace talus {
namespace {

constexpr char kMagic[9] = "TALUSNAP";
constexpr uint64_t kVersion = 1;
constexpr size_t kDigestedSize = kSnapshotHeaderSize - 8;

void PutAt(uint64_t value, size_t offset, std::array<char, kSnapshotHeaderSize>* bytes) {
  for (size_t index = 0; index < 8; ++index) {
    (*bytes)[offset + index] = static_cast<char>(value >> (8 * index));
  }
}

uint64_t Get(std::string_view bytes, size_t offset) {
  uint64_t value = 0;
  for (size_t index = 0; index < 8; ++index) {
    value |= uint64_t{static_cast<unsigned char>(bytes[offset + index])} << (8 * index);
  }
  return value;
}

}  // namespace

uint64_t DigestOf(std::string_view bytes) {
  uint64_t digest = 0xcbf29ce484222325u;
  for (const char byte : bytes) {
    digest ^= static_cast<unsigned char>(byte);
    digest *= 0x100000001b3u;
  }
  return digest;
}

std::array<char, kSnapshotHeaderSize> EncodeHeader(const SnapshotHeader& header) {
  std::array<char, kSnapshotHeaderSize> bytes;
  std::memcpy(bytes.data(), kMagic, 8);
  PutAt(kVersion, 8, &bytes);
  PutAt(static_cast<uint64_t>(header.step_index), 16, &bytes);
  PutAt(header.state_hash, 24, &bytes);
  PutAt(static_cast<uint64_t>(header.created_unix_ms), 32, &bytes);
  PutAt(header.byte_size, 40, &bytes);
  PutAt(header.digest, 48, &bytes);
  PutAt(DigestOf({bytes.data(), kDigestedSize}), kDigestedSize, &bytes);
  return bytes;
}

std::optional<SnapshotHeader> DecodeHeader(std::string_view bytes) {
  if (bytes.size() < kSnapshotHeaderSize || bytes.substr(0, 8) != std::string_view(kMagic, 8) ||
      Get(bytes, 8) != kVersion ||
      Get(bytes, kDigestedSize) != DigestOf(bytes.substr(0, kDigestedSize))) {
    return std::nullopt;
  }
  SnapshotHeader header;
  header.step_index = static_cast<int64_t>(Get(bytes, 16));
  header.state_hash = Get(bytes, 24);
  header.created_unix_ms = static_cast<int64_t>(Get(bytes, 32));
  header.byte_size = Get(bytes, 40);
  header.digest = Get(bytes, 48);
  return header;
}

}  // namespace talus
