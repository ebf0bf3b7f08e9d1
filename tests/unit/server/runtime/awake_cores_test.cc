#include "server/runtime/awake_cores.h"

#include <chrono>
#include <thread>

#include "gtest/gtest.h"
#include "tests/support/ring.h"
#include "tests/support/wait_until.h"

namespace talus {
namespace {

using std::chrono::milliseconds;
using testing::WaitUntil;

TEST(AwakeCores, NothingSpinsBeforeTheFirstStep) {
  AwakeCores cores(2, std::chrono::seconds(60));
  std::this_thread::sleep_for(milliseconds(20));
  EXPECT_EQ(cores.spinning(), 0);
}

TEST(AwakeCores, StepsFarApartKeepNothingAwake) {
  AwakeCores cores(2, milliseconds(10));
  for (int step = 0; step < 4; ++step) {
    cores.NoteStep();
    EXPECT_EQ(cores.spinning(), 0);
    std::this_thread::sleep_for(milliseconds(20));
  }
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
    cores.NoteStep();
    EXPECT_TRUE(WaitUntil([&] { return cores.spinning() == 3; }));
  }
  EXPECT_LT(std::chrono::steady_clock::now() - start, testing::kPatience);
}

TEST(AwakeCores, ShortStepsOfASceneKeepThemAwakeAndOthersDoNot) {
  testing::Stage stage;
  AwakeCores cores(1, std::chrono::minutes(10));
  SceneRuntime runtime = stage.runtime();
  runtime.awake_cores = &cores;
  const auto scene = SceneActor::Make("s", testing::MakeWorld(testing::FallingBalls(0)), runtime);
  const auto step = [&](int64_t count) {
    testing::Answer<StepAnswer> answer;
    scene->Step(testing::Steps(count), nullptr, answer.Done());
    EXPECT_TRUE(answer.Get().ok());
  };
  // So many take longer than a short step, however fast the machine.
  for (int call = 0; call < 3; ++call) step(20'000);
  std::this_thread::sleep_for(milliseconds(20));
  EXPECT_EQ(cores.spinning(), 0);
  EXPECT_TRUE(WaitUntil([&] {
    step(1);
    return cores.spinning() == 1;
  }));
}

}  // namespace
}  // namespace talus
