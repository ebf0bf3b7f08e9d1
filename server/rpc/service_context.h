// What every service of the server needs to answer: the middle ring, who calls, the thread that
// starts stream writes, the threads that rest, and who the server is. Outlives all calls.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "server/rpc/call_gate.h"
#include "server/rpc/call_threads.h"
#include "server/rpc/stream_sender.h"
#include "server/session/resource_name.h"
#include "server/session/scene_host.h"

namespace talus::rpc {

struct ServiceContext {
  SceneHost& host;
  const CallGate& gate;
  StreamSender& sender;
  CallThreads& call_threads;
  std::string version;
  Clock::TimePoint start;
};

// The scene under a resource name: INVALID_ARGUMENT or NOT_FOUND, naming the field `scene`.
inline absl::StatusOr<std::shared_ptr<SceneActor>> FindScene(const ServiceContext& context,
                                                             std::string_view name) {
  absl::StatusOr<std::string> id = ParseSceneName(name);
  if (!id.ok()) return id.status();
  return context.host.registry().Find(*id);
}

}  // namespace talus::rpc
