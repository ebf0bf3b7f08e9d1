#include "server/rpc/watch_reactor.h"

#include <optional>
#include <utility>

#include "server/rpc/frame_encoding.h"
#include "server/rpc/status.h"
#include "server/session/error.h"
#include "server/telemetry/stream_counts.h"

namespace talus::rpc {

WatchReactor* WatchReactor::Make(grpc::CallbackServerContext& context, StreamSender& sender,
                                 const wire::FrameView& view, int64_t frame_limit) {
  std::shared_ptr<WatchReactor> reactor(new WatchReactor(context, sender, view, frame_limit));
  reactor->self_ = reactor;
  return reactor.get();
}

void WatchReactor::Start(SceneActor& scene, const Pace& pace) {
  // Weak, because the subscription is owned by the reactor and owns the notification.
  std::weak_ptr<WatchReactor> weak = weak_from_this();
  absl::StatusOr<SubscriptionPtr> subscription =
      scene.Watch({.pace = pace, .parts = view_.parts}, [weak] {
        if (std::shared_ptr<WatchReactor> reactor = weak.lock()) reactor->RequestPump();
      });
  if (!subscription.ok()) return End(subscription.status());
  {
    MutexLock lock(mutex_);
    subscription_ = *std::move(subscription);
  }
  RequestPump();  // a notification that came before subscription_ was set found nothing to take
}

void WatchReactor::RequestPump() {
  if (pump_requested_.exchange(true)) return;
  sender_.Submit([self = shared_from_this()] {
    self->pump_requested_.store(false);
    self->Pump();
  });
}

void WatchReactor::Pump() {
  std::optional<Delivery> delivery;
  std::optional<absl::Status> end;
  {
    MutexLock lock(mutex_);
    if (subscription_ == nullptr || writing_ || cancelled_ || finished_) return;
    delivery = subscription_->Take();
    if (delivery) {
      writing_ = true;
    } else {
      end = subscription_->FindEnd();
    }
  }
  if (delivery) {
    wire::FrameView view = view_;
    view.layout = view.layout || delivery->layout_due;
    response_ = EncodeWatchResponse(*delivery->frame, view, delivery->dropped_since_last);
    telemetry::CountFrame(delivery->dropped_since_last);
    StartWrite(&response_);
  } else if (end) {
    End(*end);
  }
}

void WatchReactor::OnWriteDone(bool ok) {
  const std::shared_ptr<WatchReactor> self = shared_from_this();
  // Before another thread may write: from then on the response is that thread's.
  response_.Clear();
  bool cancelled = false;
  bool limit_reached = false;
  {
    MutexLock lock(mutex_);
    ++frames_sent_;
    cancelled = cancelled_ || !ok;
    limit_reached = frame_limit_ > 0 && frames_sent_ >= frame_limit_;
    // Nobody may begin a write that Finish would meet.
    writing_ = cancelled || limit_reached;
  }
  if (cancelled) return End(CancelledError());
  if (limit_reached) return End(absl::OkStatus());
  Pump();
}

void WatchReactor::OnCancel() {
  const std::shared_ptr<WatchReactor> self = shared_from_this();
  {
    MutexLock lock(mutex_);
    cancelled_ = true;
    if (writing_) return;  // OnWriteDone ends the stream
  }
  End(CancelledError());
}

void WatchReactor::End(const absl::Status& status) {
  {
    MutexLock lock(mutex_);
    if (finished_) return;
    finished_ = true;
  }
  Finish(EncodeStatus(status, "StreamService/WatchState", context_));
}

void WatchReactor::OnDone() {
  SubscriptionPtr subscription;
  {
    MutexLock lock(mutex_);
    subscription = std::move(subscription_);
  }
  if (subscription != nullptr) subscription->Close();
  self_.reset();  // the last owner unless a pump is queued; nothing may follow
}

}  // namespace talus::rpc
