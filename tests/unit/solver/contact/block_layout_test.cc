#include "solver/contact/block_layout.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "solver/base/random.h"

namespace talus {
namespace {

// Contacts as `strands` hold them, in one phase.
BlockLayout Arrange(const std::vector<std::vector<uint32_t>>& strands,
                    const std::vector<uint8_t>& colors, const std::vector<uint8_t>& kinds,
                    const std::vector<uint8_t>& open, int worker_count = 1) {
  Strands all;
  all.begin = {0};
  for (const std::vector<uint32_t>& strand : strands) {
    all.contacts.insert(all.contacts.end(), strand.begin(), strand.end());
    all.begin.push_back(static_cast<uint32_t>(all.contacts.size()));
  }
  all.phase_begin = {0, static_cast<uint32_t>(strands.size())};
  WorkerArena workers(worker_count);
  std::vector<StrandExtent> extents;
  BlockLayout layout;
  ArrangeBlocks(workers, all, {colors, kinds, open}, extents, layout);
  return layout;
}

// One strand, nothing open.
BlockLayout Arrange(const std::vector<uint8_t>& colors, const std::vector<uint8_t>& kinds) {
  std::vector<uint32_t> strand(colors.size());
  std::iota(strand.begin(), strand.end(), 0);
  return Arrange({strand}, colors, kinds, std::vector<uint8_t>(colors.size(), 0));
}

TEST(BlockLayout, KindsComeBackFromTheirCodes) {
  std::set<uint8_t> codes;
  for (const auto geometry :
       {BlockGeometry::kCentral, BlockGeometry::kRound, BlockGeometry::kFull}) {
    for (const bool dynamic_a : {false, true}) {
      for (const bool dynamic_b : {false, true}) {
        for (const int32_t local_steps : {1, 2, 4}) {
          const BlockKind kind{geometry, dynamic_a, dynamic_b, local_steps};
          const uint8_t code = EncodeKind(kind);
          EXPECT_LT(code, kKindCodes);
          EXPECT_TRUE(codes.insert(code).second);
          EXPECT_EQ(DecodeKind(code), kind);
        }
      }
    }
  }
}

// Every contact stands once, in a chunk of its kind; colours follow each other within a strand, and
// the contacts of a group keep their order.
TEST(BlockLayout, EveryContactStandsInItsGroup) {
  Random random(3);
  std::vector<uint8_t> colors(3000);
  std::vector<uint8_t> kinds(colors.size());
  std::vector<std::vector<uint32_t>> strands(3);
  const uint8_t codes[] = {EncodeKind({BlockGeometry::kCentral, true, true, 1}),
                           EncodeKind({BlockGeometry::kCentral, false, true, 4}),
                           EncodeKind({BlockGeometry::kFull, true, true, 1})};
  for (uint32_t i = 0; i < colors.size(); ++i) {
    colors[i] = static_cast<uint8_t>(2 * (random.Next() % 3));  // some colours are left out
    kinds[i] = codes[random.Next() % 3];
    strands[random.Next() % 3].push_back(i);
  }
  const BlockLayout layout = Arrange(strands, colors, kinds, std::vector<uint8_t>(3000, 0), 2);
  ASSERT_EQ(layout.strand_count(), 3u);
  EXPECT_EQ(layout.phase_begin, (std::vector<uint32_t>{0, 3}));
  EXPECT_EQ(layout.color_count, 5u);
  uint32_t next_block = 0;
  uint32_t next_wide = 0;
  for (size_t strand = 0; strand < 3; ++strand) {
    std::vector<uint32_t> seen;
    uint8_t color = 0;
    for (size_t i = layout.strand_begin[strand]; i < layout.strand_begin[strand + 1]; ++i) {
      const BlockChunk& chunk = layout.chunks[i];
      EXPECT_EQ(chunk.begin, next_block);
      EXPECT_LE(chunk.end - chunk.begin, kChunkBlocks);
      next_block = chunk.end;
      if (chunk.kind.geometry == BlockGeometry::kFull) {
        EXPECT_EQ(chunk.first_wide, next_wide);
        next_wide += chunk.end - chunk.begin;
      }
      uint32_t last = 0;
      for (uint32_t slot = chunk.begin * kLanes; slot < chunk.end * kLanes; ++slot) {
        const uint32_t contact = layout.slot_contact[slot];
        if (contact == kNoContact) continue;
        seen.push_back(contact);
        EXPECT_GE(colors[contact], color);
        EXPECT_EQ(DecodeKind(kinds[contact]), chunk.kind);
        const bool first = slot == chunk.begin * kLanes || colors[contact] != color;
        EXPECT_TRUE(first || contact > last);
        color = colors[contact];
        last = contact;
      }
    }
    std::ranges::sort(seen);
    EXPECT_EQ(seen, strands[strand]);
  }
  EXPECT_EQ(next_block, layout.block_count());
  EXPECT_EQ(next_wide, layout.wide_count);
}

TEST(BlockLayout, OpenContactsStandBehindTheOthersOfTheirGroup) {
  const std::vector<uint8_t> kinds(20, EncodeKind({BlockGeometry::kCentral, true, true, 1}));
  std::vector<uint8_t> colors(20, 0);
  colors[5] = 1;
  std::vector<uint8_t> open(20, 0);
  open[0] = open[5] = open[7] = 1;
  std::vector<uint32_t> strand(20);
  std::iota(strand.begin(), strand.end(), 0);
  const BlockLayout layout = Arrange({strand}, colors, kinds, open);
  EXPECT_EQ(layout.slot_contact[0], 1u);
  EXPECT_EQ(layout.slot_contact[17], 0u);
  EXPECT_EQ(layout.slot_contact[18], 7u);
  EXPECT_EQ(layout.slot_contact[24], 5u);
}

TEST(BlockLayout, ContactsOfTheLastColourStandAlone) {
  const uint8_t code = EncodeKind({BlockGeometry::kCentral, true, true, 1});
  const std::vector<uint8_t> kinds(20, code);
  std::vector<uint8_t> colors(20, kFullColors);
  colors[0] = 0;
  const BlockLayout layout = Arrange(colors, kinds);
  ASSERT_EQ(layout.block_count(), 20u);
  for (uint32_t block = 0; block < 20; ++block) {
    EXPECT_EQ(layout.slot_contact[block * kLanes], block);
    EXPECT_EQ(layout.slot_contact[block * kLanes + 1], kNoContact);
  }
}

TEST(BlockLayout, NoContactsNoBlocks) {
  const BlockLayout layout = Arrange(std::vector<std::vector<uint32_t>>{}, {}, {}, {});
  EXPECT_EQ(layout.block_count(), 0u);
  EXPECT_EQ(layout.strand_count(), 0u);
  EXPECT_EQ(layout.color_count, 0u);
}

}  // namespace
}  // namespace talus
