// What a stream sends: frames or events taken out of a subscription and encoded as messages.
//
// Knows the middle ring and the wire, and nothing of the call: the reactor asks it for the next
// message when it may write one.
#pragma once

#include <grpcpp/support/byte_buffer.h>

#include <functional>
#include <memory>
#include <optional>

#include "absl/status/status.h"
#include "server/runtime/scene_actor.h"
#include "server/stream/event_subscription.h"
#include "server/stream/subscription.h"
#include "server/wire/frame_codec.h"

namespace talus::rpc {

class WatchFeed {
 public:
  virtual ~WatchFeed() = default;

  // Subscribes; `notify` runs when there may be something to take or the end has come, also before
  // this returns.
  virtual absl::Status Start(std::function<void()> notify) = 0;
  // After Start. Takes the next message; false: there is none yet.
  virtual bool Take() = 0;
  // What was taken, as bytes. May be slow, so no lock is to be held.
  virtual grpc::ByteBuffer Encode() = 0;
  // Set once the stream has ended and its last message was taken.
  virtual std::optional<absl::Status> FindEnd() const = 0;
  // Whether nothing more comes in; what waits is still to be taken.
  virtual bool over() const = 0;
  // Leaves; afterwards `notify` does not run. Also without a Start that succeeded.
  virtual void Close() = 0;
};

// WatchState: frames in `view`, whose base, bodies and layout the deliveries decide.
class FrameFeed final : public WatchFeed {
 public:
  FrameFeed(std::shared_ptr<SceneActor> scene, WatchOptions options, wire::FrameView view);

  absl::Status Start(std::function<void()> notify) override;
  bool Take() override;
  grpc::ByteBuffer Encode() override;
  std::optional<absl::Status> FindEnd() const override;
  bool over() const override { return subscription_->over(); }
  void Close() override;

 private:
  std::shared_ptr<SceneActor> scene_;
  const WatchOptions options_;
  const wire::FrameView view_;
  SubscriptionPtr subscription_;
  std::optional<Delivery> delivery_;
};

// WatchEvents.
class EventFeed final : public WatchFeed {
 public:
  EventFeed(std::shared_ptr<SceneActor> scene, EventWatchOptions options);

  absl::Status Start(std::function<void()> notify) override;
  bool Take() override;
  grpc::ByteBuffer Encode() override;
  std::optional<absl::Status> FindEnd() const override;
  bool over() const override { return subscription_->over(); }
  void Close() override;

 private:
  std::shared_ptr<SceneActor> scene_;
  const EventWatchOptions options_;
  EventSubscriptionPtr subscription_;
  std::optional<EventBatch> batch_;
};

}  // namespace talus::rpc
