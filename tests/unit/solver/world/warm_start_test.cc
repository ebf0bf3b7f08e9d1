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
    set.keys.push_back({BodyId{1}, BodyId{2 + index}, 0, 0, 0, 0});
    Wrench wrench = Wrench::Zero();
    wrench[0] = impulse;
    set.solution.impulse_blocks[0].Set(index, wrench);
    set.solution.slots.push_back(index);
    set.solution.modes.push_back(1);
  }
  return set;
}

TEST(ImpulseKeeper, KeepsWhatIsCarriedAndFindsItAgain) {
  const ContactSet set = MakeSet({2.0, 0.0, 1e-300});
  WorkerArena workers(1);
  ContactCache cache;
  ImpulseKeeper().KeepImpulses(workers, set, cache);
  ASSERT_EQ(cache.size(), 2u);
  EXPECT_EQ(cache.keys()[0], set.keys[0]);
  EXPECT_EQ(cache.keys()[1], set.keys[2]);
  EXPECT_NEAR((cache.impulses()[0].linear - Vec3(1.2, 0.0, 1.6)).norm(), 0.0, 1e-15);
  std::vector<uint32_t> rows;
  FindKeptImpulses(workers, cache, set.keys, rows);
  EXPECT_EQ(rows, (std::vector<uint32_t>{0, kNotKept, 1}));
}

// A snapshot with a zero in it is refused.
TEST(ImpulseKeeper, KeepsNoZeros) {
  constexpr double kTiniest = std::numeric_limits<double>::denorm_min();
  constexpr double kSmallest = std::numeric_limits<double>::min();
  const ContactSet set = MakeSet({kTiniest, kSmallest, 5.0 * kSmallest});
  WorkerArena workers(1);
  ContactCache cache;
  ImpulseKeeper().KeepImpulses(workers, set, cache);
  ASSERT_EQ(cache.size(), 1u);
  EXPECT_EQ(cache.keys()[0], set.keys[2]);
  EXPECT_FALSE(cache.impulses()[0].linear.isZero(0.0));
}

}  // namespace
}  // namespace talus
