#include "server/runtime/awake_cores.h"

#include <sched.h>
#include <sys/types.h>

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "gtest/gtest.h"
#include "server/runtime/chosen_cores.h"
#include "tests/support/ring.h"
#include "tests/support/wait_until.h"

namespace talus {
namespace {

using std::chrono::milliseconds;
using testing::WaitUntil;

std::set<pid_t> ListThreads() {
  std::set<pid_t> threads;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/task")) {
    threads.insert(std::stoi(entry.path().filename()));
  }
  return threads;
}

// On how many cores each thread may run that `start` has left behind, and all of them together.
struct Reach {
  std::vector<int> each;
  int all = 0;
};
Reach FindReach(const std::function<void()>& start) {
  // Beside the first of all threads ThreadSanitizer starts one of its own.
  std::thread([] {}).join();
  const std::set<pid_t> before = ListThreads();
  start();
  Reach reach;
  cpu_set_t all;
  CPU_ZERO(&all);
  for (const pid_t thread : ListThreads()) {
    if (before.contains(thread)) continue;
    cpu_set_t cores;
    CPU_ZERO(&cores);
    EXPECT_EQ(::sched_getaffinity(thread, sizeof(cores), &cores), 0);
    reach.each.push_back(CPU_COUNT(&cores));
    CPU_OR(&all, &all, &cores);
  }
  reach.all = CPU_COUNT(&all);
  return reach;
}

TEST(AwakeCores, ThreadsForAllCoresHaveOneEach) {
  const Cores usable = FindUsableCores();
  const int count = static_cast<int>(usable.size());
  std::unique_ptr<AwakeCores> cores;
  const Reach reach =
      FindReach([&] { cores = std::make_unique<AwakeCores>(count, std::chrono::seconds(60)); });
  EXPECT_EQ(reach.each, std::vector<int>(usable.size(), 1));
  EXPECT_EQ(reach.all, count);
  EXPECT_EQ(FindUsableCores(), usable);
}

TEST(AwakeCores, FewerThreadsGoWhereTheyLike) {
  const int count = static_cast<int>(FindUsableCores().size());
  if (count == 1) GTEST_SKIP() << "there is one core only";
  std::unique_ptr<AwakeCores> cores;
  const Reach reach =
      FindReach([&] { cores = std::make_unique<AwakeCores>(count - 1, std::chrono::seconds(60)); });
  EXPECT_EQ(reach.each, std::vector<int>(static_cast<size_t>(count - 1), count));
}

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

// As on a machine where awake cores are in the way. A trial alone leaves them asleep for 256 steps.
TEST(AwakeCores, TheyAreLeftAsleepWhereStepsComeSoonerSo) {
  AwakeCores cores(2, milliseconds(10));
  int asleep = 0;
  EXPECT_TRUE(WaitUntil([&] {
    for (int step = 0; step < 100 && asleep < 600; ++step) {
      cores.NoteStep();
      const bool spins = cores.spinning() > 0;
      asleep = spins ? 0 : asleep + 1;
      std::this_thread::sleep_for(std::chrono::microseconds(spins ? 900 : 100));
    }
    return asleep == 600;
  }));
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
