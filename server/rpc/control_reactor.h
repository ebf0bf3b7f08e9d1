// One Control stream: reads requests, hands them to the session, writes the answers in their order.
//
// At most `pipeline_depth` (session/limits.h) requests are unanswered; more are not read, so that a
// caller who sends without receiving fills his own buffers and nobody else's. One write is in
// flight. It deletes itself once gRPC is done with it and the last completion has let go.
#pragma once

#include <grpcpp/server_context.h>
#include <grpcpp/support/server_callback.h>

#include <deque>
#include <memory>
#include <optional>

#include "absl/status/status.h"
#include "server/rpc/open_streams.h"
#include "server/rpc/service_context.h"
#include "server/runtime/control_session.h"
#include "server/wire/frame_codec.h"
#include "solver/base/mutex.h"
#include "talus/v1/control.pb.h"

namespace talus::rpc {

class ControlReactor final
    : public grpc::ServerBidiReactor<v1::ControlRequest, v1::ControlResponse>,
      public std::enable_shared_from_this<ControlReactor> {
 public:
  // Lives until gRPC is done, and until then among `streams`.
  static ControlReactor* Make(grpc::CallbackServerContext& call_context,
                              const ServiceContext& context, OpenStreams<ControlReactor>& streams);
  // The stream ends with `status` once what was read is answered.
  void End(const absl::Status& status);

 private:
  ControlReactor(grpc::CallbackServerContext& call_context, const ServiceContext& context,
                 OpenStreams<ControlReactor>& streams)
      : call_context_(call_context), context_(context), streams_(streams) {}

  void OnReadDone(bool ok) override;
  void OnWriteDone(bool ok) override;
  void OnCancel() override;
  void OnDone() override;

  void Open(const v1::ControlOpen& open);
  void Begin(const absl::StatusOr<ControlOpening>& opening);
  void Step(const v1::ControlStep& step, int64_t request);
  void AnswerStepped(int64_t request, const absl::StatusOr<ControlAnswer>& answer);
  void AnswerError(int64_t request, const absl::Status& status);
  void Answer(int64_t request, v1::ControlResponse response);
  // Begins the reads, the writes or the end that are due.
  void Advance();
  // True: something was begun, and there may be more.
  bool BeginNext();
  const Limits& limits() const { return context_.host.options().limits; }

  grpc::CallbackServerContext& call_context_;
  const ServiceContext& context_;
  OpenStreams<ControlReactor>& streams_;
  std::shared_ptr<ControlReactor> self_;
  v1::ControlRequest request_;
  wire::FrameView view_;         // set by the first request
  BodySelection bodies_;         // likewise
  int64_t layout_version_ = -1;  // of the last answer; the scene answers one after the other

  Mutex mutex_;
  std::shared_ptr<ControlSession> session_ TALUS_GUARDED_BY(mutex_);
  // One place a request, in their order, until its answer is written.
  std::deque<std::optional<v1::ControlResponse>> answers_ TALUS_GUARDED_BY(mutex_);
  int64_t first_ TALUS_GUARDED_BY(mutex_) = 0;  // which request has the first of them
  bool reading_ TALUS_GUARDED_BY(mutex_) = false;
  bool writing_ TALUS_GUARDED_BY(mutex_) = false;
  bool opening_ TALUS_GUARDED_BY(mutex_) = false;
  // Threads between the decision to read or write and its beginning: until then the call may not
  // end, for with its end goes what they begin on.
  int starting_ TALUS_GUARDED_BY(mutex_) = 0;
  bool half_closed_ TALUS_GUARDED_BY(mutex_) = false;
  bool finished_ TALUS_GUARDED_BY(mutex_) = false;
  std::optional<absl::Status> end_ TALUS_GUARDED_BY(mutex_);
};

}  // namespace talus::rpc
