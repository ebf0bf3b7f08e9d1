// One watcher's end of a scene's stream: a bounded queue of frames, and what happens when it is
// full (SlowPolicy).
//
// The scene puts frames in and never waits here; the watcher is notified and takes them out. Frames
// are shared, so a queue costs what nobody else holds, and at most kMostQueuedBytes and one frame.
// Under BLOCK the scene asks first whether there is room, and stays at its step until there is or
// the wait is over. Thread-safe.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>

#include "absl/status/status.h"
#include "server/runtime/clock.h"
#include "server/stream/body_selection.h"
#include "server/stream/frame.h"
#include "server/stream/notifier.h"
#include "server/stream/watch_options.h"
#include "solver/base/mutex.h"

namespace talus {

// A state of a scene, as its watchers see it.
struct Moment {
  int64_t count = 0;    // grows with every change of the state
  int64_t by_hand = 0;  // the count of the last change that was no step
  int64_t step_index = 0;
};

struct Delivery {
  FramePtr frame;
  int64_t dropped_since_last = 0;  // frames due under the pace but lost before this one
  bool layout_due = false;   // the first frame, or the layout changed since the last one taken
  SelectedBodiesPtr bodies;  // null: all
  // With a key interval: the frame taken before that this one may be told relative to, of the same
  // layout; null: it must stand for itself, and those that follow may refer to it.
  FramePtr base;
};

class Subscription {
 public:
  // `notify` runs, without a lock held, when a frame is ready or the stream has ended; never twice
  // at the same time. `room` runs likewise when a queue that was full under BLOCK is so no more.
  // Neither may block.
  Subscription(const WatchOptions& options, std::function<void()> notify,
               std::function<void()> room);

  // The frame to send now; empty when there is none yet.
  std::optional<Delivery> Take();
  // Set once the stream has ended and its last frame was taken: ABORTED / SCENE_DELETED,
  // UNAVAILABLE / DRAINING, RESOURCE_EXHAUSTED / SLOW_WATCHER or NOT_FOUND (a selected body).
  std::optional<absl::Status> FindEnd() const;
  // The watcher leaves. When this returns, `notify` is not running (unless it is what called Close)
  // and never will.
  void Close();

  // For the hub only.
  enum class Due { kNo, kNow, kNoRoom };  // kNoRoom: due, but the scene has to wait
  const WatchOptions& options() const { return options_; }
  bool closed() const;
  // Closed or ended: takes no more frames.
  bool over() const;
  // Whether the state of `moment` is due now; `due_at` is set when it will only be due later.
  Due CheckDue(const Moment& moment, Clock::TimePoint now,
               std::optional<Clock::TimePoint>* due_at) const;
  // After kNoRoom: until when the scene waits for this watcher, counted from the first call;
  // nothing: the wait is over and the watcher was dropped.
  std::optional<Clock::TimePoint> WaitForRoom(Clock::TimePoint now);
  bool needs_selection() const;
  void SetSelection(SelectedBodiesPtr bodies);
  SelectedBodiesPtr selection() const;
  // False: the watcher was slow and has been dropped (DISCONNECT).
  bool Offer(const FramePtr& frame, const Moment& moment, Clock::TimePoint now);
  void End(const absl::Status& status);

 private:
  struct Queued {
    FramePtr frame;
    int64_t key_slot = 0;
    int64_t bytes = 0;
  };

  bool IsFull() const TALUS_REQUIRES(mutex_);
  void NotePace(Clock::TimePoint now) TALUS_REQUIRES(mutex_);
  int64_t FindKeySlot(int64_t step_index, Clock::TimePoint now) const;
  void NoteKey(const Queued& queued, Delivery& delivery) TALUS_REQUIRES(mutex_);
  // Ends the stream because of the watcher's slowness and lets its frames go.
  void DropSlow(const char* allowed);

  const WatchOptions options_;
  Notifier notifier_;
  const std::function<void()> room_;
  mutable Mutex mutex_;
  bool closed_ TALUS_GUARDED_BY(mutex_) = false;
  std::optional<absl::Status> end_ TALUS_GUARDED_BY(mutex_);
  std::deque<Queued> queue_ TALUS_GUARDED_BY(mutex_);
  int64_t queued_bytes_ TALUS_GUARDED_BY(mutex_) = 0;
  int64_t dropped_ TALUS_GUARDED_BY(mutex_) = 0;
  int64_t offered_moment_ TALUS_GUARDED_BY(mutex_) = -1;
  int64_t taken_layout_version_ TALUS_GUARDED_BY(mutex_) = -1;
  Clock::TimePoint next_due_ TALUS_GUARDED_BY(mutex_){};
  std::optional<Clock::TimePoint> waited_until_ TALUS_GUARDED_BY(mutex_);
  SelectedBodiesPtr bodies_ TALUS_GUARDED_BY(mutex_);
  FramePtr key_ TALUS_GUARDED_BY(mutex_);
  int64_t key_slot_ TALUS_GUARDED_BY(mutex_) = 0;
};

using SubscriptionPtr = std::shared_ptr<Subscription>;

}  // namespace talus
