#include "server/stream/hub.h"

#include <algorithm>
#include <utility>

#include "server/session/error.h"

namespace talus {

absl::StatusOr<SubscriptionPtr> Hub::Subscribe(const WatchOptions& options,
                                               std::function<void()> notify,
                                               std::function<void()> room) {
  absl::Status valid = ValidateWatch(options);
  if (!valid.ok()) return valid;
  const bool blocks = options.policy == SlowPolicy::kBlock;
  return watchers_.Join(
      std::make_shared<Subscription>(options, std::move(notify), std::move(room)),
      [blocks](const auto& others) { return blocks ? CheckMayBlock(others) : absl::OkStatus(); });
}

absl::Status Hub::CheckMayBlock(const std::vector<SubscriptionPtr>& others) {
  for (const SubscriptionPtr& one : others) {
    if (one->options().policy != SlowPolicy::kBlock || one->over()) continue;
    ErrorInfo info;
    info.reason = ErrorReason::kLimitReached;
    info.field = "policy";
    info.value = NameOf(SlowPolicy::kBlock);
    info.allowed = "must be the only one of its scene";
    return MakeError(absl::StatusCode::kResourceExhausted,
                     info.field + " = " + info.value + " " + info.allowed, info);
  }
  return absl::OkStatus();
}

Demand Hub::Survey(const Moment& moment, Clock::TimePoint now) {
  Demand demand;
  const auto keep_earlier = [](std::optional<Clock::TimePoint>& kept, Clock::TimePoint other) {
    kept = std::min(kept.value_or(other), other);
  };
  for (const SubscriptionPtr& subscription : watchers_.FindOpen()) {
    std::optional<Clock::TimePoint> due_at;
    switch (subscription->CheckDue(moment, now, &due_at)) {
      case Subscription::Due::kNow:
        demand.due = true;
        demand.parts = demand.parts | subscription->options().parts;
        break;
      case Subscription::Due::kNoRoom:
        if (const auto until = subscription->WaitForRoom(now)) {
          keep_earlier(demand.wait_until, *until);
        } else {
          NoteDropped(*subscription);
        }
        break;
      case Subscription::Due::kNo:
        if (due_at.has_value()) keep_earlier(demand.due_at, *due_at);
        break;
    }
  }
  return demand;
}

void Hub::Publish(const FramePtr& frame, const Moment& moment, Clock::TimePoint now) {
  for (const SubscriptionPtr& subscription : watchers_.FindOpen()) {
    // Somebody may have joined since the survey and want a column this frame has not: he is served
    // next.
    if (!frame->parts.Covers(subscription->options().parts)) continue;
    std::optional<Clock::TimePoint> due_at;
    if (subscription->CheckDue(moment, now, &due_at) != Subscription::Due::kNow) continue;
    if (!ResolveSelection(*subscription, *frame->layout)) continue;
    if (!subscription->Offer(frame, moment, now)) NoteDropped(*subscription);
  }
}

bool Hub::ResolveSelection(Subscription& subscription, const Layout& layout) {
  if (!subscription.needs_selection()) return true;
  auto resolved = SelectedBodies::Resolve(subscription.options().bodies, layout);
  if (!resolved.ok()) {
    subscription.End(resolved.status());
    return false;
  }
  SelectedBodiesPtr bodies = *std::move(resolved);
  // Watchers that selected the same share one object, and by it what is encoded.
  for (const SubscriptionPtr& other : watchers_.FindOpen()) {
    const SelectedBodiesPtr others = other->selection();
    if (others != nullptr && others->SelectsSame(*bodies)) {
      bodies = others;
      break;
    }
  }
  subscription.SetSelection(std::move(bodies));
  return true;
}

void Hub::NoteDropped(const Subscription& subscription) {
  MutexLock lock(mutex_);
  dropped_.push_back(NameOf(subscription.options().policy));
}

std::vector<std::string> Hub::TakeDropped() {
  MutexLock lock(mutex_);
  return std::exchange(dropped_, {});
}

}  // namespace talus
