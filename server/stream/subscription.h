// One watcher's end of a scene's stream, under the LATEST policy: a slot for one frame, overwritten
// when the watcher is slow, and the count of what was overwritten.
//
// The scene puts frames in and never waits; the watcher is notified and takes them out.
// Thread-safe.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <thread>
#include <variant>

#include "absl/status/status.h"
#include "server/runtime/clock.h"
#include "server/stream/frame.h"
#include "solver/base/mutex.h"

namespace talus {

// At most `rate_hz` frames per second of wall clock. When the scene comes to rest, its last state
// follows once due.
struct RatePace {
  double rate_hz = 60.0;  // > 0
};
// Every step whose index is a multiple of `steps`, and every change made by hand (bodies added or
// removed, restore).
struct StepPace {
  int64_t steps = 1;  // >= 1
};
using Pace = std::variant<RatePace, StepPace>;

struct WatchOptions {
  Pace pace = StepPace{};
  FrameParts parts;
};

struct Delivery {
  FramePtr frame;
  int64_t dropped_since_last = 0;  // frames due under the pace but overwritten before this one
  bool layout_due = false;  // the first frame, or the layout changed since the last one taken
};

class Subscription {
 public:
  // `notify` runs, without a lock held, when a frame is ready or the stream has ended; never twice
  // at the same time. It must not block.
  Subscription(const WatchOptions& options, std::function<void()> notify);

  // The frame to send now; empty when there is none yet.
  std::optional<Delivery> Take();
  // Set once the stream has ended and its last frame was taken: ABORTED / SCENE_DELETED or
  // UNAVAILABLE / DRAINING.
  std::optional<absl::Status> FindEnd() const;
  // The watcher leaves. When this returns, `notify` is not running (unless it is what called Close)
  // and never will.
  void Close();

  // For the hub only.
  const WatchOptions& options() const { return options_; }
  bool closed() const;
  // Whether the state of `moment` is due now (see Hub::Moment); `due_at` is set when it will only
  // be due later.
  bool IsDue(int64_t moment, int64_t hand_moment, int64_t step_index, Clock::TimePoint now,
             std::optional<Clock::TimePoint>* due_at) const;
  void Offer(const FramePtr& frame, int64_t moment, Clock::TimePoint now);
  void End(const absl::Status& status);

 private:
  void Notify();

  const WatchOptions options_;
  mutable Mutex mutex_;
  CondVar notified_;
  std::function<void()> notify_ TALUS_GUARDED_BY(mutex_);
  bool notifying_ TALUS_GUARDED_BY(mutex_) = false;
  bool notify_again_ TALUS_GUARDED_BY(mutex_) = false;
  std::thread::id notifier_ TALUS_GUARDED_BY(mutex_);
  bool closed_ TALUS_GUARDED_BY(mutex_) = false;
  std::optional<absl::Status> end_ TALUS_GUARDED_BY(mutex_);
  FramePtr slot_ TALUS_GUARDED_BY(mutex_);
  int64_t dropped_ TALUS_GUARDED_BY(mutex_) = 0;
  int64_t offered_moment_ TALUS_GUARDED_BY(mutex_) = -1;
  int64_t taken_layout_version_ TALUS_GUARDED_BY(mutex_) = -1;
  Clock::TimePoint next_due_ TALUS_GUARDED_BY(mutex_){};
};

using SubscriptionPtr = std::shared_ptr<Subscription>;

}  // namespace talus
