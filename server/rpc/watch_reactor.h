// One stream of a watcher: takes messages out of its feed and writes them, one write in flight.
//
// What comes meanwhile waits in the feed's bounded queue, so a slow watcher costs that much memory
// and no time of the scene but what its policy allows. Writes begin on the sender's thread or,
// after a finished write, on a gRPC thread; never on the thread that steps. Finish is called
// exactly once and never while a write is in flight. A watcher that does not take what is left for
// him, once his stream has ended or he was dropped, is cut off after a few seconds: until then he
// costs memory that no scene accounts for.
#pragma once

#include <grpcpp/server_context.h>
#include <grpcpp/support/byte_buffer.h>
#include <grpcpp/support/server_callback.h>

#include <atomic>
#include <memory>
#include <optional>
#include <string_view>

#include "server/rpc/held_end.h"
#include "server/rpc/service_context.h"
#include "server/rpc/watch_feed.h"
#include "solver/base/mutex.h"

namespace talus::rpc {

class WatchReactor final : public grpc::ServerWriteReactor<grpc::ByteBuffer>,
                           public std::enable_shared_from_this<WatchReactor> {
 public:
  // The reactor owns itself until gRPC is done with it. `method` is a literal, as in
  // "StreamService/WatchState".
  static WatchReactor* Make(grpc::CallbackServerContext& context, const ServiceContext& service,
                            std::string_view method);

  // Exactly one of the two is called, before the reactor is handed to gRPC. `message_limit` 0: no
  // limit.
  void Start(std::unique_ptr<WatchFeed> feed, int64_t message_limit);
  void Refuse(const absl::Status& status) { End(status); }

 private:
  WatchReactor(grpc::CallbackServerContext& context, const ServiceContext& service,
               std::string_view method)
      : context_(context), service_(service), method_(method) {}

  void OnWriteDone(bool ok) override;
  void OnCancel() override;
  // The last owner unless a pump is queued; nothing may follow.
  void OnDone() override { self_.reset(); }
  // Lets the sender's thread pump soon.
  void RequestPump();
  // Writes the next message if there is one and nothing is being written, or ends the stream if
  // that is over.
  void Pump();
  void End(const absl::Status& status);
  // With a write in flight: if nothing more comes in, gives the watcher a little time to take that
  // write, and again for each one after it.
  void PlanCutOff() TALUS_REQUIRES(mutex_);
  void CutOff();

  grpc::CallbackServerContext& context_;
  const ServiceContext& service_;
  const std::string_view method_;
  int64_t message_limit_ = 0;
  std::shared_ptr<WatchReactor> self_;
  std::atomic<bool> pump_requested_{false};

  Mutex mutex_;
  std::unique_ptr<WatchFeed> feed_ TALUS_GUARDED_BY(mutex_);
  bool started_ TALUS_GUARDED_BY(mutex_) = false;
  bool writing_ TALUS_GUARDED_BY(mutex_) = false;
  bool cancelled_ TALUS_GUARDED_BY(mutex_) = false;
  bool finished_ TALUS_GUARDED_BY(mutex_) = false;
  bool cut_off_planned_ TALUS_GUARDED_BY(mutex_) = false;
  int64_t sent_when_planned_ TALUS_GUARDED_BY(mutex_) = 0;
  HeldEnd end_ TALUS_GUARDED_BY(mutex_);  // while he is cut off
  int64_t messages_sent_ TALUS_GUARDED_BY(mutex_) = 0;
  grpc::ByteBuffer response_;  // touched only by whoever set writing_
};

}  // namespace talus::rpc
