#include "server/stream/subscription.h"

#include <algorithm>
#include <utility>

namespace talus {
namespace {

Clock::Duration PeriodOf(const RatePace& pace) {
  // Rarer than once in 10^6 s is never, and keeps the conversion to clock ticks in range.
  const double period_s = std::min(1.0 / pace.rate_hz, 1e6);
  return std::chrono::duration_cast<Clock::Duration>(std::chrono::duration<double>(period_s));
}

}  // namespace

Subscription::Subscription(const WatchOptions& options, std::function<void()> notify)
    : options_(options), notify_(std::move(notify)) {}

std::optional<Delivery> Subscription::Take() {
  MutexLock lock(mutex_);
  if (slot_ == nullptr) return std::nullopt;
  Delivery delivery;
  delivery.frame = std::move(slot_);
  slot_ = nullptr;
  delivery.dropped_since_last = std::exchange(dropped_, 0);
  delivery.layout_due = delivery.frame->layout_version() != taken_layout_version_;
  taken_layout_version_ = delivery.frame->layout_version();
  return delivery;
}

std::optional<absl::Status> Subscription::FindEnd() const {
  MutexLock lock(mutex_);
  if (slot_ != nullptr) return std::nullopt;
  return end_;
}

void Subscription::Close() {
  std::function<void()> released;
  FramePtr frame;
  MutexLock lock(mutex_);
  closed_ = true;
  while (notifying_ && notifier_ != std::this_thread::get_id()) notified_.wait(mutex_);
  // What notify holds ends with the locals, after the lock.
  released.swap(notify_);
  frame.swap(slot_);
}

bool Subscription::closed() const {
  MutexLock lock(mutex_);
  return closed_;
}

bool Subscription::IsDue(int64_t moment, int64_t hand_moment, int64_t step_index,
                         Clock::TimePoint now, std::optional<Clock::TimePoint>* due_at) const {
  MutexLock lock(mutex_);
  if (closed_ || end_.has_value() || offered_moment_ >= moment) return false;
  const bool first = offered_moment_ < 0;
  if (const auto* steps = std::get_if<StepPace>(&options_.pace)) {
    return first || offered_moment_ < hand_moment || step_index % steps->steps == 0;
  }
  if (first || now >= next_due_) return true;
  *due_at = next_due_;
  return false;
}

void Subscription::Offer(const FramePtr& frame, int64_t moment, Clock::TimePoint now) {
  {
    MutexLock lock(mutex_);
    if (closed_ || end_.has_value()) return;
    if (const auto* rate = std::get_if<RatePace>(&options_.pace)) {
      // Counted on from when the frame was due, so that the mean rate is kept; a watcher that fell
      // behind does not catch up in a burst.
      const Clock::Duration period = PeriodOf(*rate);
      const bool on_time = offered_moment_ >= 0 && now < next_due_ + period;
      next_due_ = (on_time ? next_due_ : now) + period;
    }
    offered_moment_ = moment;
    const bool was_full = slot_ != nullptr;
    slot_ = frame;
    if (was_full) {
      ++dropped_;
      return;
    }
  }
  Notify();
}

void Subscription::End(const absl::Status& status) {
  {
    MutexLock lock(mutex_);
    if (closed_ || end_.has_value()) return;
    end_ = status;
  }
  Notify();
}

void Subscription::Notify() {
  std::function<void()> call;
  {
    MutexLock lock(mutex_);
    if (closed_ || !notify_) return;
    if (notifying_) {
      notify_again_ = true;
      return;
    }
    notifying_ = true;
    notifier_ = std::this_thread::get_id();
    call = notify_;
  }
  while (true) {
    call();
    MutexLock lock(mutex_);
    if (!notify_again_ || closed_) {
      notifying_ = false;
      notify_again_ = false;
      break;
    }
    notify_again_ = false;
  }
  notified_.notify_all();
}

}  // namespace talus
