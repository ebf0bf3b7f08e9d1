// One watcher's end of a scene's events: a bounded queue, and the count of what did not fit.
//
// When the queue is full the oldest event is dropped; nobody waits for a watcher. Thread-safe.
#pragma once

#include <bitset>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "server/stream/body_selection.h"
#include "server/stream/notifier.h"
#include "server/stream/scene_event.h"
#include "solver/base/mutex.h"

namespace talus {

struct EventWatchOptions {
  std::bitset<kEventKindCount + 1> kinds{};  // by number; none: all
  // Contacts of which neither body, and bodies of which none was selected are left out. None named:
  // all. Not by rows.
  BodySelection bodies{};
  int64_t queue_events = 1024;  // 1 to kMostQueuedEvents
};

inline constexpr int64_t kMostQueuedEvents = 4096;

// INVALID_ARGUMENT naming the field of WatchEventsRequest.
absl::Status ValidateEventWatch(const EventWatchOptions& options);

struct EventBatch {
  int64_t step_index = 0;  // where the scene was when this was taken; at first: when watching began
  int64_t lost_since_last = 0;        // events dropped before these
  std::vector<SceneEventPtr> events;  // the first batch has none
};

class EventSubscription {
 public:
  // `notify`: see Notifier.
  EventSubscription(const EventWatchOptions& options, std::function<void()> notify);

  // What to send now; empty when there is nothing.
  std::optional<EventBatch> Take();
  // Set once the stream has ended and its last event was taken.
  std::optional<absl::Status> FindEnd() const;
  // Closed or ended: nothing more comes in.
  bool over() const;
  // The watcher leaves; afterwards `notify` does not run.
  void Close();

  // For the event hub only.
  bool closed() const;
  bool Wants(EventKind kind) const;
  bool begun() const;
  // Watching begins at this state. NOT_FOUND, as the end of the stream, when a selected body is not
  // there.
  void Begin(const Layout& layout, int64_t step_index);
  // Before Begin, and for what was not asked for: nothing.
  void Offer(const SceneEventPtr& event);
  void End(const absl::Status& status);

 private:
  // The event as this watcher shall see it; null: not at all.
  SceneEventPtr Filter(const SceneEventPtr& event) const TALUS_REQUIRES(mutex_);

  const EventWatchOptions options_;
  Notifier notifier_;
  mutable Mutex mutex_;
  bool closed_ TALUS_GUARDED_BY(mutex_) = false;
  bool begun_ TALUS_GUARDED_BY(mutex_) = false;
  bool greeted_ TALUS_GUARDED_BY(mutex_) = false;
  std::optional<absl::Status> end_ TALUS_GUARDED_BY(mutex_);
  std::deque<SceneEventPtr> queue_ TALUS_GUARDED_BY(mutex_);
  int64_t lost_ TALUS_GUARDED_BY(mutex_) = 0;
  int64_t step_index_ TALUS_GUARDED_BY(mutex_) = 0;
  SelectedBodiesPtr bodies_ TALUS_GUARDED_BY(mutex_);
};

using EventSubscriptionPtr = std::shared_ptr<EventSubscription>;

}  // namespace talus
