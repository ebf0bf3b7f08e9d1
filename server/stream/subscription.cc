#include "server/stream/subscription.h"

#include <algorithm>
#include <string>
#include <utility>

#include "server/session/error.h"
#include "solver/base/field_error.h"

namespace talus {
namespace {

Clock::Duration PeriodOf(const RatePace& pace) {
  // Rarer than once in 10^6 s is never, and keeps the conversion to clock ticks in range.
  const double period_s = std::min(1.0 / pace.rate_hz, 1e6);
  return Clock::DurationOf(period_s);
}

int64_t CountTicks(const RatePace& pace, Clock::TimePoint now) {
  return now.time_since_epoch() / PeriodOf(pace);
}

}  // namespace

Subscription::Subscription(const WatchOptions& options, std::function<void()> notify,
                           std::function<void()> room)
    : options_(options), notifier_(std::move(notify)), room_(std::move(room)) {}

std::optional<Delivery> Subscription::Take() {
  Delivery delivery;
  bool made_room = false;
  {
    MutexLock lock(mutex_);
    if (queue_.empty()) return std::nullopt;
    made_room = options_.policy == SlowPolicy::kBlock && IsFull();
    const Queued queued = std::move(queue_.front());
    queue_.pop_front();
    queued_bytes_ -= queued.bytes;
    made_room = made_room && !IsFull();
    delivery.frame = queued.frame;
    delivery.dropped_since_last = std::exchange(dropped_, 0);
    delivery.layout_due = delivery.frame->layout_version() != taken_layout_version_;
    taken_layout_version_ = delivery.frame->layout_version();
    delivery.bodies = bodies_;
    if (options_.key_interval > 0) NoteKey(queued, delivery);
  }
  if (made_room && room_) room_();
  return delivery;
}

void Subscription::NoteKey(const Queued& queued, Delivery& delivery) {
  const bool stands_alone = key_ == nullptr || key_slot_ != queued.key_slot ||
                            key_->layout_version() != queued.frame->layout_version();
  if (!stands_alone) {
    delivery.base = key_;
    return;
  }
  key_ = queued.frame;
  key_slot_ = queued.key_slot;
}

std::optional<absl::Status> Subscription::FindEnd() const {
  MutexLock lock(mutex_);
  if (!queue_.empty()) return std::nullopt;
  return end_;
}

void Subscription::Close() {
  std::deque<Queued> frames;
  FramePtr key;
  {
    MutexLock lock(mutex_);
    closed_ = true;
    // They end with the locals, after the lock.
    frames.swap(queue_);
    key.swap(key_);
    queued_bytes_ = 0;
  }
  notifier_.Close();
  if (options_.policy == SlowPolicy::kBlock && room_) room_();
}

bool Subscription::closed() const {
  MutexLock lock(mutex_);
  return closed_;
}

bool Subscription::over() const {
  MutexLock lock(mutex_);
  return closed_ || end_.has_value();
}

bool Subscription::IsFull() const {
  return static_cast<int64_t>(queue_.size()) >= options_.queue_frames ||
         queued_bytes_ >= kMostQueuedBytes;
}

Subscription::Due Subscription::CheckDue(const Moment& moment, Clock::TimePoint now,
                                         std::optional<Clock::TimePoint>* due_at) const {
  MutexLock lock(mutex_);
  if (closed_ || end_.has_value() || offered_moment_ >= moment.count) return Due::kNo;
  bool due = offered_moment_ < 0;
  if (const auto* steps = std::get_if<StepPace>(&options_.pace)) {
    due = due || offered_moment_ < moment.by_hand || moment.step_index % steps->steps == 0;
  } else if (!due) {
    due = now >= next_due_;
    if (!due) *due_at = next_due_;
  }
  if (!due) return Due::kNo;
  return options_.policy == SlowPolicy::kBlock && IsFull() ? Due::kNoRoom : Due::kNow;
}

std::optional<Clock::TimePoint> Subscription::WaitForRoom(Clock::TimePoint now) {
  {
    MutexLock lock(mutex_);
    // The watcher may have taken a frame since; then the next look finds room.
    if (!IsFull() || closed_ || end_.has_value()) return now;
    if (!waited_until_.has_value()) waited_until_ = now + options_.max_wait;
    if (now < *waited_until_) return waited_until_;
  }
  DropSlow("must take a frame within max_wait_s when the scene waits for it");
  return std::nullopt;
}

bool Subscription::needs_selection() const {
  if (options_.bodies.all()) return false;
  MutexLock lock(mutex_);
  return bodies_ == nullptr;
}

void Subscription::SetSelection(SelectedBodiesPtr bodies) {
  MutexLock lock(mutex_);
  bodies_ = std::move(bodies);
}

SelectedBodiesPtr Subscription::selection() const {
  MutexLock lock(mutex_);
  return bodies_;
}

void Subscription::NotePace(Clock::TimePoint now) {
  const auto* rate = std::get_if<RatePace>(&options_.pace);
  if (rate == nullptr) return;
  // The next tick: the mean rate is kept whatever came late, a watcher that fell behind does not
  // catch up in a burst, and watchers of one rate want the same moments.
  next_due_ = Clock::TimePoint(PeriodOf(*rate) * (CountTicks(*rate, now) + 1));
}

int64_t Subscription::FindKeySlot(int64_t step_index, Clock::TimePoint now) const {
  if (options_.key_interval == 0) return 0;
  // Not counted by the watcher, but read off the scene's steps or the clock: so all watchers of one
  // pace refer to the same key frames, and share what is made of them.
  if (const auto* rate = std::get_if<RatePace>(&options_.pace)) {
    return CountTicks(*rate, now) / options_.key_interval;
  }
  return step_index / std::get<StepPace>(options_.pace).steps / options_.key_interval;
}

bool Subscription::Offer(const FramePtr& frame, const Moment& moment, Clock::TimePoint now) {
  std::deque<Queued> lost;  // ends after the lock
  bool slow = false;
  bool was_empty = false;
  {
    MutexLock lock(mutex_);
    if (closed_ || end_.has_value()) return true;
    NotePace(now);
    offered_moment_ = moment.count;
    waited_until_.reset();
    was_empty = queue_.empty();
    slow = options_.policy == SlowPolicy::kDisconnect && IsFull();
    while (!slow && IsFull()) {
      ++dropped_;
      queued_bytes_ -= queue_.front().bytes;
      lost.push_back(std::move(queue_.front()));
      queue_.pop_front();
    }
    if (!slow) {
      const int64_t bytes = frame->byte_size();
      queue_.push_back({frame, FindKeySlot(frame->step_index, now), bytes});
      queued_bytes_ += bytes;
    }
  }
  if (slow) {
    DropSlow("must take frames before so many wait for it");
    return false;
  }
  if (was_empty) notifier_.Notify();
  return true;
}

void Subscription::End(const absl::Status& status) {
  {
    MutexLock lock(mutex_);
    if (closed_ || end_.has_value()) return;
    end_ = status;
  }
  notifier_.Notify();
}

void Subscription::DropSlow(const char* allowed) {
  std::deque<Queued> lost;
  {
    MutexLock lock(mutex_);
    if (closed_ || end_.has_value()) return;
    end_ = SlowWatcherError(NameOf(options_.policy), static_cast<int64_t>(queue_.size()), allowed);
    lost.swap(queue_);
    queued_bytes_ = 0;
    key_.reset();
  }
  notifier_.Notify();
}

}  // namespace talus
