#include "solver/world/warm_start.h"

#include <gtest/gtest.h>

#include <limits>

namespace talus {
namespace {

ContactSet MakeSet(std::initializer_list<double> normal_impulses) {
  ContactSet set;
  set.solution.impulse_blocks.resize(1);
  for (const double impulse : normal_impulses) {
    const auto index = static_cast<uint32_t>(set.contacts.size());
    set.contacts.emplace_back();
    set.contacts.back().normal = Vec3(0.6, 0.0, 0.8);
    set.contacts.back().body_b = 1 + index;
    set.marks.push_back({index, 0, 0, 1});
    Wrench wrench = Wrench::Zero();
    wrench[0] = impulse;
    set.solution.impulse_blocks[0].Set(index, wrench);
    set.solution.slots.push_back(index);
    set.solution.modes.push_back(1);
  }
  return set;
}

constexpr BodyId kIds[] = {BodyId{1}, BodyId{3}, BodyId{4}, BodyId{7}};

TEST(ImpulseKeeper, KeepsWhatIsCarriedAndFindsItAgain) {
  const ContactSet set = MakeSet({2.0, 0.0, 1e-300});
  WorkerArena workers(1);
  ContactCache cache;
  ImpulseKeeper().KeepImpulses(workers, set, kIds, false, cache);
  ASSERT_EQ(cache.size(), 2u);
  EXPECT_EQ(cache.keys()[0], (ContactKey{BodyId{1}, BodyId{3}, 0, 1, 0, 0}));
  EXPECT_EQ(cache.keys()[1], (ContactKey{BodyId{1}, BodyId{7}, 0, 1, 2, 0}));
  EXPECT_NEAR((cache.impulses()[0].linear - Vec3(1.2, 0.0, 1.6)).norm(), 0.0, 1e-15);
  std::vector<uint32_t> rows;
  FindKeptImpulses(workers, cache, set, kIds, rows);
  EXPECT_EQ(rows, (std::vector<uint32_t>{0, kNotKept, 1}));
  EXPECT_TRUE(cache.normals().empty());
}

TEST(ImpulseKeeper, KeepsTheNormalsOfWhatIsCarriedWhereItIsAsked) {
  const ContactSet set = MakeSet({2.0, 0.0, 1e-300});
  WorkerArena workers(1);
  ContactCache cache;
  ImpulseKeeper().KeepImpulses(workers, set, kIds, true, cache);
  ASSERT_EQ(cache.normals().size(), 2u);
  EXPECT_EQ(cache.normals()[0], set.contacts[0].normal);
  EXPECT_EQ(cache.normals()[1], set.contacts[2].normal);
  ImpulseKeeper().KeepImpulses(workers, set, kIds, false, cache);
  EXPECT_TRUE(cache.normals().empty());
}

// A snapshot with a zero in it is refused.
TEST(ImpulseKeeper, KeepsNoZeros) {
  constexpr double kTiniest = std::numeric_limits<double>::denorm_min();
  constexpr double kSmallest = std::numeric_limits<double>::min();
  const ContactSet set = MakeSet({kTiniest, kSmallest, 5.0 * kSmallest});
  WorkerArena workers(1);
  ContactCache cache;
  ImpulseKeeper().KeepImpulses(workers, set, kIds, false, cache);
  ASSERT_EQ(cache.size(), 1u);
  EXPECT_EQ(cache.keys()[0], set.key(2, kIds));
  EXPECT_FALSE(cache.impulses()[0].linear.isZero(0.0));
}

}  // namespace
}  // namespace talus
