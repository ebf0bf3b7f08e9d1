#include "solver/base/state_hash.h"

#include <xxhash.h>

#include "solver/base/check.h"

namespace talus {

StateHasher::StateHasher() : state_(XXH3_createState()) {
  TALUS_CHECK(state_ != nullptr);
  XXH3_64bits_reset(static_cast<XXH3_state_t*>(state_));
}
StateHasher::~StateHasher() { XXH3_freeState(static_cast<XXH3_state_t*>(state_)); }

void StateHasher::AddBytes(const void* data, size_t size) {
  if (size > 0) XXH3_64bits_update(static_cast<XXH3_state_t*>(state_), data, size);
}

uint64_t StateHasher::Finish() const {
  return XXH3_64bits_digest(static_cast<const XXH3_state_t*>(state_));
}

uint64_t HashBytes(std::string_view bytes) { return XXH3_64bits(bytes.data(), bytes.size()); }

}  // namespace talus
