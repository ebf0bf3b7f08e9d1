#include "server/stream/event_hub.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace talus {

absl::StatusOr<EventSubscriptionPtr> EventHub::Subscribe(const EventWatchOptions& options,
                                                         std::function<void()> notify) {
  absl::Status valid = ValidateEventWatch(options);
  if (!valid.ok()) return valid;
  return watchers_.Join(std::make_shared<EventSubscription>(options, std::move(notify)));
}

bool EventHub::HasNewcomers() {
  const auto open = watchers_.FindOpen();
  return std::any_of(open.begin(), open.end(), [](const auto& one) { return !one->begun(); });
}

void EventHub::AdmitNewcomers(const Layout& layout, int64_t step_index) {
  for (const EventSubscriptionPtr& one : watchers_.FindOpen()) {
    if (!one->begun()) one->Begin(layout, step_index);
  }
}

void EventHub::Post(SceneEvent event) {
  auto shared = std::make_shared<SceneEvent>(std::move(event));
  MutexLock posting(posting_);
  shared->sequence = next_sequence_++;
  const SceneEventPtr posted = std::move(shared);
  for (const EventSubscriptionPtr& one : watchers_.FindOpen()) one->Offer(posted);
}

bool EventHub::Wants(EventKind kind) {
  const auto open = watchers_.FindOpen();
  return std::any_of(open.begin(), open.end(),
                     [kind](const auto& one) { return one->Wants(kind); });
}

}  // namespace talus
