// Snapshots that were changed, for tests of what is made of them.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "solver/base/state_hash.h"

namespace talus::testing {

// Makes the seal right again, as a forger would.
inline void Reseal(std::string& bytes) {
  const uint64_t seal = HashBytes(std::string_view(bytes).substr(0, bytes.size() - 8));
  std::memcpy(bytes.data() + bytes.size() - 8, &seal, 8);
}

}  // namespace talus::testing
