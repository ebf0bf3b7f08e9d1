#include "solver/solvers/line_store.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace talus {
namespace {

struct Large {
  double value[4];
};
struct Small {
  float value[4];
};

TEST(LineStoreTest, HoldsLinesOfCacheLines) {
  LineStore store;
  EXPECT_TRUE(store.Hold<Large>(0).empty());
  for (const size_t count : {7u, 3u, 1000u}) {
    const std::span<Large> lines = store.Hold<Large>(count);
    EXPECT_EQ(lines.size(), count);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(lines.data()) % 64, 0u);
    lines.back().value[3] = 1.0;
  }
}

TEST(LineStoreTest, KeepsItsMemory) {
  LineStore store;
  const void* const first = store.Hold<Large>(1000).data();
  EXPECT_EQ(store.Hold<Small>(2000).data(), first);
  EXPECT_EQ(store.Hold<Large>(500).data(), first);
}

TEST(LineStoreTest, HalvesItsEntriesOnAnyNumberOfWorkers) {
  for (const int worker_count : {1, 2, 3, 7}) {
    WorkerArena workers(worker_count);
    for (const size_t count : {0u, 1u, 2u, 3u, 64u, 1025u, 10000u}) {
      LineStore store;
      const std::span<Large> lines = store.Hold<Large>(count);
      for (size_t i = 0; i < count; ++i) {
        for (int k = 0; k < 4; ++k) lines[i].value[k] = static_cast<double>(4 * i) + k;
      }
      const auto halves = store.Halve<Small, Large>(workers, count, [](const Large& from) {
        Small to;
        for (int k = 0; k < 4; ++k) to.value[k] = static_cast<float>(from.value[k]);
        return to;
      });
      ASSERT_EQ(halves.first.size(), count);
      ASSERT_EQ(halves.second.size(), count);
      EXPECT_EQ(halves.first.data() + count, halves.second.data());
      for (size_t i = 0; i < count; ++i) {
        for (int k = 0; k < 4; ++k) {
          ASSERT_EQ(halves.first[i].value[k], static_cast<float>(4 * i) + static_cast<float>(k));
        }
      }
    }
  }
}

}  // namespace
}  // namespace talus
