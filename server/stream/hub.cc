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
  MutexLock lock(mutex_);
  if (end_.has_value()) return *end_;
  Prune();
  const int64_t count = static_cast<int64_t>(subscriptions_.size());
  if (count >= watcher_limit_) return LimitError("watchers_per_scene", watcher_limit_, count + 1);
  if (options.policy == SlowPolicy::kBlock) {
    absl::Status may_block = CheckMayBlock();
    if (!may_block.ok()) return may_block;
  }
  subscriptions_.push_back(
      std::make_shared<Subscription>(options, std::move(notify), std::move(room)));
  watched_.store(true, std::memory_order_release);
  return subscriptions_.back();
}

absl::Status Hub::CheckMayBlock() const {
  for (const SubscriptionPtr& one : subscriptions_) {
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
  for (const SubscriptionPtr& subscription : FindOpen()) {
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
  for (const SubscriptionPtr& subscription : FindOpen()) {
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
  for (const SubscriptionPtr& other : FindOpen()) {
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

void Hub::End(const absl::Status& status) {
  std::vector<SubscriptionPtr> subscriptions;
  {
    MutexLock lock(mutex_);
    if (end_.has_value()) return;
    end_ = status;
    subscriptions.swap(subscriptions_);
    watched_.store(false, std::memory_order_release);
  }
  for (const SubscriptionPtr& subscription : subscriptions) subscription->End(status);
}

int64_t Hub::CountWatchers() {
  MutexLock lock(mutex_);
  Prune();
  return static_cast<int64_t>(subscriptions_.size());
}

void Hub::Prune() {
  std::erase_if(subscriptions_, [](const SubscriptionPtr& one) { return one->closed(); });
  watched_.store(!subscriptions_.empty(), std::memory_order_release);
}

std::vector<SubscriptionPtr> Hub::FindOpen() {
  MutexLock lock(mutex_);
  Prune();
  return subscriptions_;
}

}  // namespace talus
