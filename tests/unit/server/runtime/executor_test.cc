#include "server/runtime/executor.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "gtest/gtest.h"
#include "server/runtime/nice_value.h"
#include "server/runtime/time_slice.h"
#include "solver/base/random.h"
#include "tests/support/ring.h"
#include "tests/support/wait_until.h"

namespace talus {
namespace {

// A task whose quanta are a function; it remembers whether it ever ran on two threads at once.
class TestTask : public ExecutorTask {
 public:
  explicit TestTask(std::function<bool()> quantum) : quantum_(std::move(quantum)) {}
  bool overlapped() const { return overlapped_; }
  int quanta() const { return quanta_; }

 private:
  bool RunQuantum(ArenaCache&, bool) override {
    if (inside_.exchange(true)) overlapped_ = true;
    const bool more = quantum_();
    ++quanta_;
    inside_ = false;
    return more;
  }

  std::function<bool()> quantum_;
  std::atomic<bool> inside_{false};
  std::atomic<bool> overlapped_{false};
  std::atomic<int> quanta_{0};
};

TEST(ExecutorTest, ReadyTasksTakeTurns) {
  std::string order;
  Executor executor(1);
  auto gate = std::make_shared<testing::Gate>();
  executor.Post([gate] { gate->Pass(); });
  gate->AwaitArrival();  // the thread is held: all three are ready before the first begins
  std::vector<std::shared_ptr<TestTask>> tasks;
  for (const char name : {'a', 'b', 'c'}) {
    auto left = std::make_shared<int>(3);
    tasks.push_back(std::make_shared<TestTask>([&order, name, left] {
      order += name;
      return --*left > 0;
    }));
    EXPECT_TRUE(executor.MakeReady(tasks.back()));
  }
  gate->Open();
  executor.Stop();
  EXPECT_EQ(order, "abcabcabc");
}

TEST(ExecutorTest, AGuestRunsATaskHimselfAndTheExecutorGoesOn) {
  Executor executor(1);
  auto gate = std::make_shared<testing::Gate>();
  executor.Post([gate] { gate->Pass(); });
  gate->AwaitArrival();  // every thread is held: only the guest can run it
  std::vector<std::thread::id> ran;
  auto left = std::make_shared<int>(3);
  auto task = std::make_shared<TestTask>([&ran, left] {
    ran.push_back(std::this_thread::get_id());
    return --*left > 0;
  });
  EXPECT_TRUE(executor.RunHere(task));
  EXPECT_EQ(task->quanta(), 1);
  // What it has left is the executor's, also for a guest who comes again.
  EXPECT_TRUE(executor.RunHere(task));
  EXPECT_EQ(task->quanta(), 1);
  gate->Open();
  executor.Stop();
  ASSERT_EQ(ran.size(), 3u);
  EXPECT_EQ(ran[0], std::this_thread::get_id());
  EXPECT_NE(ran[1], std::this_thread::get_id());
  EXPECT_FALSE(task->overlapped());
  EXPECT_FALSE(executor.RunHere(task));
}

TEST(ExecutorTest, GuestsAndThreadsNeverRunATaskAtOnce) {
  Executor executor(2);
  std::atomic<int> quanta{0};
  auto task = std::make_shared<TestTask>([&quanta] { return ++quanta % 3 == 0; });
  std::vector<std::thread> guests;
  for (int guest = 0; guest < 4; ++guest) {
    guests.emplace_back([&] {
      for (int turn = 0; turn < 2000; ++turn) EXPECT_TRUE(executor.RunHere(task));
    });
  }
  for (std::thread& guest : guests) guest.join();
  executor.Stop();
  EXPECT_FALSE(task->overlapped());
  // Calls that meet a running task are one more turn together.
  EXPECT_GT(quanta.load(), 0);
}

TEST(ExecutorTest, AShortTaskDoesNotWaitForALongOne) {
  Executor executor(1);
  std::atomic<bool> stop{false};
  auto endless = std::make_shared<TestTask>([&] { return !stop; });
  executor.MakeReady(endless);
  auto gate = std::make_shared<testing::Gate>();
  gate->Open();
  executor.Post([gate] { gate->Pass(); });
  gate->AwaitArrival();
  stop = true;
  executor.Stop();
}

TEST(ExecutorTest, ItsThreadsAndThoseThatTheyStartHaveTheSlicesThatWereAskedFor) {
  const std::chrono::nanoseconds own = FindTimeSlice();
  if (own.count() == 0) GTEST_SKIP() << "this kernel keeps no time slices of threads";
  const std::chrono::microseconds asked(20'000);
  for (const std::chrono::microseconds slice : {asked, std::chrono::microseconds(0)}) {
    std::chrono::nanoseconds of_turn{};
    std::chrono::nanoseconds of_worker{};
    Executor executor(1, {}, {.time_slice = slice});
    executor.Post([&] {
      of_turn = FindTimeSlice();
      std::thread([&] { of_worker = FindTimeSlice(); }).join();
    });
    executor.Stop();
    const std::chrono::nanoseconds expected = slice == asked ? asked : own;
    EXPECT_EQ(of_turn, expected);
    EXPECT_EQ(of_worker, expected);
  }
  EXPECT_EQ(FindTimeSlice(), own);
}

TEST(ExecutorTest, ItsThreadsAndThoseThatTheyStartHaveTheNiceValueThatWasAskedFor) {
  const int own = FindNiceValue();
  const int asked = std::min(own + 3, 19);
  for (const int nice : {asked, 0}) {
    int of_turn = 0;
    int of_worker = 0;
    Executor executor(1, {}, {.nice = nice});
    executor.Post([&] {
      of_turn = FindNiceValue();
      std::thread([&] { of_worker = FindNiceValue(); }).join();
    });
    executor.Stop();
    EXPECT_EQ(of_turn, nice == 0 ? own : asked);
    EXPECT_EQ(of_worker, of_turn);
  }
  EXPECT_EQ(FindNiceValue(), own);
}

TEST(ExecutorTest, StandInsGiveWayButDoNotGoFirst) {
  const int own = FindNiceValue();
  for (const int nice : {std::min(own + 3, 19), -10}) {
    if (!CheckNiceValue("nice", nice).ok()) continue;
    Executor executor(1, {.count = 1, .patience = std::chrono::milliseconds(1)}, {.nice = nice});
    auto held = std::make_shared<testing::Gate>();
    int of_held = 0;
    executor.Post([&of_held, held] {
      of_held = FindNiceValue();
      held->Pass();
    });
    held->AwaitArrival();
    std::atomic<int> of_stand_in{99};
    executor.Post([&of_stand_in] { of_stand_in = FindNiceValue(); });
    EXPECT_TRUE(testing::WaitUntil([&of_stand_in] { return of_stand_in != 99; }));
    held->Open();
    executor.Stop();
    EXPECT_EQ(of_held, nice);
    EXPECT_EQ(of_stand_in, nice < 0 ? own : nice);
  }
}

TEST(ExecutorTest, StandInsRunWhatWaitsForThreadsThatAreHeld) {
  Executor executor(2, {.count = 1});
  const std::vector<std::shared_ptr<testing::Gate>> held = {std::make_shared<testing::Gate>(),
                                                            std::make_shared<testing::Gate>()};
  for (const auto& gate : held) {
    executor.Post([gate] { gate->Pass(); });
    gate->AwaitArrival();
  }
  for (int turn = 0; turn < 3; ++turn) {
    auto left = std::make_shared<int>(3);
    auto ran = std::make_shared<testing::Gate>();
    ran->Open();
    executor.MakeReady(std::make_shared<TestTask>([ran, left] {
      if (--*left == 0) ran->Pass();
      return *left > 0;
    }));
    ran->AwaitArrival();
  }
  for (const auto& gate : held) gate->Open();
  executor.Stop();
}

TEST(ExecutorTest, StandInsLeaveLongTasksToTheThreads) {
  Executor executor(1, {.count = 1, .longest = std::chrono::nanoseconds(1)});
  auto task = std::make_shared<TestTask>([] { return false; });
  executor.MakeReady(task);
  while (executor.busy_count() > 0) std::this_thread::yield();
  auto gate = std::make_shared<testing::Gate>();
  executor.Post([gate] { gate->Pass(); });
  gate->AwaitArrival();
  executor.MakeReady(task);
  auto ran = std::make_shared<testing::Gate>();
  ran->Open();
  executor.Post([ran] { ran->Pass(); });
  ran->AwaitArrival();  // came later and overtook
  EXPECT_EQ(task->quanta(), 1);
  gate->Open();
  executor.Stop();
  EXPECT_EQ(task->quanta(), 2);
}

TEST(ExecutorTest, WhatAStandInHasLeftGoesOnOnAThread) {
  Executor executor(1, {.count = 1, .patience = std::chrono::milliseconds(1)});
  auto held = std::make_shared<testing::Gate>();
  executor.Post([held] { held->Pass(); });
  held->AwaitArrival();
  auto first = std::make_shared<testing::Gate>();
  auto second = std::make_shared<testing::Gate>();
  second->Open();
  auto quanta = std::make_shared<int>(0);
  executor.MakeReady(std::make_shared<TestTask>([=] {
    (++*quanta == 1 ? first : second)->Pass();
    return *quanta == 1;
  }));
  first->AwaitArrival();  // on the stand-in
  held->Open();
  while (executor.busy_count() > 1) std::this_thread::yield();
  first->Open();
  second->AwaitArrival();
  executor.Stop();
  EXPECT_EQ(*quanta, 2);
}

TEST(ExecutorTest, ATaskMadeReadyWhileItRunsRunsAgain) {
  Executor executor(2);
  auto gate = std::make_shared<testing::Gate>();
  auto task = std::make_shared<TestTask>([gate] {
    gate->Pass();
    return false;
  });
  executor.MakeReady(task);
  gate->AwaitArrival();
  executor.MakeReady(task);
  executor.MakeReady(task);
  gate->Open();
  executor.Stop();
  EXPECT_EQ(task->quanta(), 2);
}

TEST(ExecutorTest, NothingRunsAfterStop) {
  Executor executor(2);
  executor.Stop();
  EXPECT_FALSE(executor.Post([] { ADD_FAILURE(); }));
}

TEST(ExecutorTest, StopRunsWhatIsReady) {
  std::atomic<int> runs{0};
  Executor executor(2);
  for (int job = 0; job < 100; ++job) executor.Post([&] { ++runs; });
  executor.Stop();
  EXPECT_EQ(runs, 100);
}

TEST(ExecutorTest, ATaskIsNeverOnTwoThreads) {
  constexpr uint64_t kSeed = 7;
  SCOPED_TRACE(::testing::Message() << "seed " << kSeed);
  // Any turn is a long one: stand-ins work whenever the threads do.
  Executor executor(4, {.count = 2, .patience = std::chrono::nanoseconds(0)});
  std::vector<std::shared_ptr<TestTask>> tasks;
  for (int index = 0; index < 3; ++index) {
    tasks.push_back(std::make_shared<TestTask>([] {
      std::this_thread::yield();
      return false;
    }));
  }
  std::vector<std::thread> threads;
  for (uint64_t thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&, thread] {
      Random random(kSeed + thread);
      for (int round = 0; round < 3000; ++round) {
        executor.MakeReady(tasks[random.Next() % tasks.size()]);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  executor.Stop();
  for (const auto& task : tasks) {
    EXPECT_FALSE(task->overlapped());
    EXPECT_GE(task->quanta(), 1);
  }
}

TEST(ArenaCacheTest, KeepsOneArenaForEachSize) {
  ArenaCache arenas;
  WorkerArena& one = arenas.FindOrMake(1);
  WorkerArena& two = arenas.FindOrMake(2);
  EXPECT_EQ(one.worker_count(), 1);
  EXPECT_EQ(two.worker_count(), 2);
  EXPECT_EQ(&arenas.FindOrMake(1), &one);
}

}  // namespace
}  // namespace talus
