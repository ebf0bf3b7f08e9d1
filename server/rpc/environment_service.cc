#include "server/rpc/environment_service.h"

namespace talus::rpc {

grpc::ServerBidiReactor<env::EnvironmentRequest, env::EnvironmentResponse>* Environment::Process(
    grpc::CallbackServerContext* call_context) {
  return EnvironmentReactor::Make(*call_context, context_, streams_);
}

}  // namespace talus::rpc
