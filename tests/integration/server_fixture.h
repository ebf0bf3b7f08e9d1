// A server of its own for each test, on a free loopback port, and stubs to call it with.
#pragma once

#include <grpcpp/grpcpp.h>
#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <string>

#include "server/rpc/grpc_server.h"
#include "server/session/scene_host.h"
#include "solver/scene/scene_def.h"
#include "talus/v1/error.pb.h"
#include "talus/v1/query_service.grpc.pb.h"
#include "talus/v1/scene_service.grpc.pb.h"
#include "talus/v1/server_service.grpc.pb.h"
#include "talus/v1/simulation_service.grpc.pb.h"
#include "talus/v1/snapshot_service.grpc.pb.h"
#include "talus/v1/stream_service.grpc.pb.h"
#include "tests/support/wait_until.h"

namespace talus::testing {

using std::chrono::milliseconds;

// How a call ended: the status and the machine-readable detail of a failure.
struct Outcome {
  grpc::Status status;
  v1::ErrorDetail detail;  // default when the server sent none
  std::string request_id;  // of the log, for a failure

  bool ok() const { return status.ok(); }
};

template <typename Response>
struct Reply : Outcome {
  Response response;
};

Outcome FinishCall(const grpc::Status& status, const grpc::ClientContext& context);

class ServerTest : public ::testing::Test {
 protected:
  ServerTest() = default;
  ~ServerTest() override;

  // Starts the server; without it SetUp of a derived test must. `clock` null: the machine's.
  void StartServer(SceneHostOptions options = DefaultOptions(), Clock* clock = nullptr);
  void StopServer();
  static SceneHostOptions DefaultOptions();
  // An empty directory of this test, removed at its end.
  std::string MakeDataDirectory();

  template <typename Stub, typename Request, typename Response>
  Reply<Response> Call(Stub& stub,
                       grpc::Status (Stub::*method)(grpc::ClientContext*, const Request&,
                                                    Response*),
                       const Request& request, milliseconds patience = milliseconds(60'000)) {
    Reply<Response> reply;
    grpc::ClientContext context;
    context.set_deadline(std::chrono::system_clock::now() + patience);
    const grpc::Status status = (stub.*method)(&context, request, &reply.response);
    static_cast<Outcome&>(reply) = FinishCall(status, context);
    return reply;
  }

  // The calls most tests need.
  Reply<v1::CreateSceneResponse> CreateScene(const std::string& id, const SceneDef& scene);
  Reply<v1::StepResponse> Step(const std::string& id, int64_t count);
  Reply<v1::StepResponse> Step(const v1::StepRequest& request,
                               milliseconds patience = milliseconds(60'000));
  v1::SceneInfo GetScene(const std::string& id);
  uint64_t StateHash(const std::string& id) { return GetScene(id).state_hash(); }

  std::shared_ptr<grpc::Channel> channel_;
  std::unique_ptr<SceneHost> host_;
  std::unique_ptr<rpc::GrpcServer> server_;
  std::unique_ptr<v1::SceneService::Stub> scenes_;
  std::unique_ptr<v1::SimulationService::Stub> simulation_;
  std::unique_ptr<v1::QueryService::Stub> queries_;
  std::unique_ptr<v1::StreamService::Stub> streams_;
  std::unique_ptr<v1::SnapshotService::Stub> snapshots_;
  std::unique_ptr<v1::ServerService::Stub> about_;

 private:
  std::string data_directory_;
};

// A failure with this code and reason.
::testing::AssertionResult FailedWith(const Outcome& outcome, grpc::StatusCode code,
                                      v1::ErrorReason reason);

// Ten balls that fall onto a plane and come to rest on it.
SceneDef TenBalls();
// Enough packed balls that a step takes a good part of a millisecond: a long Step can be
// interrupted.
SceneDef SlowScene();

}  // namespace talus::testing
