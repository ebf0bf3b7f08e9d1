#include "server/rpc/environment_reactor.h"

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
      agent_(std::make_shared<EnvironmentAgent>(context, call_context.peer())),
      streams_(streams) {}

void EnvironmentReactor::Read() {
  const std::shared_ptr<EnvironmentReactor> self = shared_from_this();
  bool over = false;
  {
    MutexLock lock(mutex_);
    busy_ = false;
    over = end_.has_value();
    if (!over) ++starting_;
  }
  if (!over) {
    StartRead(&request_);
    MutexLock lock(mutex_);
    --starting_;
  }
  FinishIfDue();
}

void EnvironmentReactor::OnReadDone(bool ok) {
  const std::shared_ptr<EnvironmentReactor> self = shared_from_this();
  {
    MutexLock lock(mutex_);
    if (finished_) return;
    busy_ = ok;
    if (!ok && !end_.has_value()) end_ = absl::OkStatus();
  }
  if (!ok) return FinishIfDue();
  agent_->Process(request_, [self](env::EnvironmentResponse response) {
    self->response_ = std::move(response);
    self->StartWrite(&self->response_);
  });
}

void EnvironmentReactor::OnWriteDone(bool ok) {
  // A write that failed belongs to a call that is being cancelled.
  if (ok) return Read();
  {
    MutexLock lock(mutex_);
    busy_ = false;
    if (!end_.has_value()) end_ = CancelledError();
  }
  FinishIfDue();
}

void EnvironmentReactor::OnCancel() { agent_->Leave(); }

void EnvironmentReactor::End(const absl::Status& status) {
  const std::shared_ptr<EnvironmentReactor> self = shared_from_this();
  {
    MutexLock lock(mutex_);
    if (!end_.has_value()) end_ = status;
  }
  FinishIfDue();
}

void EnvironmentReactor::FinishIfDue() {
  absl::Status status;
  {
    MutexLock lock(mutex_);
    if (finished_ || busy_ || starting_ > 0 || !end_.has_value()) return;
    finished_ = true;
    status = *end_;
  }
  agent_->Leave();
  Finish(EncodeStatus(status, "Environment/Process", call_context_));
}

void EnvironmentReactor::OnDone() {
  streams_.Remove(this);
  self_.reset();  // the last owner unless a completion is still to come; nothing may follow
}

}  // namespace talus::rpc
