#include "server/rpc/watch_reactor.h"

#include <chrono>
#include <utility>

#include "server/rpc/status.h"
#include "server/session/error.h"

namespace talus::rpc {
namespace {

// How long a watcher may take for one message once nothing more comes in.
constexpr std::chrono::seconds kFarewell{5};

}  // namespace

WatchReactor* WatchReactor::Make(grpc::CallbackServerContext& context,
                                 const ServiceContext& service, std::string_view method) {
  std::shared_ptr<WatchReactor> reactor(new WatchReactor(context, service, method));
  reactor->self_ = reactor;
  return reactor.get();
}

void WatchReactor::Start(std::unique_ptr<WatchFeed> feed, int64_t message_limit) {
  message_limit_ = message_limit;
  WatchFeed& started = *feed;
  {
    MutexLock lock(mutex_);
    feed_ = std::move(feed);
  }
  // Weak, because the feed is owned by the reactor and owns the notification.
  const absl::Status status = started.Start([weak = weak_from_this()] {
    if (std::shared_ptr<WatchReactor> reactor = weak.lock()) reactor->RequestPump();
  });
  if (!status.ok()) return End(status);
  {
    MutexLock lock(mutex_);
    started_ = true;
  }
  RequestPump();  // a notification that came before found nothing to take
}

void WatchReactor::RequestPump() {
  if (pump_requested_.exchange(true)) return;
  service_.sender.Submit([self = shared_from_this()] {
    self->pump_requested_.store(false);
    self->Pump();
  });
}

void WatchReactor::Pump() {
  WatchFeed* feed = nullptr;
  std::optional<absl::Status> end;
  {
    MutexLock lock(mutex_);
    if (!started_ || cancelled_ || finished_) return;
    if (writing_) {
      PlanCutOff();
      return;
    }
    writing_ = feed_->Take();
    if (writing_) {
      feed = feed_.get();
      PlanCutOff();
    } else {
      end = feed_->FindEnd();
    }
  }
  if (feed != nullptr) {
    response_ = feed->Encode();
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
    ++messages_sent_;
    cancelled = cancelled_ || !ok;
    limit_reached = message_limit_ > 0 && messages_sent_ >= message_limit_;
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
  WatchFeed* feed = nullptr;
  {
    MutexLock lock(mutex_);
    if (finished_) return;
    if (end_.Keep(status)) return;
    finished_ = true;
    feed = feed_.get();
  }
  // Before the end is told: who hears of it finds the place free.
  if (feed != nullptr) feed->Close();
  Finish(EncodeStatus(status, method_, context_));
}

void WatchReactor::PlanCutOff() {
  if (cut_off_planned_ || !feed_->over()) return;
  cut_off_planned_ = true;
  sent_when_planned_ = messages_sent_;
  Clock& clock = service_.host.clock();
  clock.CallAt(clock.Now() + kFarewell, [weak = weak_from_this()] {
    if (std::shared_ptr<WatchReactor> reactor = weak.lock()) reactor->CutOff();
  });
}

void WatchReactor::CutOff() {
  {
    MutexLock lock(mutex_);
    // A call that is finished may be gone; one with a write in flight is there, and stays so while
    // its end is held.
    cut_off_planned_ = false;
    if (!writing_ || finished_ || cancelled_) return;
    if (messages_sent_ != sent_when_planned_) {
      PlanCutOff();
      return;
    }
    end_.Hold();
  }
  context_.TryCancel();
  std::optional<absl::Status> end;
  {
    MutexLock lock(mutex_);
    end = end_.Release();
  }
  if (end) End(*end);
}

}  // namespace talus::rpc
