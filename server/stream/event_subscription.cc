#include "server/stream/event_subscription.h"

#include <algorithm>
#include <string>
#include <utility>

#include "server/session/error.h"

namespace talus {
namespace {

// Of one message: an event may hold a thousand bodies.
constexpr size_t kMostEventsPerBatch = 256;

bool IsOfBodies(EventKind kind) {
  return kind == EventKind::kContactBegin || kind == EventKind::kContactEnd ||
         kind == EventKind::kBodiesAdded || kind == EventKind::kBodiesRemoved;
}

}  // namespace

absl::Status ValidateEventWatch(const EventWatchOptions& options) {
  absl::Status status = ValidateSelection(options.bodies);
  if (!status.ok()) return status;
  if (options.bodies.every_kth_row != 0) {
    return InvalidFieldError("bodies.every_kth_row", std::to_string(options.bodies.every_kth_row),
                             "must be unset: events tell of ids, not of rows");
  }
  if (options.queue_events >= 1 && options.queue_events <= kMostQueuedEvents) return status;
  return InvalidFieldError("queue_events", std::to_string(options.queue_events),
                           "must be in [1, " + std::to_string(kMostQueuedEvents) + "]");
}

EventSubscription::EventSubscription(const EventWatchOptions& options, std::function<void()> notify)
    : options_(options), notifier_(std::move(notify)) {}

std::optional<EventBatch> EventSubscription::Take() {
  MutexLock lock(mutex_);
  if (!begun_) return std::nullopt;
  EventBatch batch;
  batch.step_index = step_index_;
  if (!greeted_) {
    greeted_ = true;
    return batch;
  }
  if (queue_.empty()) return std::nullopt;
  batch.lost_since_last = std::exchange(lost_, 0);
  const size_t count = std::min(queue_.size(), kMostEventsPerBatch);
  for (size_t index = 0; index < count; ++index) {
    batch.events.push_back(std::move(queue_.front()));
    queue_.pop_front();
  }
  batch.step_index = std::max(batch.step_index, batch.events.back()->step_index);
  return batch;
}

std::optional<absl::Status> EventSubscription::FindEnd() const {
  MutexLock lock(mutex_);
  if (!queue_.empty() || (begun_ && !greeted_)) return std::nullopt;
  return end_;
}

void EventSubscription::Close() {
  std::deque<SceneEventPtr> events;  // ends after the lock
  {
    MutexLock lock(mutex_);
    closed_ = true;
    events.swap(queue_);
  }
  notifier_.Close();
}

bool EventSubscription::closed() const {
  MutexLock lock(mutex_);
  return closed_;
}

bool EventSubscription::over() const {
  MutexLock lock(mutex_);
  return closed_ || end_.has_value();
}

bool EventSubscription::Wants(EventKind kind) const {
  return options_.kinds.none() || options_.kinds.test(static_cast<size_t>(kind));
}

bool EventSubscription::begun() const {
  MutexLock lock(mutex_);
  return begun_ || closed_ || end_.has_value();
}

void EventSubscription::Begin(const Layout& layout, int64_t step_index) {
  SelectedBodiesPtr bodies;
  if (!options_.bodies.all()) {
    auto resolved = SelectedBodies::Resolve(options_.bodies, layout);
    if (!resolved.ok()) return End(resolved.status());
    bodies = *std::move(resolved);
  }
  {
    MutexLock lock(mutex_);
    if (begun_ || closed_) return;
    begun_ = true;
    step_index_ = step_index;
    bodies_ = std::move(bodies);
  }
  notifier_.Notify();
}

SceneEventPtr EventSubscription::Filter(const SceneEventPtr& event) const {
  if (bodies_ == nullptr || !IsOfBodies(event->kind)) return event;
  const bool pairs = !event->other_body_ids.empty();
  auto chosen = std::make_shared<SceneEvent>(*event);
  chosen->body_ids.clear();
  chosen->other_body_ids.clear();
  for (size_t index = 0; index < event->body_ids.size(); ++index) {
    const uint64_t body = event->body_ids[index];
    const uint64_t other = pairs ? event->other_body_ids[index] : body;
    if (!bodies_->Contains(body) && !bodies_->Contains(other)) continue;
    chosen->body_ids.push_back(body);
    if (pairs) chosen->other_body_ids.push_back(other);
  }
  if (chosen->body_ids.empty()) return nullptr;
  // A queue may hold thousands, each of which had room for all.
  chosen->body_ids.shrink_to_fit();
  chosen->other_body_ids.shrink_to_fit();
  return chosen->body_ids.size() == event->body_ids.size() ? event : SceneEventPtr(chosen);
}

void EventSubscription::Offer(const SceneEventPtr& event) {
  if (!Wants(event->kind)) return;
  SceneEventPtr lost;  // ends after the lock
  bool was_empty = false;
  {
    MutexLock lock(mutex_);
    if (!begun_ || closed_ || end_.has_value()) return;
    SceneEventPtr seen = Filter(event);
    if (seen == nullptr) return;
    was_empty = queue_.empty();
    if (static_cast<int64_t>(queue_.size()) >= options_.queue_events) {
      lost = std::move(queue_.front());
      queue_.pop_front();
      ++lost_;
    }
    queue_.push_back(std::move(seen));
  }
  if (was_empty) notifier_.Notify();
}

void EventSubscription::End(const absl::Status& status) {
  {
    MutexLock lock(mutex_);
    if (closed_ || end_.has_value()) return;
    end_ = status;
  }
  notifier_.Notify();
}

}  // namespace talus
