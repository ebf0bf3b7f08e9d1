#include "solver/contact/block_layout.h"

#include <algorithm>
#include <array>
#include <bit>

#include "solver/base/check.h"
#include "solver/base/slack.h"

namespace talus {
namespace {

// Without initial values: there is room for many groups and use for few.
struct Group {
  uint32_t contacts;
  uint32_t next_slot;
};

// Appends the blocks of one group.
void AddChunks(uint32_t first_block, uint32_t block_count, const BlockKind& kind,
               BlockLayout& layout) {
  for (uint32_t begin = 0; begin < block_count; begin += kChunkBlocks) {
    const auto end = std::min<uint32_t>(begin + kChunkBlocks, block_count);
    layout.chunks.push_back({first_block + begin, first_block + end, kind, layout.wide_count});
    if (kind.geometry != BlockGeometry::kCentral) layout.wide_count += end - begin;
  }
}

}  // namespace

uint8_t EncodeKind(const BlockKind& kind) {
  const int steps = std::countr_zero(static_cast<uint32_t>(kind.local_steps));
  TALUS_DCHECK(steps <= 2 && kind.local_steps == 1 << steps);
  return static_cast<uint8_t>(static_cast<int>(kind.geometry) | (kind.dynamic_a ? 4 : 0) |
                              (kind.dynamic_b ? 8 : 0) | steps << 4);
}

BlockKind DecodeKind(uint8_t code) {
  return {static_cast<BlockGeometry>(code & 3), (code & 4) != 0, (code & 8) != 0, 1 << (code >> 4)};
}

void ArrangeBlocks(std::span<const uint8_t> colors, std::span<const uint8_t> kinds,
                   std::span<const uint8_t> open, BlockLayout& layout) {
  const size_t color_count = colors.empty() ? 0 : *std::ranges::max_element(colors) + size_t{1};
  std::array<Group, (kParallelColors + 1) * kKindCodes> groups;
  std::fill_n(groups.begin(), color_count * kKindCodes, Group{});
  for (size_t i = 0; i < colors.size(); ++i) ++groups[colors[i] * kKindCodes + kinds[i]].contacts;
  layout.chunks.clear();
  layout.color_begin.assign(1, 0);
  layout.wide_count = 0;
  layout.last_color_serial = false;
  uint32_t block_count = 0;
  for (size_t color = 0; color < color_count; ++color) {
    const bool serial = color == kParallelColors;
    for (size_t code = 0; code < kKindCodes; ++code) {
      Group& group = groups[color * kKindCodes + code];
      if (group.contacts == 0) continue;
      const auto lanes = static_cast<uint32_t>(serial ? 1 : kLanes);
      const uint32_t blocks = (group.contacts + lanes - 1) / lanes;
      group.next_slot = block_count * kLanes;
      AddChunks(block_count, blocks, DecodeKind(static_cast<uint8_t>(code)), layout);
      block_count += blocks;
      layout.last_color_serial = serial;
    }
    if (layout.chunks.size() > layout.color_begin.back()) {
      layout.color_begin.push_back(static_cast<uint32_t>(layout.chunks.size()));
    }
  }
  ResizeBuffer(layout.slot_contact, block_count * kLanes);
  std::ranges::fill(layout.slot_contact, kNoContact);
  for (const bool behind : {false, true}) {
    for (size_t i = 0; i < colors.size(); ++i) {
      if ((open[i] != 0) != behind) continue;
      Group& group = groups[colors[i] * kKindCodes + kinds[i]];
      layout.slot_contact[group.next_slot] = static_cast<uint32_t>(i);
      group.next_slot += colors[i] == kParallelColors ? kLanes : 1;
    }
  }
}

}  // namespace talus
