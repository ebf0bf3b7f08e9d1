// One WatchState stream: takes frames out of its subscription and writes them, one write in flight.
//
// While a write is in flight the subscription's slot is overwritten, so a slow watcher costs one
// frame of memory and no time of the scene. Writes begin on the sender's thread or, after a
// finished write, on a gRPC thread; never on the thread that steps. Finish is called exactly once
// and never while a write is in flight.
#pragma once

#include <grpcpp/server_context.h>
#include <grpcpp/support/byte_buffer.h>
#include <grpcpp/support/server_callback.h>

#include <atomic>
#include <memory>

#include "server/rpc/stream_sender.h"
#include "server/runtime/scene_actor.h"
#include "server/stream/subscription.h"
#include "server/wire/frame_codec.h"
#include "solver/base/mutex.h"

namespace talus::rpc {

class WatchReactor final : public grpc::ServerWriteReactor<grpc::ByteBuffer>,
                           public std::enable_shared_from_this<WatchReactor> {
 public:
  // The reactor owns itself until gRPC is done with it. `frame_limit` 0: no limit.
  static WatchReactor* Make(grpc::CallbackServerContext& context, StreamSender& sender,
                            const wire::FrameView& view, int64_t frame_limit);

  // Exactly one of the two is called, before the reactor is handed to gRPC.
  void Start(SceneActor& scene, const Pace& pace);
  void Refuse(const absl::Status& status) { End(status); }

 private:
  WatchReactor(grpc::CallbackServerContext& context, StreamSender& sender,
               const wire::FrameView& view, int64_t frame_limit)
      : context_(context), sender_(sender), view_(view), frame_limit_(frame_limit) {}

  void OnWriteDone(bool ok) override;
  void OnCancel() override;
  void OnDone() override;
  // Lets the sender's thread pump soon.
  void RequestPump();
  // Writes the next frame if there is one and nothing is being written, or ends the stream if that
  // is over.
  void Pump();
  void End(const absl::Status& status);

  grpc::CallbackServerContext& context_;
  StreamSender& sender_;
  const wire::FrameView view_;
  const int64_t frame_limit_;
  std::shared_ptr<WatchReactor> self_;
  std::atomic<bool> pump_requested_{false};

  Mutex mutex_;
  SubscriptionPtr subscription_ TALUS_GUARDED_BY(mutex_);
  bool writing_ TALUS_GUARDED_BY(mutex_) = false;
  bool cancelled_ TALUS_GUARDED_BY(mutex_) = false;
  bool finished_ TALUS_GUARDED_BY(mutex_) = false;
  int64_t frames_sent_ TALUS_GUARDED_BY(mutex_) = 0;
  grpc::ByteBuffer response_;  // touched only by whoever set writing_
};

}  // namespace talus::rpc
