// The watchers of one scene. The scene asks who is due, makes one frame that serves them all, and
// hands it over.
//
// Any thread subscribes; only the scene's actor surveys and publishes. Nobody waits for a watcher.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "server/runtime/clock.h"
#include "server/stream/subscription.h"
#include "solver/base/mutex.h"

namespace talus {

// A state of a scene, as its watchers see it.
struct Moment {
  int64_t count = 0;    // grows with every change of the state
  int64_t by_hand = 0;  // the count of the last change that was no step
  int64_t step_index = 0;
};

// What the watchers want of one moment.
struct Demand {
  bool due = false;                        // somebody wants it now
  FrameParts parts;                        // the columns the due ones want together
  std::optional<Clock::TimePoint> due_at;  // when the first of the others will want it
};

class Hub {
 public:
  // At most `watcher_limit` subscriptions at once.
  explicit Hub(int64_t watcher_limit) : watcher_limit_(watcher_limit) {}

  // INVALID_ARGUMENT (pace), RESOURCE_EXHAUSTED (watchers_per_scene), or why the streams of this
  // scene have ended.
  absl::StatusOr<SubscriptionPtr> Subscribe(const WatchOptions& options,
                                            std::function<void()> notify);

  Demand Survey(const Moment& moment, Clock::TimePoint now);
  // Offers the frame to all who are due.
  void Publish(const FramePtr& frame, const Moment& moment, Clock::TimePoint now);

  // Ends all streams, and refuses new ones with the same status.
  void End(const absl::Status& status);

  // False: nobody can be due. One load, so that an unwatched step costs nothing.
  bool watched() const { return watched_.load(std::memory_order_acquire); }
  int64_t CountWatchers();

 private:
  // Forgets the closed ones.
  void Prune() TALUS_REQUIRES(mutex_);
  std::vector<SubscriptionPtr> FindOpen();

  const int64_t watcher_limit_;
  Mutex mutex_;
  std::vector<SubscriptionPtr> subscriptions_ TALUS_GUARDED_BY(mutex_);
  std::optional<absl::Status> end_ TALUS_GUARDED_BY(mutex_);
  std::atomic<bool> watched_{false};
};

}  // namespace talus
