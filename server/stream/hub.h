// The watchers of one scene. The scene asks who is due, makes one frame that serves them all, and
// hands it over.
//
// Any thread subscribes; only the scene's actor surveys and publishes. Nobody waits for a watcher
// here: that one under BLOCK has no room is told in the Demand, and the actor leaves its turn.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "server/runtime/clock.h"
#include "server/stream/subscription.h"
#include "server/stream/watcher_list.h"
#include "solver/base/mutex.h"

namespace talus {

// What the watchers want of one moment.
struct Demand {
  bool due = false;                        // somebody wants it now
  FrameParts parts;                        // the columns the due ones want together
  std::optional<Clock::TimePoint> due_at;  // when the first of the others will want it
  // Somebody wants it, has no room and may hold the scene up, until then at most.
  std::optional<Clock::TimePoint> wait_until;
};

class Hub {
 public:
  // At most `watcher_limit` subscriptions at once.
  explicit Hub(int64_t watcher_limit) : watchers_(watcher_limit) {}

  // INVALID_ARGUMENT (of the options), RESOURCE_EXHAUSTED (watchers_per_scene; a second watcher
  // under BLOCK), or why the streams of this scene have ended. `room`: see Subscription.
  absl::StatusOr<SubscriptionPtr> Subscribe(const WatchOptions& options,
                                            std::function<void()> notify,
                                            std::function<void()> room = nullptr);

  // Drops those that the scene has waited for long enough.
  Demand Survey(const Moment& moment, Clock::TimePoint now);
  // Offers the frame to all who are due.
  void Publish(const FramePtr& frame, const Moment& moment, Clock::TimePoint now);
  // The policies of those that were dropped for their slowness since the last call.
  std::vector<std::string> TakeDropped();

  // Ends all streams, and refuses new ones with the same status.
  void End(const absl::Status& status) { watchers_.End(status); }
  // Ends the streams there are; others may begin.
  void EndPresent(const absl::Status& status) { watchers_.EndPresent(status); }

  // False: nobody can be due. One load, so that an unwatched step costs nothing.
  bool watched() const { return watchers_.watched(); }
  // Those that were dropped and have not left yet included.
  int64_t CountWatchers() { return watchers_.Count(); }

 private:
  // Who may hold the scene up. The one place that decides it: a right to do so (a lease) belongs
  // here.
  static absl::Status CheckMayBlock(const std::vector<SubscriptionPtr>& others);
  // False: a selected body is not there, and the watcher has been told.
  bool ResolveSelection(Subscription& subscription, const Layout& layout);
  void NoteDropped(const Subscription& subscription);

  WatcherList<Subscription> watchers_;
  Mutex mutex_;
  std::vector<std::string> dropped_ TALUS_GUARDED_BY(mutex_);
};

}  // namespace talus
