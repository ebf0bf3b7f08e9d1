#include "solver/contact/layout_key.h"

#include <gtest/gtest.h>

#include <cstring>

#include "solver/contact/assemble.h"
#include "solver/contact/strands.h"
#include "tests/support/contact_problems.h"

namespace talus {
namespace {

using testing::MakeSphereLattice;
using testing::TestProblem;

constexpr Material kKeyedMaterial{0.6, 0.005, 0.004, 0.0};

struct Key {
  std::vector<ContactInput> contacts;
  size_t body_count = 0;
  ContactKinds kinds;
};

Key MakeKey(size_t contact_count) {
  Key key;
  key.contacts.resize(contact_count);
  for (uint32_t i = 0; i < contact_count; ++i) {
    key.contacts[i].body_a = i;
    key.contacts[i].body_b = i + 1;
  }
  key.body_count = contact_count + 1;
  key.kinds.codes.assign(contact_count, 12);
  key.kinds.open.assign(contact_count, 0);
  return key;
}

bool Matches(LayoutKey& kept, const Key& key) {
  return kept.Matches(key.contacts, key.body_count, key.kinds);
}

TEST(LayoutKey, MatchesWhatItSawLastWhereverBodiesAre) {
  LayoutKey kept;
  Key key = MakeKey(9);
  EXPECT_FALSE(Matches(kept, key));
  EXPECT_TRUE(Matches(kept, key));
  key.contacts[3].point = Vec3(1, 2, 3);
  key.contacts[3].gap = -0.5;
  EXPECT_TRUE(Matches(kept, key));
}

TEST(LayoutKey, DoesNotMatchWhenAnythingOfItChanges) {
  const Key key = MakeKey(9);
  const auto expect_change = [&key](const char* what, auto change) {
    LayoutKey kept;
    EXPECT_FALSE(Matches(kept, key));
    Key other = key;
    change(other);
    EXPECT_FALSE(Matches(kept, other)) << what;
    EXPECT_TRUE(Matches(kept, other)) << what;
    EXPECT_FALSE(Matches(kept, key)) << what;
  };
  expect_change("a body", [](Key& k) { k.contacts[8].body_b = 3; });
  expect_change("the order", [](Key& k) { std::swap(k.contacts[0], k.contacts[1]); });
  expect_change("a body without contact", [](Key& k) { ++k.body_count; });
  expect_change("a kind", [](Key& k) { k.kinds.codes[4] = 8; });
  expect_change("what is open", [](Key& k) { k.kinds.open[4] = 1; });
  expect_change("one contact fewer", [](Key& k) {
    k.contacts.pop_back();
    k.kinds.codes.pop_back();
    k.kinds.open.pop_back();
  });
}

TEST(LayoutKey, NeverMatchesNothingNorMoreThanOneStrand) {
  LayoutKey kept;
  const Key none = MakeKey(0);
  EXPECT_FALSE(Matches(kept, none));
  EXPECT_FALSE(Matches(kept, none));
  const Key one = MakeKey(kOneStrandContacts);
  EXPECT_FALSE(Matches(kept, one));
  EXPECT_TRUE(Matches(kept, one));
  const Key more = MakeKey(kOneStrandContacts + 1);
  EXPECT_FALSE(Matches(kept, more));
  EXPECT_FALSE(Matches(kept, more));
  EXPECT_FALSE(Matches(kept, one)) << "the layout of that is gone";
}

// One scratch through many problems, each like the one before or a little different.
TEST(LayoutKey, AssemblyWithMemoryIsThatWithout) {
  WorkerArena workers(1);
  AssemblyScratch kept;
  ContactProblem problem;
  Random random(5);
  TestProblem input = MakeSphereLattice(64, kKeyedMaterial, 5);
  std::vector<CachedImpulse> impulses(1);
  std::vector<uint32_t> entries(input.contacts.size(), 0);
  for (int solve = 0; solve < 40; ++solve) {
    SCOPED_TRACE(solve);
    const auto any = [&](size_t count) { return static_cast<size_t>(random.Next() % count); };
    if (solve % 4 == 1) input.contacts[any(input.contacts.size())].gap -= 1e-5;
    if (solve % 4 == 2) entries[any(entries.size())] ^= kNotKept;
    if (solve % 8 == 3) {
      const size_t gone = any(input.contacts.size());
      input.contacts.erase(input.contacts.begin() + static_cast<std::ptrdiff_t>(gone));
      entries.pop_back();
    }
    if (solve % 16 == 7) input.bodies.inverse_masses[1 + any(64)] = 0.0;
    AssemblyScratch fresh;
    ContactProblem expected;
    std::vector<BodyMotion> motion;
    const WarmStart warm{entries, impulses};
    AssembleProblem(workers, input.bodies.view(), input.contacts, warm, input.assembly, {}, kept,
                    problem, motion);
    AssembleProblem(workers, input.bodies.view(), input.contacts, warm, input.assembly, {}, fresh,
                    expected, motion);
    EXPECT_EQ(problem.layout.slot_contact, expected.layout.slot_contact);
    EXPECT_EQ(problem.rows.row, expected.rows.row);
    EXPECT_EQ(problem.rows.body, expected.rows.body);
    ASSERT_EQ(problem.blocks.size(), expected.blocks.size());
    EXPECT_EQ(std::memcmp(problem.blocks.data(), expected.blocks.data(),
                          expected.blocks.size() * sizeof(ContactBlock)),
              0);
  }
}

}  // namespace
}  // namespace talus
