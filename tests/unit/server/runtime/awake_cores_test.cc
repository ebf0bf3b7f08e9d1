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

TEST(AwakeCores, AStepKeepsAllOfThemAwakeForAWhile) {
  AwakeCores cores(2, milliseconds(200));
  const auto start = std::chrono::steady_clock::now();
  cores.NoteStep();
  ASSERT_TRUE(WaitUntil([&] { return cores.spinning() == 2; }));
  ASSERT_TRUE(WaitUntil([&] { return cores.spinning() == 0; }));
  EXPECT_GE(std::chrono::steady_clock::now() - start, milliseconds(200));
  cores.NoteStep();
  EXPECT_TRUE(WaitUntil([&] { return cores.spinning() == 2; }));
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
