// One conversation of the environment face: a request of dm_env_rpc in, its answer out.
//
// An agent is in no world or in one. It is asked one thing at a time; Leave may come from any
// thread at any moment.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "dm_env_rpc/v1/dm_env_rpc.pb.h"
#include "server/rpc/environment_codec.h"
#include "server/rpc/service_context.h"
#include "server/runtime/environment_session.h"
#include "solver/base/mutex.h"

namespace talus::rpc {

class EnvironmentAgent : public std::enable_shared_from_this<EnvironmentAgent> {
 public:
  using Answer = std::function<void(env::EnvironmentResponse)>;

  // `context` outlives the agent. `client` is for whom worlds count, `peer` who joins where no name
  // is given.
  EnvironmentAgent(const ServiceContext& context, std::string client, std::string peer)
      : context_(context), client_(std::move(client)), peer_(std::move(peer)) {}

  // Answers once, on this thread or another: what belongs to the request, or `error`. `request` is
  // not read after the answer.
  void Process(const env::EnvironmentRequest& request, const Answer& answer);
  // Ends what is under way and leaves the world; a world that is about to be joined is not.
  // For good.
  void Leave();

 private:
  using SessionPtr = std::shared_ptr<EnvironmentSession>;

  void Create(const env::CreateWorldRequest& request, const Answer& answer);
  void Join(const env::JoinWorldRequest& request, const Answer& answer);
  void Joined(const SessionPtr& session, const EnvironmentWorldPtr& world, const Answer& answer);
  void Step(const env::StepRequest& request, const Answer& answer);
  void Reset(const env::ResetRequest& request, const Answer& answer);
  void ResetWorld(const env::ResetWorldRequest& request, const Answer& answer);
  void LeaveWorld(const Answer& answer);
  void Destroy(const env::DestroyWorldRequest& request, const Answer& answer);
  SessionPtr session();
  void SetSession(SessionPtr session);

  const ServiceContext& context_;
  const std::string client_;
  const std::string peer_;
  EnvironmentWorldPtr world_;  // of one request after the other

  Mutex mutex_;
  SessionPtr session_ TALUS_GUARDED_BY(mutex_);  // null: in no world
  SessionPtr joining_ TALUS_GUARDED_BY(mutex_);
  bool left_ TALUS_GUARDED_BY(mutex_) = false;
};

}  // namespace talus::rpc
