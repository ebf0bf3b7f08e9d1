// The form of a stored snapshot: a fixed header that says what is inside, then the solver's bytes.
//
//   offset  size  content (little-endian)
//        0     8  "TALUSNAP"
//        8     8  version of this form, 1
//       16     8  step index
//       24     8  state hash
//       32     8  time of creation, milliseconds since 1970
//       40     8  size of the solver's bytes
//       48     8  digest of the solver's bytes
//       56     8  digest of the 56 bytes above
//
// The digests find damage, they do not protect against malice; the solver checks its own bytes once
// more.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace talus {

struct SnapshotHeader {
  int64_t step_index = 0;
  uint64_t state_hash = 0;
  int64_t created_unix_ms = 0;
  uint64_t byte_size = 0;
  uint64_t digest = 0;
};

inline constexpr size_t kSnapshotHeaderSize = 64;

// FNV-1a, 64 bits.
uint64_t DigestOf(std::string_view bytes);

std::array<char, kSnapshotHeaderSize> EncodeHeader(const SnapshotHeader& header);
// Nothing when the bytes are no such header.
std::optional<SnapshotHeader> DecodeHeader(std::string_view bytes);

}  // namespace talus
