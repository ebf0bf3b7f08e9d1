#include "server/stream/event_hub.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "server/session/error.h"

namespace talus {

absl::StatusOr<EventSubscriptionPtr> EventHub::Subscribe(const EventWatchOptions& options,
                                                         std::function<void()> notify) {
  absl::Status valid = ValidateEventWatch(options);
  if (!valid.ok()) return valid;
  MutexLock lock(mutex_);
  if (end_.has_value()) return *end_;
  Prune();
  const int64_t count = static_cast<int64_t>(subscriptions_.size());
  if (count >= watcher_limit_) return LimitError("watchers_per_scene", watcher_limit_, count + 1);
  subscriptions_.push_back(std::make_shared<EventSubscription>(options, std::move(notify)));
  watched_.store(true, std::memory_order_release);
  return subscriptions_.back();
}

bool EventHub::HasNewcomers() {
  const auto open = FindOpen();
  return std::any_of(open.begin(), open.end(), [](const auto& one) { return !one->begun(); });
}

void EventHub::AdmitNewcomers(const Layout& layout, int64_t step_index) {
  for (const EventSubscriptionPtr& one : FindOpen()) {
    if (!one->begun()) one->Begin(layout, step_index);
  }
}

void EventHub::Post(SceneEvent event) {
  auto shared = std::make_shared<SceneEvent>(std::move(event));
  MutexLock posting(posting_);
  shared->sequence = next_sequence_++;
  const SceneEventPtr posted = std::move(shared);
  for (const EventSubscriptionPtr& one : FindOpen()) one->Offer(posted);
}

bool EventHub::Wants(EventKind kind) {
  const auto open = FindOpen();
  return std::any_of(open.begin(), open.end(),
                     [kind](const auto& one) { return one->Wants(kind); });
}

void EventHub::End(const absl::Status& status) {
  std::vector<EventSubscriptionPtr> subscriptions;
  {
    MutexLock lock(mutex_);
    if (end_.has_value()) return;
    end_ = status;
    subscriptions.swap(subscriptions_);
    watched_.store(false, std::memory_order_release);
  }
  for (const EventSubscriptionPtr& one : subscriptions) one->End(status);
}

int64_t EventHub::CountWatchers() {
  MutexLock lock(mutex_);
  Prune();
  return static_cast<int64_t>(subscriptions_.size());
}

void EventHub::Prune() {
  std::erase_if(subscriptions_, [](const EventSubscriptionPtr& one) { return one->closed(); });
  watched_.store(!subscriptions_.empty(), std::memory_order_release);
}

std::vector<EventSubscriptionPtr> EventHub::FindOpen() {
  MutexLock lock(mutex_);
  Prune();
  return subscriptions_;
}

}  // namespace talus
