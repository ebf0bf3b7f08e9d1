#include "solver/world/islands.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "solver/base/random.h"

namespace talus {
namespace {

constexpr BodyKind kDynamic = BodyKind::kDynamic;

std::vector<ContactInput> MakeContacts(const std::vector<std::pair<uint32_t, uint32_t>>& pairs) {
  std::vector<ContactInput> contacts(pairs.size());
  for (size_t index = 0; index < pairs.size(); ++index) {
    contacts[index].body_a = pairs[index].first;
    contacts[index].body_b = pairs[index].second;
  }
  return contacts;
}

std::vector<uint32_t> FindAll(Islands& islands, const std::vector<BodyKind>& kinds,
                              const std::vector<ContactInput>& contacts) {
  islands.Find(kinds, contacts);
  std::vector<uint32_t> names;
  for (size_t row = 0; row < kinds.size(); ++row) names.push_back(islands.of(row));
  return names;
}

TEST(IslandsTest, BodiesWithoutContactsAreAlone) {
  Islands islands;
  EXPECT_EQ(FindAll(islands, std::vector<BodyKind>(3, kDynamic), {}),
            (std::vector<uint32_t>{0, 1, 2}));
  EXPECT_TRUE(FindAll(islands, {}, {}).empty());
}

TEST(IslandsTest, ContactsConnectAndTheSmallestRowIsTheName) {
  Islands islands;
  const auto contacts = MakeContacts({{4, 5}, {1, 4}, {2, 6}, {5, 1}});
  EXPECT_EQ(FindAll(islands, std::vector<BodyKind>(7, kDynamic), contacts),
            (std::vector<uint32_t>{0, 1, 2, 3, 1, 1, 2}));
}

TEST(IslandsTest, WhatIsPrescribedConnectsNothing) {
  std::vector<BodyKind> kinds(5, kDynamic);
  kinds[0] = BodyKind::kStatic;
  kinds[3] = BodyKind::kKinematic;
  Islands islands;
  const auto contacts = MakeContacts({{0, 1}, {0, 2}, {2, 3}, {3, 4}});
  EXPECT_EQ(FindAll(islands, kinds, contacts), (std::vector<uint32_t>{0, 1, 2, 3, 4}));
}

TEST(IslandsTest, AnEarlierStepLeavesNoTrace) {
  Islands islands;
  FindAll(islands, std::vector<BodyKind>(6, kDynamic), MakeContacts({{0, 5}, {1, 5}, {2, 5}}));
  EXPECT_EQ(FindAll(islands, std::vector<BodyKind>(4, kDynamic), MakeContacts({{2, 3}})),
            (std::vector<uint32_t>{0, 1, 2, 2}));
}

// Against the plain definition: names spread along contacts until nothing changes.
TEST(IslandsTest, RandomGraphsAgreeWithSpreadingInAnyOrder) {
  const uint64_t seed = 5;
  SCOPED_TRACE(::testing::Message() << "seed " << seed);
  Random random(seed);
  Islands islands;
  for (int round = 0; round < 200; ++round) {
    const uint32_t count = 2 + static_cast<uint32_t>(random.Next() % 60);
    std::vector<BodyKind> kinds;
    for (uint32_t row = 0; row < count; ++row) {
      kinds.push_back(random.Next() % 6 == 0 ? BodyKind::kStatic : kDynamic);
    }
    std::vector<std::pair<uint32_t, uint32_t>> pairs(random.Next() % (count + count / 2));
    for (auto& [a, b] : pairs) {
      a = static_cast<uint32_t>(random.Next() % count);
      b = static_cast<uint32_t>(random.Next() % count);
    }
    std::vector<uint32_t> names(count);
    std::iota(names.begin(), names.end(), 0u);
    for (bool changed = true; changed;) {
      changed = false;
      for (const auto& [a, b] : pairs) {
        if (kinds[a] != kDynamic || kinds[b] != kDynamic || names[a] == names[b]) continue;
        names[a] = names[b] = std::min(names[a], names[b]);
        changed = true;
      }
    }
    EXPECT_EQ(FindAll(islands, kinds, MakeContacts(pairs)), names);
    std::ranges::reverse(pairs);
    EXPECT_EQ(FindAll(islands, kinds, MakeContacts(pairs)), names);
  }
}

}  // namespace
}  // namespace talus
