#include "solver/contact/block_layout.h"

#include <gtest/gtest.h>

#include <set>

#include "solver/base/random.h"

namespace talus {
namespace {

BlockLayout Arrange(const std::vector<uint8_t>& colors, const std::vector<uint8_t>& kinds) {
  BlockLayout layout;
  ArrangeBlocks(colors, kinds, std::vector<uint8_t>(colors.size(), 0), layout);
  return layout;
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

// Every contact stands once, in a chunk of its kind and a colour of its own, and the contacts of a
// group keep their order.
TEST(BlockLayout, EveryContactStandsInItsGroup) {
  Random random(3);
  std::vector<uint8_t> colors(3000);
  std::vector<uint8_t> kinds(colors.size());
  const uint8_t codes[] = {EncodeKind({BlockGeometry::kCentral, true, true, 1}),
                           EncodeKind({BlockGeometry::kCentral, false, true, 4}),
                           EncodeKind({BlockGeometry::kFull, true, true, 1})};
  for (size_t i = 0; i < colors.size(); ++i) {
    colors[i] = static_cast<uint8_t>(2 * (random.Next() % 3));  // some colours are left out
    kinds[i] = codes[random.Next() % 3];
  }
  const BlockLayout layout = Arrange(colors, kinds);
  EXPECT_EQ(layout.color_count(), 3u);
  EXPECT_FALSE(layout.last_color_serial);
  std::set<uint32_t> seen;
  uint32_t next_block = 0;
  for (size_t color = 0; color < layout.color_count(); ++color) {
    for (size_t i = layout.color_begin[color]; i < layout.color_begin[color + 1]; ++i) {
      const BlockChunk& chunk = layout.chunks[i];
      EXPECT_EQ(chunk.begin, next_block);
      EXPECT_LE(chunk.end - chunk.begin, kChunkBlocks);
      next_block = chunk.end;
      uint32_t last = 0;
      for (uint32_t slot = chunk.begin * kLanes; slot < chunk.end * kLanes; ++slot) {
        const uint32_t contact = layout.slot_contact[slot];
        if (contact == kNoContact) continue;
        EXPECT_TRUE(seen.insert(contact).second);
        EXPECT_EQ(colors[contact], 2 * color);
        EXPECT_EQ(DecodeKind(kinds[contact]), chunk.kind);
        EXPECT_TRUE(slot == chunk.begin * kLanes || contact > last);
        last = contact;
      }
    }
  }
  EXPECT_EQ(next_block, layout.block_count());
  EXPECT_EQ(seen.size(), colors.size());
}

TEST(BlockLayout, OpenContactsStandBehindTheOthersOfTheirGroup) {
  const std::vector<uint8_t> kinds(20, EncodeKind({BlockGeometry::kCentral, true, true, 1}));
  std::vector<uint8_t> colors(20, 0);
  colors[5] = 1;
  std::vector<uint8_t> open(20, 0);
  open[0] = open[5] = open[7] = 1;
  BlockLayout layout;
  ArrangeBlocks(colors, kinds, open, layout);
  EXPECT_EQ(layout.slot_contact[0], 1u);
  EXPECT_EQ(layout.slot_contact[17], 0u);
  EXPECT_EQ(layout.slot_contact[18], 7u);
  EXPECT_EQ(layout.slot_contact[24], 5u);
}

TEST(BlockLayout, SerialContactsStandAlone) {
  const uint8_t code = EncodeKind({BlockGeometry::kCentral, true, true, 1});
  const std::vector<uint8_t> kinds(20, code);
  std::vector<uint8_t> colors(20, kParallelColors);
  colors[0] = 0;
  const BlockLayout layout = Arrange(colors, kinds);
  EXPECT_TRUE(layout.last_color_serial);
  ASSERT_EQ(layout.block_count(), 20u);
  for (uint32_t block = 0; block < 20; ++block) {
    EXPECT_EQ(layout.slot_contact[block * kLanes], block);
    EXPECT_EQ(layout.slot_contact[block * kLanes + 1], kNoContact);
  }
}

TEST(BlockLayout, NoContactsNoBlocks) {
  const BlockLayout layout = Arrange({}, {});
  EXPECT_EQ(layout.block_count(), 0u);
  EXPECT_EQ(layout.color_count(), 0u);
}

}  // namespace
}  // namespace talus
