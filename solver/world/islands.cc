#include "solver/world/islands.h"

#include <algorithm>
#include <numeric>

namespace talus {

uint32_t Islands::FindFirst(uint32_t row) {
  while (first_rows_[row] != row) {
    // Every other one on the way is brought closer, which keeps ways short.
    first_rows_[row] = first_rows_[first_rows_[row]];
    row = first_rows_[row];
  }
  return row;
}

void Islands::Find(std::span<const BodyKind> kinds, std::span<const ContactInput> contacts) {
  first_rows_.resize(kinds.size());
  std::iota(first_rows_.begin(), first_rows_.end(), 0u);
  for (const ContactInput& contact : contacts) {
    if (kinds[contact.body_a] != BodyKind::kDynamic) continue;
    if (kinds[contact.body_b] != BodyKind::kDynamic) continue;
    const uint32_t a = FindFirst(contact.body_a);
    const uint32_t b = FindFirst(contact.body_b);
    first_rows_[std::max(a, b)] = std::min(a, b);
  }
  // Entries are never above their rows, so those before are final already.
  for (uint32_t& first : first_rows_) first = first_rows_[first];
}

}  // namespace talus
