// Where each contact stands: strand after strand, in a strand colour after colour, contacts of one
// kind together, in blocks of eight lanes, blocks in chunks that a kernel takes at once.
//
// Contacts of one colour share no dynamic body, so they may stand side by side. A group of contacts
// that does not fill its last block leaves lanes empty; so do the contacts of a last colour, which
// share bodies and stand one a block.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "solver/contact/coloring.h"
#include "solver/contact/kernels/block_kernels.h"
#include "solver/contact/strands.h"

namespace talus {

inline constexpr uint32_t kNoContact = std::numeric_limits<uint32_t>::max();
// Most blocks of a chunk, so that work on single chunks is shared evenly, too.
inline constexpr size_t kChunkBlocks = 16;

// A BlockKind in six bits: the group that a contact of a colour stands in.
inline constexpr size_t kKindCodes = 64;
uint8_t EncodeKind(const BlockKind& kind);  // local_steps is 1, 2 or 4
BlockKind DecodeKind(uint8_t code);

struct BlockLayout {
  // Block and lane -> contact, in the caller's order; kNoContact in empty lanes.
  std::vector<uint32_t> slot_contact;
  std::vector<BlockChunk> chunks;      // in the order of blocks
  std::vector<uint32_t> strand_begin;  // strand -> first chunk; one more entry than strands
  std::vector<uint32_t> phase_begin;   // phase -> first strand; one more entry than phases
  uint32_t wide_count = 0;             // blocks that are not central
  uint32_t color_count = 0;            // most colours of a strand

  size_t block_count() const { return slot_contact.size() / kLanes; }
  // Of a block; the lanes behind them are empty.
  size_t CountContacts(size_t block) const {
    const uint32_t* const slots = &slot_contact[block * kLanes];
    return static_cast<size_t>(std::find(slots, slots + kLanes, kNoContact) - slots);
  }
  size_t strand_count() const { return strand_begin.empty() ? 0 : strand_begin.size() - 1; }
  size_t phase_count() const { return phase_begin.empty() ? 0 : phase_begin.size() - 1; }
};

// What each contact is, for its place within a strand.
struct ContactGroups {
  std::span<const uint8_t> colors;  // within the strand (coloring.h)
  std::span<const uint8_t> kinds;   // codes
  // Not 0: nothing touches. Such contacts stand behind the others of their colour and kind: a sweep
  // passes over blocks of them.
  std::span<const uint8_t> open;
};

// How much of a layout a strand takes, or all strands before it.
struct StrandExtent {
  uint32_t blocks = 0;
  uint32_t chunks = 0;
  uint32_t wide = 0;    // of the blocks
  uint32_t colors = 0;  // of the strand, or the most of any
};

// `extents` is scratch.
void ArrangeBlocks(WorkerArena& workers, const Strands& strands, const ContactGroups& groups,
                   std::vector<StrandExtent>& extents, BlockLayout& layout);

}  // namespace talus
