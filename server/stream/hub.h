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

class Hub {
 public:
  // `watcher_limit` subscriptions at once.
  explicit Hub(int64_t watcher_limit) : watcher_limit_(watcher_limit) {}

  // RESOURCE_EXHAUSTED (watchers_per_scene), or the reason the stream of this scene has ended.
  absl::StatusOr<SubscriptionPtr> Subscribe(const WatchOptions& options,
                                            std::function<void()> notify);

  // A state of the scene. `count` grows with every change; `by_hand` is the count of the last
  // change that was no step.
  struct Moment {
    int64_t count = 0;
    int64_t by_hand = 0;
    int64_t step_index = 0;
  };
  struct Demand {
    bool due = false;  // somebody wants this moment now
    FrameParts parts;  // the columns the due ones want together
    std::optional<Clock::TimePoint>
        due_at;  // when the first of the others will want it, if nothing else happens
  };
  Demand Survey(const Moment& moment, Clock::TimePoint now);
  // Offers the frame to all who are due.
  void Publish(const FramePtr& frame, const Moment& moment, Clock::TimePoint now);

  // Ends all streams and refuses new ones with the same status.
  void End(const absl::Status& status);

  int64_t watcher_count() const { return watcher_count_.load(std::memory_order_acquire); }

 private:
  std::vector<SubscriptionPtr> FindOpen();

  const int64_t watcher_limit_;
  Mutex mutex_;
  std::vector<SubscriptionPtr> subscriptions_ TALUS_GUARDED_BY(mutex_);
  std::optional<absl::Status> end_ TALUS_GUARDED_BY(mutex_);
  std::atomic<int64_t> watcher_count_{0};  // so that an unwatched step costs one load
};

}  // namespace talus
