// The watchers of one scene's events: numbers each event and hands it to all who want it.
//
// Thread-safe: whoever learns of something posts it, the scene's actor or a command's owner. Nobody
// waits for a watcher.
#pragma once

#include <cstdint>
#include <functional>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "server/stream/event_subscription.h"
#include "server/stream/watcher_list.h"
#include "solver/base/mutex.h"

namespace talus {

class EventHub {
 public:
  // At most `watcher_limit` subscriptions at once.
  explicit EventHub(int64_t watcher_limit) : watchers_(watcher_limit) {}

  // INVALID_ARGUMENT, RESOURCE_EXHAUSTED (watchers_per_scene), or why the streams of this scene
  // have ended. Watching begins when the actor admits the newcomer.
  absl::StatusOr<EventSubscriptionPtr> Subscribe(const EventWatchOptions& options,
                                                 std::function<void()> notify);
  // Whether somebody has subscribed and not begun.
  bool HasNewcomers();
  void AdmitNewcomers(const Layout& layout, int64_t step_index);

  // Events of one thread keep their order. Its step index must be known.
  void Post(SceneEvent event);
  bool Wants(EventKind kind);

  // Ends all streams after what was posted, and refuses new ones with the same status.
  void End(const absl::Status& status) { watchers_.End(status); }
  // Ends the streams there are; others may begin.
  void EndPresent(const absl::Status& status) { watchers_.EndPresent(status); }

  // False: nobody has subscribed. One load, so that an unwatched step costs nothing.
  bool watched() const { return watchers_.watched(); }
  int64_t CountWatchers() { return watchers_.Count(); }

 private:
  WatcherList<EventSubscription> watchers_;
  // Held while an event is handed out, so that all watchers see one order.
  Mutex posting_;
  int64_t next_sequence_ TALUS_GUARDED_BY(posting_) = 1;
};

}  // namespace talus
