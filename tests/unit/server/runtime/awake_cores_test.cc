#include "server/runtime/awake_cores.h"

#include <chrono>
#include <thread>

#include "gtest/gtest.h"
#include "tests/support/ring.h"
#include "tests/support/wait_until.h"

namespace talus {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;
using testing::WaitUntil;

TEST(AwakeCores, NothingSpinsBeforeTheFirstStep) {
  AwakeCores cores(2, std::chrono::seconds(60));
  std::this_thread::sleep_for(milliseconds(20));
  EXPECT_EQ(cores.spinning(), 0);
}

// The threads only get what nobody else wants, on a busy machine next to nothing.
TEST(AwakeCores, StepsKeepAllOfThemAwakeAndNoLonger) {
  AwakeCores cores(2, milliseconds(50));
  for (int round = 0; round < 2; ++round) {
    ASSERT_TRUE(WaitUntil([&] {
      cores.NoteStep();
      return cores.spinning() == 2;
    }));
    ASSERT_TRUE(WaitUntil([&] { return cores.spinning() == 0; }));
  }
}

TEST(AwakeCores, TheyEndWhileTheySpin) {
  const auto start = std::chrono::steady_clock::now();
  {
    AwakeCores cores(3, std::chrono::minutes(10));
    cores.NoteStep();
    EXPECT_TRUE(WaitUntil([&] { return cores.spinning() == 3; }));
  }
  EXPECT_LT(std::chrono::steady_clock::now() - start, testing::kPatience);
}

// Steps that come just as the threads fall asleep.
TEST(AwakeCores, NoStepIsSlept) {
  AwakeCores cores(1, microseconds(50));
  for (int step = 0; step < 500; ++step) {
    std::this_thread::sleep_for(microseconds(40 + step % 20));
    cores.NoteStep();
  }
  ASSERT_TRUE(WaitUntil([&] { return cores.spinning() == 0; }));
}

}  // namespace
}  // namespace talus
