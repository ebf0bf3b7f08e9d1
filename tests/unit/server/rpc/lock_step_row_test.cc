#include "server/rpc/lock_step_row.h"

#include <gtest/gtest.h>

namespace talus::rpc {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;
using Finding = LockStepRow::Finding;

// Callers who call at times of their own.
class Calls {
 public:
  // `caller` calls `count` times, each time so long after the call before: what the last one finds.
  Finding Make(int caller, int count, microseconds apart) {
    Finding found = Finding::kNone;
    for (int call = 0; call < count; ++call) {
      now_ += apart;
      found = row_.Note(&callers_[caller], now_);
    }
    return found;
  }
  void Pass(microseconds time) { now_ += time; }

 private:
  LockStepRow row_;
  LockStepRow::TimePoint now_{std::chrono::hours(1)};
  const int callers_[4] = {};
};

TEST(LockStepRow, TakesSeveralCalls) {
  Calls calls;
  EXPECT_EQ(calls.Make(0, 16, microseconds(50)), Finding::kNone);
  EXPECT_EQ(calls.Make(0, 1, microseconds(50)), Finding::kRow);
  EXPECT_EQ(calls.Make(0, 1000, microseconds(50)), Finding::kRow);
}

TEST(LockStepRow, IsMadeByTicksOfAMillisecond) {
  Calls calls;
  EXPECT_EQ(calls.Make(0, 17, milliseconds(1)), Finding::kRow);
}

TEST(LockStepRow, BeginsAgainAfterAPause) {
  Calls calls;
  EXPECT_EQ(calls.Make(0, 17, milliseconds(2)), Finding::kRow);
  EXPECT_EQ(calls.Make(0, 1, microseconds(2001)), Finding::kNone);
  EXPECT_EQ(calls.Make(0, 15, microseconds(50)), Finding::kNone);
  EXPECT_EQ(calls.Make(0, 1, microseconds(50)), Finding::kRow);
}

TEST(LockStepRow, CallsFarApartAreNone) {
  Calls calls;
  EXPECT_EQ(calls.Make(0, 100, milliseconds(3)), Finding::kNone);
}

TEST(LockStepRow, MayBeOfTwo) {
  Calls calls;
  for (int round = 0; round < 8; ++round) {
    EXPECT_EQ(calls.Make(0, 1, microseconds(50)), Finding::kNone);
    EXPECT_EQ(calls.Make(1, 1, microseconds(50)), Finding::kNone);
  }
  EXPECT_EQ(calls.Make(0, 1, microseconds(50)), Finding::kRow);
}

TEST(LockStepRow, OneMoreMakesACrowdForSomeTime) {
  Calls calls;
  EXPECT_EQ(calls.Make(0, 17, microseconds(50)), Finding::kRow);
  EXPECT_EQ(calls.Make(1, 1, microseconds(50)), Finding::kRow);
  EXPECT_EQ(calls.Make(2, 1, microseconds(50)), Finding::kCrowd);
  // The first was forgotten for it, and then the second for the first.
  EXPECT_EQ(calls.Make(0, 100, microseconds(50)), Finding::kCrowd);
  EXPECT_EQ(calls.Make(0, 1800, microseconds(50)), Finding::kCrowd);
  calls.Pass(milliseconds(10));
  EXPECT_EQ(calls.Make(0, 16, microseconds(50)), Finding::kNone);
  EXPECT_EQ(calls.Make(0, 1, microseconds(50)), Finding::kRow);
}

TEST(LockStepRow, WhoTakesAnothersPlaceIsNoCrowd) {
  Calls calls;
  EXPECT_EQ(calls.Make(0, 17, microseconds(50)), Finding::kRow);
  EXPECT_EQ(calls.Make(1, 17, microseconds(50)), Finding::kRow);
  EXPECT_EQ(calls.Make(1, 100, microseconds(50)), Finding::kRow);  // 5 ms without the first
  EXPECT_EQ(calls.Make(2, 1, microseconds(50)), Finding::kRow);
  EXPECT_EQ(calls.Make(3, 1, microseconds(50)), Finding::kCrowd);
}

}  // namespace
}  // namespace talus::rpc
