// What is behind a Client: its channel and a stub for each service, as the generated code has them.
// For the client's own sources, and for tests that misbehave as no client would.
#pragma once

#include <grpcpp/channel.h>

#include <memory>
#include <utility>

#include "clients/cpp/client.h"
#include "talus/v1/analysis_service.grpc.pb.h"
#include "talus/v1/query_service.grpc.pb.h"
#include "talus/v1/recording_service.grpc.pb.h"
#include "talus/v1/scene_service.grpc.pb.h"
#include "talus/v1/server_service.grpc.pb.h"
#include "talus/v1/simulation_service.grpc.pb.h"
#include "talus/v1/snapshot_service.grpc.pb.h"
#include "talus/v1/stream_service.grpc.pb.h"

namespace talus::client {

struct ServiceStubs {
  explicit ServiceStubs(std::shared_ptr<grpc::Channel> open)
      : channel(std::move(open)),
        scene(channel),
        simulation(channel),
        query(channel),
        stream(channel),
        snapshot(channel),
        recording(channel),
        analysis(channel),
        server(channel) {}

  std::shared_ptr<grpc::Channel> channel;
  v1::SceneService::Stub scene;
  v1::SimulationService::Stub simulation;
  v1::QueryService::Stub query;
  v1::StreamService::Stub stream;
  v1::SnapshotService::Stub snapshot;
  v1::RecordingService::Stub recording;
  v1::AnalysisService::Stub analysis;
  v1::ServerService::Stub server;
};

struct Client::Stubs : ServiceStubs {
  using ServiceStubs::ServiceStubs;
};

}  // namespace talus::client
