// dm_env_rpc.v1.Environment: the scenes of this server as worlds that agents join. Its streams may
// be in no scene and so end with none: they are kept in a list and ended by EndAll.
#pragma once

#include <unordered_map>

#include "dm_env_rpc/v1/dm_env_rpc.grpc.pb.h"
#include "server/rpc/environment_reactor.h"
#include "server/rpc/service_context.h"
#include "solver/base/mutex.h"

namespace talus::rpc {

class Environment : public dm_env_rpc::v1::Environment::CallbackService {
 public:
  explicit Environment(const ServiceContext& context) : context_(context) {}

  grpc::ServerBidiReactor<env::EnvironmentRequest, env::EnvironmentResponse>* Process(
      grpc::CallbackServerContext* call_context) override;

  // All streams, and those that come later, end with UNAVAILABLE (DRAINING) once what they were
  // asked is answered.
  void EndAll();

 private:
  const ServiceContext& context_;
  Mutex mutex_;
  bool ended_ TALUS_GUARDED_BY(mutex_) = false;
  std::unordered_map<EnvironmentReactor*, std::weak_ptr<EnvironmentReactor>> streams_
      TALUS_GUARDED_BY(mutex_);
};

}  // namespace talus::rpc
