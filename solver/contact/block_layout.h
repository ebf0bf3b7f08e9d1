// Where each contact stands: colour after colour, contacts of one kind together, in blocks of eight
// lanes, blocks in chunks for the workers.
//
// Contacts of one colour share no dynamic body, so a sweep may treat them at once: in lanes, and on
// several workers. A group of contacts that does not fill its last block leaves lanes empty; so do
// the contacts of a serial last colour, which share bodies and stand one a block.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "solver/contact/coloring.h"
#include "solver/contact/kernels/block_kernels.h"

namespace talus {

inline constexpr uint32_t kNoContact = std::numeric_limits<uint32_t>::max();
// Blocks a worker takes at once. A colour that is smaller runs on the calling thread: waking
// another worker costs about as much as sweeping so many.
inline constexpr size_t kChunkBlocks = 16;

// A BlockKind in six bits: the group that a contact of a colour stands in.
inline constexpr size_t kKindCodes = 64;
uint8_t EncodeKind(const BlockKind& kind);  // local_steps is 1, 2 or 4
BlockKind DecodeKind(uint8_t code);

struct BlockLayout {
  // Block and lane -> contact, in the caller's order; kNoContact in empty lanes.
  std::vector<uint32_t> slot_contact;
  std::vector<BlockChunk> chunks;     // in the order of blocks
  std::vector<uint32_t> color_begin;  // colour -> first chunk; one more entry than colours
  uint32_t wide_count = 0;            // blocks that are not central
  bool last_color_serial = false;     // its chunks run in order, on one thread

  size_t block_count() const { return slot_contact.size() / kLanes; }
  size_t color_count() const { return color_begin.empty() ? 0 : color_begin.size() - 1; }
};

// One colour and one kind a contact. Contacts that are `open` (not 0) stand behind the others of
// their group: a sweep passes over blocks in which nothing touches.
void ArrangeBlocks(std::span<const uint8_t> colors, std::span<const uint8_t> kinds,
                   std::span<const uint8_t> open, BlockLayout& layout);

}  // namespace talus
