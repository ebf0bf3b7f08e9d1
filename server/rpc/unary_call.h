// One unary call between the gRPC thread that took it and the completion that answers it.
//
// The handler submits to the middle ring and returns; the completion fills the response and calls
// End exactly once, on whatever thread it runs. The call deletes itself once gRPC is done with it,
// which is never before End: a completion may hold a plain pointer to it. Cancellation is passed on
// to the ring, which ends the call in its own time.
#pragma once

#include <grpcpp/server_context.h>
#include <grpcpp/support/server_callback.h>

#include <functional>
#include <memory>
#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "server/rpc/deadline.h"
#include "server/rpc/lease_metadata.h"
#include "server/rpc/status.h"
#include "server/runtime/call_control.h"

namespace talus::rpc {

template <typename Response>
class UnaryCall final : public grpc::ServerUnaryReactor {
 public:
  // `method` is a literal, as in "SceneService/GetScene".
  UnaryCall(std::string_view method, grpc::CallbackServerContext& context, Response& response)
      : method_(method),
        context_(context),
        response_(response),
        control_(std::make_shared<CallControl>(FindDeadline(context), FindLease(context))) {}

  Response& response() { return response_; }
  const CallControlPtr& control() const { return control_; }

  // Runs `job` when the answer is out: not before the handler has returned. To be called before the
  // call can end.
  void Afterwards(std::function<void()> job) { afterwards_ = std::move(job); }

  void End(const absl::Status& status) { Finish(EncodeStatus(status, method_, context_)); }

 private:
  void OnCancel() override { control_->Cancel(); }
  void OnDone() override {
    const std::function<void()> job = std::move(afterwards_);
    delete this;
    if (job) job();
  }
  // Both are over at once. By default gRPC wakes a thread of its executor for each of them, which
  // takes the core that the caller wants to read the answer on.
  bool InternalInlineable() override { return true; }

  const std::string_view method_;
  grpc::CallbackServerContext& context_;
  Response& response_;
  const CallControlPtr control_;
  std::function<void()> afterwards_;
};

}  // namespace talus::rpc
