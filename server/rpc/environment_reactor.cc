#include "server/rpc/environment_reactor.h"

#include <optional>
#include <utility>

#include "server/rpc/status.h"
#include "server/session/error.h"

namespace talus::rpc {

EnvironmentReactor* EnvironmentReactor::Make(grpc::CallbackServerContext& call_context,
                                             const ServiceContext& context,
                                             OpenStreams<EnvironmentReactor>& streams) {
  std::shared_ptr<EnvironmentReactor> reactor(
      new EnvironmentReactor(call_context, context, streams));
  reactor->self_ = reactor;
  streams.Add(reactor);
  reactor->Read();
  return reactor.get();
}

EnvironmentReactor::EnvironmentReactor(grpc::CallbackServerContext& call_context,
                                       const ServiceContext& context,
                                       OpenStreams<EnvironmentReactor>& streams)
    : call_context_(call_context),
      call_threads_(context.call_threads),
      agent_(std::make_shared<EnvironmentAgent>(context, context.gate.NameClient(call_context),
                                                call_context.peer())),
      streams_(streams) {}

void EnvironmentReactor::Read() {
  const std::shared_ptr<EnvironmentReactor> self = shared_from_this();
  if (end_.BeginRead()) {
    StartRead(&request_);
    end_.ReadIsBegun();
  }
  FinishIfDue();
}

void EnvironmentReactor::OnReadDone(bool ok) {
  const std::shared_ptr<EnvironmentReactor> self = shared_from_this();
  if (!end_.BeginWork()) return;
  if (!ok) {
    end_.EndNow(absl::OkStatus());
    return FinishIfDue();
  }
  call_threads_.NoteCall(this);
  agent_->Process(request_, [self](env::EnvironmentResponse response) {
    self->response_ = std::move(response);
    self->StartWrite(&self->response_);
  });
}

void EnvironmentReactor::OnWriteDone(bool ok) {
  // A write that failed belongs to a call that is being cancelled.
  if (ok) return Read();
  end_.EndNow(CancelledError());
  FinishIfDue();
}

void EnvironmentReactor::OnCancel() { agent_->Leave(); }

void EnvironmentReactor::End(const absl::Status& status) {
  const std::shared_ptr<EnvironmentReactor> self = shared_from_this();
  end_.Plan(status);
  FinishIfDue();
}

void EnvironmentReactor::FinishIfDue() {
  const std::optional<absl::Status> status = end_.TakeDue();
  if (!status.has_value()) return;
  agent_->Leave();
  Finish(EncodeStatus(*status, "Environment/Process", call_context_));
}

void EnvironmentReactor::OnDone() {
  streams_.Remove(this);
  self_.reset();  // the last owner unless a completion is still to come; nothing may follow
}

}  // namespace talus::rpc
