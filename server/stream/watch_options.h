// How somebody watches a scene: how often, what of it, and what happens when he is slow.
//
// Plain values, with the bounds that hold them together; whoever subscribes has them checked.
#pragma once

#include <chrono>
#include <cstdint>
#include <variant>

#include "absl/status/status.h"
#include "server/runtime/clock.h"
#include "server/stream/body_selection.h"
#include "server/stream/frame.h"

namespace talus {

// At most `rate_hz` frames per second of wall clock, on ticks that all watchers of one rate share.
// When the scene comes to rest, its last state follows once due.
struct RatePace {
  double rate_hz = 60.0;  // in (0, 10000]
};
// Every step whose index is a multiple of `steps`, and every change made by hand (bodies added,
// removed or set, restore).
struct StepPace {
  int64_t steps = 1;  // 1 to 1'000'000
};
using Pace = std::variant<RatePace, StepPace>;

// What happens when a frame is due and the watcher's queue is full.
enum class SlowPolicy {
  kLatest,      // the queue holds one frame; the new one takes its place
  kBuffer,      // the oldest frame is dropped
  kBlock,       // the scene waits for the watcher, `max_wait` at most; then he is dropped
  kDisconnect,  // the watcher is dropped
};

struct WatchOptions {
  Pace pace = StepPace{};
  FrameParts parts{};
  SlowPolicy policy = SlowPolicy::kLatest;
  int64_t queue_frames = 1;                            // of kLatest: 1
  Clock::Duration max_wait = std::chrono::seconds(1);  // of kBlock
  BodySelection bodies{};                              // none named: all
  int64_t key_interval = 0;  // not 0: every so many due frames at least stands for itself
};

inline constexpr int64_t kMostQueuedFrames = 1024;
// A queue that holds so many bytes of frames is full, however few they are.
inline constexpr int64_t kMostQueuedBytes = int64_t{16} << 20;
inline constexpr Clock::Duration kLongestWait = std::chrono::seconds(60);
inline constexpr int64_t kLongestKeyInterval = 10'000;

// INVALID_ARGUMENT naming the field of WatchStateRequest.
absl::Status ValidateWatch(const WatchOptions& options);

// The name of a policy as the wire schema has it, without its prefix.
const char* NameOf(SlowPolicy policy);

}  // namespace talus
