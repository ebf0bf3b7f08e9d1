#include "server/telemetry/process_usage.h"

#include <gtest/gtest.h>
#include <pthread.h>

#include <future>
#include <memory>
#include <thread>
#include <vector>

namespace talus::telemetry {
namespace {

constexpr int64_t kMib = 1 << 20;

TEST(ProcessUsage, TellsWhatTheProcessHas) {
  const ProcessUsage usage = ReadProcessUsage();
  EXPECT_GT(usage.resident_bytes, kMib);
  EXPECT_GE(usage.threads, 1);
  EXPECT_GE(usage.open_descriptors, 3);
  EXPECT_GE(usage.most_descriptors, usage.open_descriptors);
}

TEST(ProcessUsage, CountsThreadsOfAName) {
  std::promise<void> named;
  std::promise<void> end;
  std::thread thread([&] {
    ::pthread_setname_np(::pthread_self(), "of this name");
    named.set_value();
    end.get_future().wait();
  });
  named.get_future().wait();
  EXPECT_EQ(CountThreads("of this name"), 1);
  EXPECT_EQ(CountThreads("of this nam"), 0);
  end.set_value();
  thread.join();
}

// Pieces of any size: small ones are cut from what the allocator has, large ones are mapped.
TEST(ProcessUsage, TheHeapIsWhatIsHandedOutAndNotGivenBack) {
  const int64_t before = ReadProcessUsage().heap_bytes;
  if (before == 0) GTEST_SKIP() << "the allocator does not tell";
  for (const int64_t size : {int64_t{100}, 64 * kMib}) {
    std::vector<std::unique_ptr<char[]>> pieces(static_cast<size_t>(64 * kMib / size));
    for (auto& piece : pieces) piece = std::make_unique<char[]>(static_cast<size_t>(size));
    EXPECT_GT(ReadProcessUsage().heap_bytes, before + 60 * kMib) << size;
    pieces.clear();
    pieces.shrink_to_fit();
    EXPECT_LT(ReadProcessUsage().heap_bytes, before + 4 * kMib) << size;
  }
}

}  // namespace
}  // namespace talus::telemetry
