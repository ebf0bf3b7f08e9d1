#include "tests/system/chaos/alarm_clock.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <future>
#include <memory>
#include <thread>
#include <vector>

namespace talus::chaos {
namespace {

using Alarm = AlarmClock::Alarm;
using Clock = AlarmClock::Clock;
using std::chrono::hours;
using std::chrono::milliseconds;

TEST(AlarmClock, DoesItAtTheGivenMomentAndNotBefore) {
  AlarmClock clock;
  std::promise<Clock::time_point> done;
  const Clock::time_point start = Clock::now();
  const Alarm alarm(clock, milliseconds(30), [&] { done.set_value(Clock::now()); });
  EXPECT_GE(done.get_future().get() - start, milliseconds(30));
}

TEST(AlarmClock, WhatIsDueAlreadyIsDoneAtOnce) {
  AlarmClock clock;
  std::promise<void> done;
  const Alarm alarm(clock, milliseconds(-5), [&] { done.set_value(); });
  done.get_future().get();
}

TEST(AlarmClock, GoesByTheMomentsAndNotByTheOrderOfAsking) {
  AlarmClock clock;
  std::vector<int> order;  // of the clock's thread alone, until the last is done
  std::promise<void> done;
  const Alarm last(clock, milliseconds(60), [&] {
    order.push_back(3);
    done.set_value();
  });
  const Alarm second(clock, milliseconds(40), [&] { order.push_back(2); });
  const Alarm first(clock, milliseconds(20), [&] { order.push_back(1); });
  done.get_future().get();
  EXPECT_EQ(order, (std::vector<int>{1, 2, 3}));
}

TEST(AlarmClock, EveryOneOfManyIsDoneOnce) {
  constexpr int kAlarms = 200;
  AlarmClock clock;
  std::atomic<int> count = 0;
  std::promise<void> done;
  std::vector<std::unique_ptr<Alarm>> alarms;
  for (int k = 0; k < kAlarms; ++k) {
    alarms.push_back(std::make_unique<Alarm>(clock, milliseconds(k % 7), [&] {
      if (++count == kAlarms) done.set_value();
    }));
  }
  done.get_future().get();
  std::this_thread::sleep_for(milliseconds(10));
  EXPECT_EQ(count, kAlarms);
}

TEST(AlarmClock, WhatIsTakenBackIsNotDone) {
  AlarmClock clock;
  std::atomic<bool> rang = false;
  {
    const Alarm gone(clock, milliseconds(20), [&] { rang = true; });
  }
  std::promise<void> later;
  const Alarm alarm(clock, milliseconds(40), [&] { later.set_value(); });
  later.get_future().get();
  EXPECT_FALSE(rang);
}

TEST(AlarmClock, AnAlarmIsNotGoneBeforeItsActionIsOver) {
  AlarmClock clock;
  std::promise<void> begun;
  std::atomic<bool> over = false;
  {
    const Alarm alarm(clock, milliseconds(0), [&] {
      begun.set_value();
      std::this_thread::sleep_for(milliseconds(30));
      over = true;
    });
    begun.get_future().get();
  }
  EXPECT_TRUE(over);
}

TEST(AlarmClock, TakingBackRacesWithRinging) {
  AlarmClock clock;
  for (int k = 0; k < 500; ++k) {
    auto alive = std::make_unique<std::atomic<int>>(1);
    std::atomic<int>& touched = *alive;
    {
      const Alarm alarm(clock, std::chrono::microseconds(k % 50), [&touched] { ++touched; });
      std::this_thread::sleep_for(std::chrono::microseconds(k % 50));
    }
    // Whatever the action touches may go now; a sanitizer would tell of one that still runs.
    EXPECT_LE(*alive, 2);
  }
}

TEST(AlarmClock, AnAlarmOfNoClockIsNothing) { const Alarm none; }

TEST(AlarmClock, ItsEndWaitsForNoAlarm) {
  const Clock::time_point start = Clock::now();
  std::atomic<bool> rang = false;
  {
    AlarmClock clock;
    const Alarm far(clock, hours(1), [&] { rang = true; });
  }
  { const AlarmClock idle; }
  EXPECT_LT(Clock::now() - start, std::chrono::minutes(1));
  EXPECT_FALSE(rang);
}

}  // namespace
}  // namespace talus::chaos
