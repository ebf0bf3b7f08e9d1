// Whether one or two callers step in lock-step just now: calls come in a row, each soon after the
// one before.
//
// Where more of them step at once there is no row, for some time after that was seen last.
#pragma once

#include <array>
#include <chrono>

namespace talus::rpc {

struct LockStepRule {
  // So many calls make a row, each no later after the one before than this.
  int row = 16;
  std::chrono::microseconds apart = std::chrono::milliseconds(2);
  // Who has not called for so long does not step any more.
  std::chrono::microseconds patience = std::chrono::milliseconds(4);
  // One caller more than two makes a crowd, for so long.
  std::chrono::microseconds crowd = std::chrono::milliseconds(100);
};

// Not thread-safe.
class LockStepRow {
 public:
  using TimePoint = std::chrono::steady_clock::time_point;
  enum class Finding { kNone, kRow, kCrowd };

  explicit LockStepRow(const LockStepRule& rule = {}) : rule_(rule) {}

  // A call has come. `caller` tells who steps from the others, and is not looked into.
  Finding Note(const void* caller, TimePoint now);

 private:
  struct Caller {
    const void* who = nullptr;
    TimePoint last;
  };

  // False: it is one too many.
  bool KnowCaller(const void* caller, TimePoint now);

  const LockStepRule rule_;
  std::array<Caller, 2> callers_;
  int calls_ = 0;  // of the row
  TimePoint last_;
  TimePoint crowd_until_;
};

}  // namespace talus::rpc
