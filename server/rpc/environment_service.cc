#include "server/rpc/environment_service.h"

#include <vector>

#include "server/session/error.h"

namespace talus::rpc {

grpc::ServerBidiReactor<env::EnvironmentRequest, env::EnvironmentResponse>* Environment::Process(
    grpc::CallbackServerContext* call_context) {
  const auto reactor =
      EnvironmentReactor::Make(*call_context, context_, [this](EnvironmentReactor* gone) {
        MutexLock lock(mutex_);
        streams_.erase(gone);
      });
  bool ended = false;
  {
    MutexLock lock(mutex_);
    streams_.emplace(reactor.get(), reactor);
    ended = ended_;
  }
  if (ended) reactor->End(DrainingError());
  if (!ended) reactor->Begin();
  return reactor.get();
}

void Environment::EndAll() {
  std::vector<std::shared_ptr<EnvironmentReactor>> streams;
  {
    MutexLock lock(mutex_);
    ended_ = true;
    for (const auto& [reactor, weak] : streams_) {
      if (auto stream = weak.lock()) streams.push_back(std::move(stream));
    }
  }
  for (const auto& stream : streams) stream->End(DrainingError());
}

}  // namespace talus::rpc
