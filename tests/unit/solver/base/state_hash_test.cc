#include "solver/base/state_hash.h"

#include <gtest/gtest.h>

#include <vector>

namespace talus {
namespace {

uint64_t HashOf(const std::vector<double>& a, const std::vector<double>& b) {
  StateHasher hasher;
  hasher.AddArray(std::span<const double>(a));
  hasher.AddArray(std::span<const double>(b));
  return hasher.Finish();
}

TEST(StateHasherTest, EqualInputGivesEqualHash) {
  EXPECT_EQ(HashOf({1.0, 2.0}, {3.0}), HashOf({1.0, 2.0}, {3.0}));
}

TEST(StateHasherTest, EveryBitCounts) {
  EXPECT_NE(HashOf({0.0}, {}), HashOf({-0.0}, {}));
  EXPECT_NE(HashOf({1.0}, {}), HashOf({1.0 + 1e-16 * 2.3}, {}));
}

TEST(StateHasherTest, NeighboursCannotTradeElements) {
  EXPECT_NE(HashOf({1.0, 2.0}, {3.0}), HashOf({1.0}, {2.0, 3.0}));
  EXPECT_NE(HashOf({}, {1.0}), HashOf({1.0}, {}));
}

TEST(StateHasherTest, ABlockHashesLikeXxh3) {
  // XXH3-64 of the empty input, from the algorithm's own test vectors.
  EXPECT_EQ(HashBytes(""), 0x2D06800538D394C2u);
}

}  // namespace
}  // namespace talus
