#include "server/stream/hub.h"

#include <cmath>
#include <utility>

#include "server/session/error.h"

namespace talus {
namespace {

absl::Status ValidatePace(const Pace& pace) {
  constexpr double kHighestRate = 10'000.0;
  constexpr int64_t kMostSteps = 1'000'000;
  if (const auto* rate = std::get_if<RatePace>(&pace)) {
    if (rate->rate_hz > 0.0 && rate->rate_hz <= kHighestRate) return absl::OkStatus();
    return InvalidFieldError("rate_hz", std::to_string(rate->rate_hz), "must be in (0, 10000]");
  }
  const int64_t steps = std::get<StepPace>(pace).steps;
  if (steps >= 1 && steps <= kMostSteps) return absl::OkStatus();
  return InvalidFieldError("every_n_steps", std::to_string(steps), "must be in [1, 1000000]");
}

}  // namespace

absl::StatusOr<SubscriptionPtr> Hub::Subscribe(const WatchOptions& options,
                                               std::function<void()> notify) {
  absl::Status valid = ValidatePace(options.pace);
  if (!valid.ok()) return valid;
  MutexLock lock(mutex_);
  if (end_.has_value()) return *end_;
  Prune();
  const int64_t count = static_cast<int64_t>(subscriptions_.size());
  if (count >= watcher_limit_) return LimitError("watchers_per_scene", watcher_limit_, count + 1);
  subscriptions_.push_back(std::make_shared<Subscription>(options, std::move(notify)));
  watched_.store(true, std::memory_order_release);
  return subscriptions_.back();
}

Demand Hub::Survey(const Moment& moment, Clock::TimePoint now) {
  Demand demand;
  for (const SubscriptionPtr& subscription : FindOpen()) {
    std::optional<Clock::TimePoint> due_at;
    if (subscription->IsDue(moment.count, moment.by_hand, moment.step_index, now, &due_at)) {
      demand.due = true;
      demand.parts = demand.parts | subscription->options().parts;
    } else if (due_at.has_value() && (!demand.due_at.has_value() || *due_at < *demand.due_at)) {
      demand.due_at = due_at;
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
    if (subscription->IsDue(moment.count, moment.by_hand, moment.step_index, now, &due_at)) {
      subscription->Offer(frame, moment.count, now);
    }
  }
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
