#include "solver/state/contact_cache.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "solver/base/random.h"

namespace talus {
namespace {

ContactKey Key(uint64_t a, uint32_t shape_a, uint64_t b, uint32_t shape_b = 0, uint32_t feature = 0,
               uint32_t ordinal = 0) {
  return {BodyId{a}, BodyId{b}, shape_a, shape_b, feature, ordinal};
}

TEST(ContactCacheTest, KeysSortByShapeRows) {
  const std::vector<ContactKey> sorted = {Key(1, 0, 2),       Key(1, 0, 2, 0, 1),   Key(1, 0, 2, 1),
                                          Key(1, 0, 3),       Key(1, 1, 2),         Key(2, 0, 3),
                                          Key(2, 0, 3, 0, 5), Key(2, 0, 3, 0, 5, 1)};
  EXPECT_TRUE(std::is_sorted(sorted.begin(), sorted.end()));
  for (size_t i = 1; i < sorted.size(); ++i) EXPECT_TRUE(sorted[i - 1] < sorted[i]);
}

TEST(ContactCacheTest, ZeroImpulsesAreNotKept) {
  ContactCache cache;
  cache.Add(Key(1, 0, 2), {});
  EXPECT_EQ(cache.size(), 0u);
  cache.Add(Key(1, 0, 2), {Vec3::Zero(), Vec3(0, 0, 1)});
  EXPECT_EQ(cache.size(), 1u);
}

TEST(ContactCacheTest, JoinFindsWhatAMapFinds) {
  const uint64_t seed = 20240607;
  SCOPED_TRACE(::testing::Message() << "seed " << seed);
  Random random(seed);
  for (int round = 0; round < 200; ++round) {
    std::map<ContactKey, double> old_keys;
    std::map<ContactKey, double> new_keys;
    const auto draw = [&] {
      return Key(random.Next() % 4, static_cast<uint32_t>(random.Next() % 2), random.Next() % 4,
                 static_cast<uint32_t>(random.Next() % 2),
                 static_cast<uint32_t>(random.Next() % 3));
    };
    for (uint64_t n = random.Next() % 20; n > 0; --n) old_keys[draw()] = random.Uniform() + 1.0;
    for (uint64_t n = random.Next() % 20; n > 0; --n) new_keys[draw()] = 0.0;
    ContactCache cache;
    for (const auto& [key, value] : old_keys) cache.Add(key, {Vec3(value, 0, 0), Vec3::Zero()});
    std::vector<ContactKey> keys;
    for (const auto& [key, value] : new_keys) keys.push_back(key);
    std::vector<double> found(keys.size(), 0.0);
    cache.Join(
        0, keys.size(), [&](size_t index) { return keys[index]; },
        [&](size_t index, const CachedImpulse& impulse) { found[index] = impulse.linear.x(); });
    for (size_t index = 0; index < keys.size(); ++index) {
      const auto expected = old_keys.find(keys[index]);
      EXPECT_EQ(found[index], expected == old_keys.end() ? 0.0 : expected->second);
    }
  }
}

}  // namespace
}  // namespace talus
