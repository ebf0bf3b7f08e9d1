#include "solver/base/state_hash.h"

// Compiled in, so that it uses the instruction set this library is built for.
#define XXH_INLINE_ALL
#include <xxhash.h>

#include <new>

namespace talus {
namespace {

XXH3_state_t* AsState(std::byte* memory) {
  return std::launder(reinterpret_cast<XXH3_state_t*>(memory));
}
const XXH3_state_t* AsState(const std::byte* memory) {
  return std::launder(reinterpret_cast<const XXH3_state_t*>(memory));
}

}  // namespace

StateHasher::StateHasher() {
  static_assert(sizeof(XXH3_state_t) <= sizeof(state_) && alignof(XXH3_state_t) <= 64);
  XXH3_64bits_reset(new (state_) XXH3_state_t);
}

void StateHasher::AddBytes(const void* data, size_t size) {
  if (size > 0) XXH3_64bits_update(AsState(state_), data, size);
}

uint64_t StateHasher::Finish() const { return XXH3_64bits_digest(AsState(state_)); }

uint64_t HashBytes(std::string_view bytes) { return XXH3_64bits(bytes.data(), bytes.size()); }

}  // namespace talus
