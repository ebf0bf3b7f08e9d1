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

void Islands::Join(std::span<const BodyKind> kinds, uint32_t row_a, uint32_t row_b) {
  if (kinds[row_a] != BodyKind::kDynamic || kinds[row_b] != BodyKind::kDynamic) return;
  const uint32_t a = FindFirst(row_a);
  const uint32_t b = FindFirst(row_b);
  first_rows_[std::max(a, b)] = std::min(a, b);
}

void Islands::Find(std::span<const BodyKind> kinds, std::span<const ContactInput> contacts,
                   std::span<const JointLink> joints) {
  first_rows_.resize(kinds.size());
  std::iota(first_rows_.begin(), first_rows_.end(), 0u);
  for (const ContactInput& contact : contacts) Join(kinds, contact.body_a, contact.body_b);
  for (const JointLink& joint : joints) {
    if (joint.row_a != kWorldRow) Join(kinds, joint.row_a, joint.row_b);
  }
  // Entries are never above their rows, so those before are final already.
  for (uint32_t& first : first_rows_) first = first_rows_[first];
}

}  // namespace talus
