#include "server/rpc/grpc_server.h"

#include <grpcpp/ext/proto_server_reflection_plugin.h>
#include <grpcpp/health_check_service_interface.h>
#include <grpcpp/security/server_credentials.h>
#include <grpcpp/server.h>
#include <grpcpp/server_builder.h>

#include <limits>
#include <utility>

#include "server/rpc/analysis_service.h"
#include "server/rpc/query_service.h"
#include "server/rpc/recording_service.h"
#include "server/rpc/scene_service.h"
#include "server/rpc/server_service.h"
#include "server/rpc/service_context.h"
#include "server/rpc/simulation_service.h"
#include "server/rpc/snapshot_service.h"
#include "server/rpc/stream_sender.h"
#include "server/rpc/stream_service.h"
#include "server/session/error.h"

namespace talus::rpc {
namespace {

using std::chrono::milliseconds;

// Clients may ping every 10 s; half of it leaves room for a late timer.
constexpr milliseconds kShortestPingInterval{5'000};
// A peer that vanished without a word is found after at most these two together, and its streams
// end.
constexpr milliseconds kServerPingInterval{60'000};
constexpr milliseconds kServerPingTimeout{20'000};

void Configure(const Limits& limits, grpc::ServerBuilder& builder) {
  // gRPC counts messages in int.
  const int largest =
      static_cast<int>(std::min<int64_t>(limits.message_bytes, std::numeric_limits<int>::max()));
  builder.SetMaxReceiveMessageSize(largest);
  builder.SetMaxSendMessageSize(largest);
  builder.AddChannelArgument(GRPC_ARG_HTTP2_MIN_RECV_PING_INTERVAL_WITHOUT_DATA_MS,
                             static_cast<int>(kShortestPingInterval.count()));
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_PERMIT_WITHOUT_CALLS, 1);
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIME_MS,
                             static_cast<int>(kServerPingInterval.count()));
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIMEOUT_MS,
                             static_cast<int>(kServerPingTimeout.count()));
  // Without this a second server on the same port would start and quietly take half of the calls.
  builder.AddChannelArgument(GRPC_ARG_ALLOW_REUSEPORT, 0);
  // Only reflection uses the synchronous interface.
  builder.SetSyncServerOption(grpc::ServerBuilder::SyncServerOption::NUM_CQS, 1);
  builder.SetSyncServerOption(grpc::ServerBuilder::SyncServerOption::MIN_POLLERS, 1);
  builder.SetSyncServerOption(grpc::ServerBuilder::SyncServerOption::MAX_POLLERS, 1);
}

// `host:0` with the port that was taken.
std::string WithPort(const std::string& address, int port) {
  if (address.rfind("unix:", 0) == 0) return address;
  return address.substr(0, address.rfind(':') + 1) + std::to_string(port);
}

}  // namespace

struct GrpcServer::Impl {
  Impl(SceneHost& host, const std::string& version)
      : context{host, sender, version, host.clock().Now()} {}

  StreamSender sender;
  const ServiceContext context;
  SceneService scenes{context};
  SimulationService simulation{context};
  QueryService queries{context};
  StreamService streams{context};
  SnapshotService snapshots{context};
  RecordingService recordings{context};
  AnalysisService analyses{context};
  ServerService about{context};
  std::vector<std::string> addresses;
  std::unique_ptr<grpc::Server> server;  // last: goes first
};

GrpcServer::GrpcServer(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

GrpcServer::~GrpcServer() { Shutdown(milliseconds(0)); }

absl::StatusOr<std::unique_ptr<GrpcServer>> GrpcServer::Start(
    SceneHost& host, const std::vector<std::string>& listen, const std::string& version) {
  grpc::EnableDefaultHealthCheckService(true);
  grpc::reflection::InitProtoReflectionServerBuilderPlugin();
  auto impl = std::make_unique<Impl>(host, version);
  grpc::ServerBuilder builder;
  Configure(host.options().limits, builder);
  const std::vector<grpc::Service*> services = {&impl->scenes,  &impl->simulation, &impl->queries,
                                                &impl->streams, &impl->snapshots,  &impl->analyses,
                                                &impl->about,   &impl->recordings};
  for (grpc::Service* service : services) builder.RegisterService(service);
  std::vector<int> ports(listen.size(), 0);
  for (size_t i = 0; i < listen.size(); ++i) {
    builder.AddListeningPort(listen[i], grpc::InsecureServerCredentials(), &ports[i]);
  }
  impl->server = builder.BuildAndStart();
  for (size_t i = 0; i < listen.size(); ++i) {
    // gRPC leaves 0 (or -1) in the place of a port it could not have; a unix socket counts as
    // port 1.
    if (impl->server == nullptr && ports[i] <= 0) {
      return MakeError(absl::StatusCode::kUnavailable, "cannot listen on " + listen[i], {});
    }
    impl->addresses.push_back(WithPort(listen[i], ports[i]));
  }
  if (impl->server == nullptr) {
    return MakeError(absl::StatusCode::kUnavailable, "cannot start the gRPC server", {});
  }
  impl->server->GetHealthCheckService()->SetServingStatus(true);
  return std::unique_ptr<GrpcServer>(new GrpcServer(std::move(impl)));
}

const std::vector<std::string>& GrpcServer::addresses() const { return impl_->addresses; }

void GrpcServer::AnnounceDrain() {
  impl_->server->GetHealthCheckService()->SetServingStatus(false);
}

void GrpcServer::Shutdown(milliseconds patience) {
  impl_->server->Shutdown(std::chrono::system_clock::now() + patience);
  impl_->server->Wait();
}

}  // namespace talus::rpc
