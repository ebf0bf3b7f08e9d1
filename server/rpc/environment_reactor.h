// One stream of the environment face: reads a request, has it answered, writes the answer, reads
// the next. What a client sends ahead waits in the transport, whose buffers are its own.
//
// It deletes itself once gRPC is done with it and the last completion has let go.
#pragma once

#include <grpcpp/server_context.h>
#include <grpcpp/support/server_callback.h>

#include <memory>

#include "absl/status/status.h"
#include "server/rpc/environment_agent.h"
#include "server/rpc/open_streams.h"
#include "server/rpc/planned_end.h"

namespace talus::rpc {

class EnvironmentReactor final
    : public grpc::ServerBidiReactor<env::EnvironmentRequest, env::EnvironmentResponse>,
      public std::enable_shared_from_this<EnvironmentReactor> {
 public:
  // Lives until gRPC is done, and until then among `streams`.
  static EnvironmentReactor* Make(grpc::CallbackServerContext& call_context,
                                  const ServiceContext& context,
                                  OpenStreams<EnvironmentReactor>& streams);
  // The stream ends with `status` once what was read is answered.
  void End(const absl::Status& status);

 private:
  EnvironmentReactor(grpc::CallbackServerContext& call_context, const ServiceContext& context,
                     OpenStreams<EnvironmentReactor>& streams);
  void OnReadDone(bool ok) override;
  void OnWriteDone(bool ok) override;
  void OnCancel() override;
  void OnDone() override;

  void Read();
  void FinishIfDue();

  grpc::CallbackServerContext& call_context_;
  CallThreads& call_threads_;
  const std::shared_ptr<EnvironmentAgent> agent_;
  OpenStreams<EnvironmentReactor>& streams_;
  std::shared_ptr<EnvironmentReactor> self_;
  env::EnvironmentRequest request_;
  env::EnvironmentResponse response_;
  PlannedEnd end_;
};

}  // namespace talus::rpc
