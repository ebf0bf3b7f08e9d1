#include "server/runtime/clock.h"

#include <atomic>
#include <string>

#include "gtest/gtest.h"
#include "tests/support/ring.h"

namespace talus {
namespace {

using std::chrono::milliseconds;

TEST(ManualClockTest, RunsDueCallsInTheOrderOfTheirTime) {
  ManualClock clock;
  std::string order;
  clock.CallAt(clock.Now() + milliseconds(20), [&] { order += "b"; });
  clock.CallAt(clock.Now() + milliseconds(10), [&] { order += "a"; });
  clock.CallAt(clock.Now() + milliseconds(30), [&] { order += "c"; });
  clock.Advance(milliseconds(9));
  EXPECT_EQ(order, "");
  clock.Advance(milliseconds(11));
  EXPECT_EQ(order, "ab");
  clock.Advance(milliseconds(100));
  EXPECT_EQ(order, "abc");
}

TEST(ManualClockTest, ACallMayAskForAnother) {
  ManualClock clock;
  int calls = 0;
  clock.CallAt(clock.Now() + milliseconds(1), [&] {
    ++calls;
    clock.CallAt(clock.Now() + milliseconds(1), [&] { ++calls; });
  });
  clock.Advance(milliseconds(1));
  EXPECT_EQ(calls, 1);
  clock.Advance(milliseconds(1));
  EXPECT_EQ(calls, 2);
}

TEST(SystemClockTest, CallsNotBeforeTheirTime) {
  SystemClock clock;
  auto gate = std::make_shared<testing::Gate>();
  gate->Open();
  const Clock::TimePoint due = clock.Now() + milliseconds(5);
  std::atomic<bool> early{false};
  clock.CallAt(due, [&, gate] {
    early = clock.Now() < due;
    gate->Pass();
  });
  gate->AwaitArrival();
  EXPECT_FALSE(early);
}

TEST(SystemClockTest, AnEarlierCallOvertakesALaterOne) {
  SystemClock clock;
  auto gate = std::make_shared<testing::Gate>();
  gate->Open();
  clock.CallAt(clock.Now() + std::chrono::hours(1), [] { ADD_FAILURE(); });
  clock.CallAt(clock.Now(), [gate] { gate->Pass(); });
  gate->AwaitArrival();
  // The call that is an hour away is dropped with the clock.
}

}  // namespace
}  // namespace talus
