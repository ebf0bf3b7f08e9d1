// dm_env_rpc.v1.Environment: the scenes of this server as worlds that agents join.
#pragma once

#include "dm_env_rpc/v1/dm_env_rpc.grpc.pb.h"
#include "server/rpc/environment_reactor.h"
#include "server/rpc/open_streams.h"
#include "server/rpc/service_context.h"

namespace talus::rpc {

class Environment : public dm_env_rpc::v1::Environment::CallbackService {
 public:
  explicit Environment(const ServiceContext& context) : context_(context) {}

  grpc::ServerBidiReactor<env::EnvironmentRequest, env::EnvironmentResponse>* Process(
      grpc::CallbackServerContext* call_context) override;

  // All streams, and those that come later, end with UNAVAILABLE (DRAINING) once what they were
  // asked is answered.
  void EndStreams() { streams_.EndAll(); }

 private:
  const ServiceContext& context_;
  OpenStreams<EnvironmentReactor> streams_;
};

}  // namespace talus::rpc
