#include "solver/contact/block_layout.h"

#include <algorithm>
#include <array>
#include <bit>

#include "solver/base/check.h"
#include "solver/base/slack.h"
#include "solver/parallel/parallel_for.h"

namespace talus {
namespace {

// The contacts of a strand by colour and kind.
class StrandGroups {
 public:
  StrandGroups(std::span<const uint32_t> strand, const ContactGroups& contacts)
      : strand_(strand), contacts_(contacts) {
    for (const uint32_t i : strand) {
      color_count_ = std::max(color_count_, contacts.colors[i] + uint32_t{1});
    }
    std::fill_n(groups_.begin(), color_count_ * kKindCodes, Group{});
    for (const uint32_t i : strand) ++GroupOf(i).contacts;
  }

  StrandExtent Measure() {
    StrandExtent extent;
    extent.colors = color_count_;
    ForEachGroup([&](Group& group, bool alone, uint8_t code) {
      const uint32_t blocks = BlocksOf(group, alone);
      extent.blocks += blocks;
      extent.chunks += (blocks + kChunkBlocks - 1) / kChunkBlocks;
      if (!IsCentral(code)) extent.wide += blocks;
    });
    return extent;
  }

  // Fills in the part of the layout that begins at `begin`.
  void Arrange(StrandExtent begin, BlockLayout& layout) {
    const uint32_t first_slot = begin.blocks * kLanes;
    ForEachGroup([&](Group& group, bool alone, uint8_t code) {
      group.next_slot = begin.blocks * kLanes;
      const uint32_t end = begin.blocks + BlocksOf(group, alone);
      while (begin.blocks < end) {
        const auto blocks = std::min<uint32_t>(end - begin.blocks, kChunkBlocks);
        layout.chunks[begin.chunks++] = {begin.blocks, begin.blocks + blocks, DecodeKind(code),
                                         begin.wide};
        begin.blocks += blocks;
        if (!IsCentral(code)) begin.wide += blocks;
      }
    });
    std::fill(layout.slot_contact.begin() + first_slot,
              layout.slot_contact.begin() + begin.blocks * kLanes, kNoContact);
    for (const bool behind : {false, true}) {
      for (const uint32_t i : strand_) {
        if ((contacts_.open[i] != 0) != behind) continue;
        Group& group = GroupOf(i);
        layout.slot_contact[group.next_slot] = i;
        group.next_slot += contacts_.colors[i] == kFullColors ? kLanes : 1;
      }
    }
  }

 private:
  // Without initial values: there is room for many groups and use for few.
  struct Group {
    uint32_t contacts;
    uint32_t next_slot;
  };

  static bool IsCentral(uint8_t code) {
    return DecodeKind(code).geometry == BlockGeometry::kCentral;
  }
  // `alone`: one contact a block.
  static uint32_t BlocksOf(const Group& group, bool alone) {
    const auto lanes = static_cast<uint32_t>(alone ? 1 : kLanes);
    return (group.contacts + lanes - 1) / lanes;
  }
  Group& GroupOf(uint32_t contact) {
    return groups_[contacts_.colors[contact] * kKindCodes + contacts_.kinds[contact]];
  }
  // visit(group, alone, code) of those that are not empty, in their order.
  template <typename Visit>
  void ForEachGroup(const Visit& visit) {
    for (uint32_t color = 0; color < color_count_; ++color) {
      for (size_t code = 0; code < kKindCodes; ++code) {
        Group& group = groups_[color * kKindCodes + code];
        if (group.contacts > 0) visit(group, color == kFullColors, static_cast<uint8_t>(code));
      }
    }
  }

  std::span<const uint32_t> strand_;
  const ContactGroups& contacts_;
  uint32_t color_count_ = 0;
  std::array<Group, (kFullColors + 1) * kKindCodes> groups_;
};

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

void ArrangeBlocks(WorkerArena& workers, const Strands& strands, const ContactGroups& groups,
                   std::vector<StrandExtent>& extents, BlockLayout& layout) {
  // First entry s + 1 is what strand s takes; then entry s, where it begins.
  extents.assign(strands.count() + 1, {});
  ParallelFor(workers, strands.count(), 1, [&](size_t strand) {
    extents[strand + 1] = StrandGroups(strands.Get(strand), groups).Measure();
  });
  layout.strand_begin.assign(1, 0);
  for (size_t strand = 1; strand < extents.size(); ++strand) {
    const StrandExtent& before = extents[strand - 1];
    StrandExtent& end = extents[strand];
    end.blocks += before.blocks;
    end.chunks += before.chunks;
    end.wide += before.wide;
    end.colors = std::max(end.colors, before.colors);
    layout.strand_begin.push_back(end.chunks);
  }
  layout.phase_begin.assign(strands.phase_begin.begin(), strands.phase_begin.end());
  const StrandExtent& all = extents.back();
  layout.wide_count = all.wide;
  layout.color_count = all.colors;
  ResizeBuffer(layout.slot_contact, all.blocks * kLanes);
  ResizeBuffer(layout.chunks, all.chunks);
  ParallelFor(workers, strands.count(), 1, [&](size_t strand) {
    StrandGroups(strands.Get(strand), groups).Arrange(extents[strand], layout);
  });
}

}  // namespace talus
