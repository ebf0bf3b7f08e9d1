#include "server/rpc/watch_feed.h"

#include <utility>

#include "server/rpc/event_encoding.h"
#include "server/rpc/frame_encoding.h"
#include "server/telemetry/stream_counts.h"

namespace talus::rpc {

FrameFeed::FrameFeed(std::shared_ptr<SceneActor> scene, WatchOptions options, wire::FrameView view)
    : scene_(std::move(scene)), options_(std::move(options)), view_(std::move(view)) {}

absl::Status FrameFeed::Start(std::function<void()> notify) {
  auto subscription = scene_->Watch(options_, std::move(notify));
  // A stream shall not keep a deleted scene alive.
  scene_.reset();
  if (!subscription.ok()) return subscription.status();
  subscription_ = *std::move(subscription);
  return absl::OkStatus();
}

bool FrameFeed::Take() {
  delivery_ = subscription_->Take();
  return delivery_.has_value();
}

grpc::ByteBuffer FrameFeed::Encode() {
  const Delivery delivery = *std::exchange(delivery_, std::nullopt);
  wire::FrameView view = view_;
  view.layout = view.layout || delivery.layout_due;
  view.bodies = delivery.bodies;
  view.base = delivery.base;
  telemetry::CountFrame(delivery.dropped_since_last);
  return EncodeWatchResponse(*delivery.frame, view, delivery.dropped_since_last);
}

std::optional<absl::Status> FrameFeed::FindEnd() const { return subscription_->FindEnd(); }

void FrameFeed::Close() {
  if (subscription_ != nullptr) subscription_->Close();
}

EventFeed::EventFeed(std::shared_ptr<SceneActor> scene, EventWatchOptions options)
    : scene_(std::move(scene)), options_(std::move(options)) {}

absl::Status EventFeed::Start(std::function<void()> notify) {
  auto subscription = scene_->WatchEvents(options_, std::move(notify));
  scene_.reset();
  if (!subscription.ok()) return subscription.status();
  subscription_ = *std::move(subscription);
  return absl::OkStatus();
}

bool EventFeed::Take() {
  batch_ = subscription_->Take();
  return batch_.has_value();
}

grpc::ByteBuffer EventFeed::Encode() {
  return EncodeEventsResponse(*std::exchange(batch_, std::nullopt));
}

std::optional<absl::Status> EventFeed::FindEnd() const { return subscription_->FindEnd(); }

void EventFeed::Close() {
  if (subscription_ != nullptr) subscription_->Close();
}

}  // namespace talus::rpc
