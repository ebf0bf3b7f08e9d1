#include "solver/world/contact_set.h"

#include <gtest/gtest.h>

namespace talus {
namespace {

// A chain of five bodies, one contact between neighbours.
struct BodyChain {
  BodyStore bodies;
  ContactSet set;

  BodyChain() {
    const ShapeRow shape;
    BodyRow row;
    row.shapes = {&shape, 1};
    for (int i = 0; i < 5; ++i) bodies.Add(row);
    set.solution.impulse_blocks.resize(1);
    for (uint32_t i = 0; i < 4; ++i) {
      ContactInput& contact = set.contacts.emplace_back();
      contact.body_a = i;
      contact.body_b = i + 1;
      contact.normal = Vec3::UnitZ();
      set.marks.push_back({10 + i, 0, 0, 0});
      set.solution.slots.push_back(i);
      set.solution.modes.push_back(0);
    }
  }
  void Remove(std::vector<uint8_t> leaving) {
    set.NoteIds(bodies.ids());
    bodies.Remove(leaving);
  }
  std::vector<ContactRecord> Records() const { return MakeContactRecords(set, bodies, 0.01); }
};

TEST(ContactSetTest, RecordsNameTheRowsThatBodiesHaveNow) {
  BodyChain chain;
  EXPECT_EQ(chain.Records().size(), 4u);
  chain.Remove({1, 0, 0, 0, 0});
  ASSERT_EQ(chain.Records().size(), 3u);
  EXPECT_EQ(chain.Records()[0].body_a_row, 0u);
  EXPECT_EQ(chain.Records()[0].body_b_row, 1u);
  EXPECT_EQ(chain.Records()[0].feature, 11u);
  // Again without a step between.
  chain.Remove({0, 1, 0, 0});
  ASSERT_EQ(chain.Records().size(), 1u);
  EXPECT_EQ(chain.Records()[0].body_a_row, 1u);
  EXPECT_EQ(chain.Records()[0].body_b_row, 2u);
  EXPECT_EQ(chain.Records()[0].feature, 13u);
}

TEST(ContactSetTest, KeysAreMadeOfIds) {
  BodyChain chain;
  EXPECT_EQ(chain.set.key(2, chain.bodies.ids()), (ContactKey{BodyId{3}, BodyId{4}, 0, 0, 12, 0}));
}

}  // namespace
}  // namespace talus
