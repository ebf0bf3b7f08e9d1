#include "server/rpc/grpc_server.h"

#include <google/protobuf/descriptor.h>
#include <grpcpp/health_check_service_interface.h>
#include <grpcpp/security/server_credentials.h>
#include <grpcpp/server.h>
#include <grpcpp/server_builder.h>

#include <limits>
#include <utility>

#include "server/rpc/call_threads.h"
#include "server/rpc/features.h"
#include "server/rpc/gated_services.h"
#include "server/rpc/listener.h"
#include "server/rpc/reflection_service.h"
#include "server/rpc/service_context.h"
#include "server/rpc/stream_sender.h"
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

constexpr int kMostCallsOfAConnection = 1024;

void Configure(const Limits& limits, grpc::ServerBuilder& builder) {
  // gRPC counts messages in int.
  const int largest =
      static_cast<int>(std::min<int64_t>(limits.message_bytes, std::numeric_limits<int>::max()));
  builder.SetMaxReceiveMessageSize(largest);
  builder.SetMaxSendMessageSize(largest);
  // gRPC measures a message when it has unpacked all of it.
  for (const auto algorithm : {GRPC_COMPRESS_DEFLATE, GRPC_COMPRESS_GZIP}) {
    builder.SetCompressionAlgorithmSupportStatus(algorithm, false);
  }
  builder.AddChannelArgument(GRPC_ARG_HTTP2_MIN_RECV_PING_INTERVAL_WITHOUT_DATA_MS,
                             static_cast<int>(kShortestPingInterval.count()));
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_PERMIT_WITHOUT_CALLS, 1);
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIME_MS,
                             static_cast<int>(kServerPingInterval.count()));
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIMEOUT_MS,
                             static_cast<int>(kServerPingTimeout.count()));
  // What one connection has under way; a client with more waits on its own side.
  builder.AddChannelArgument(GRPC_ARG_MAX_CONCURRENT_STREAMS, kMostCallsOfAConnection);
  // Nothing uses the synchronous interface.
  builder.SetSyncServerOption(grpc::ServerBuilder::SyncServerOption::NUM_CQS, 1);
  builder.SetSyncServerOption(grpc::ServerBuilder::SyncServerOption::MIN_POLLERS, 1);
  builder.SetSyncServerOption(grpc::ServerBuilder::SyncServerOption::MAX_POLLERS, 1);
}

// Plain text where nothing better is asked for. gRPC's credentials for local connections would let
// a metadata processor see the calls, but such a processor cannot say why it refuses.
std::shared_ptr<grpc::ServerCredentials> MakeServerCredentials(
    const ListenAddress& address, const std::optional<TlsMaterial>& tls) {
  if (!tls.has_value() || address.kind == ListenAddress::Kind::kUnix) {
    return grpc::InsecureServerCredentials();
  }
  grpc::SslServerCredentialsOptions options(
      tls->client_ca_pem.empty() ? GRPC_SSL_DONT_REQUEST_CLIENT_CERTIFICATE
                                 : GRPC_SSL_REQUEST_AND_REQUIRE_CLIENT_CERTIFICATE_AND_VERIFY);
  options.pem_root_certs = tls->client_ca_pem;
  options.pem_key_cert_pairs.push_back({tls->key_pem, tls->certificate_pem});
  return grpc::SslServerCredentials(options);
}

std::unique_ptr<RateLimiter> MakeLimiter(const std::optional<RateLimiter::Options>& options) {
  return options.has_value() ? std::make_unique<RateLimiter>(*options) : nullptr;
}

// An RPC without a line in the table of access would be served to everybody.
absl::Status CheckAccessTable(const std::vector<std::string>& services) {
  for (const std::string& name : services) {
    const auto* service =
        google::protobuf::DescriptorPool::generated_pool()->FindServiceByName(name);
    if (service == nullptr) {
      if (name.rfind("grpc.", 0) == 0)
        continue;  // health and reflection, which have no schema here
      return MakeError(absl::StatusCode::kInternal, name + " has no schema in this program", {});
    }
    for (int i = 0; i < service->method_count(); ++i) {
      const std::string method = service->name() + '/' + service->method(i)->name();
      if (FindRpc(method) == nullptr) {
        return MakeError(absl::StatusCode::kInternal,
                         method + " has no line in server/rpc/access_table.h", {});
      }
    }
  }
  return absl::OkStatus();
}

// Opens what `address` stands for and has gRPC serve who comes there.
absl::Status AddPlaces(const ListenAddress& address, const std::optional<TlsMaterial>& tls,
                       grpc::ServerBuilder& builder, std::vector<Listener::Place>& places) {
  absl::StatusOr<std::vector<ListeningSocket>> sockets = ListeningSocket::Open(address);
  if (!sockets.ok()) return sockets.status();
  const std::shared_ptr<grpc::experimental::ExternalConnectionAcceptor> grpc =
      builder.experimental().AddExternalConnectionAcceptor(
          grpc::ServerBuilder::experimental_type::ExternalConnectionType::FROM_FD,
          MakeServerCredentials(address, tls));
  for (ListeningSocket& socket : *sockets) {
    places.push_back(
        {std::move(socket), [grpc](int connection) {
           grpc::experimental::ExternalConnectionAcceptor::NewConnectionParameters taken;
           taken.fd = connection;
           grpc->HandleNewConnection(&taken);
         }});
  }
  return absl::OkStatus();
}

}  // namespace

struct GrpcServer::Impl {
  Impl(SceneHost& host, const std::string& version, AccessOptions& access)
      : gate(std::move(access.tokens), MakeLimiter(access.rate), host.clock()),
        context{host, gate, sender, call_threads, version, host.clock().Now()} {}

  StreamSender sender;
  CallThreads call_threads;
  const CallGate gate;
  const ServiceContext context;
  GatedSceneService scenes{context, gate};
  GatedSimulationService simulation{context, gate};
  GatedQueryService queries{context, gate};
  GatedStreamService streams{context, gate};
  GatedSnapshotService snapshots{context, gate};
  GatedRecordingService recordings{context, gate};
  GatedAnalysisService analyses{context, gate};
  GatedServerService about{context, gate};
  GatedEnvironment environment{context, gate};
  const std::vector<std::string> names = ListServices();
  ReflectionService reflection{"grpc.reflection.v1", names, gate};
  ReflectionService reflection_alpha{"grpc.reflection.v1alpha", names, gate};
  std::vector<std::string> addresses;
  std::unique_ptr<grpc::Server> server;
  // Last: goes first, for a server that was shut down would not close what it is handed.
  std::unique_ptr<Listener> listener;
};

GrpcServer::GrpcServer(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

GrpcServer::~GrpcServer() { Shutdown(milliseconds(0)); }

absl::StatusOr<std::unique_ptr<GrpcServer>> GrpcServer::Start(
    SceneHost& host, const std::vector<ListenAddress>& listen, const std::string& version,
    AccessOptions access) {
  grpc::EnableDefaultHealthCheckService(true);
  auto impl = std::make_unique<Impl>(host, version, access);
  if (absl::Status status = CheckAccessTable(impl->names); !status.ok()) return status;
  grpc::ServerBuilder builder;
  Configure(host.options().limits, builder);
  const std::vector<grpc::Service*> services = {
      &impl->scenes,     &impl->simulation,       &impl->queries,    &impl->streams,
      &impl->snapshots,  &impl->analyses,         &impl->about,      &impl->recordings,
      &impl->reflection, &impl->reflection_alpha, &impl->environment};
  for (grpc::Service* service : services) builder.RegisterService(service);
  std::vector<Listener::Place> places;
  for (const ListenAddress& address : listen) {
    const size_t first = places.size();
    absl::Status status = AddPlaces(address, access.tls, builder, places);
    if (!status.ok()) return status;
    impl->addresses.push_back(places[first].socket.address().ToString());
  }
  impl->server = builder.BuildAndStart();
  if (impl->server == nullptr) {
    return MakeError(absl::StatusCode::kUnavailable, "cannot start the gRPC server", {});
  }
  impl->server->GetHealthCheckService()->SetServingStatus(true);
  absl::StatusOr<std::unique_ptr<Listener>> listener =
      Listener::Start(std::move(places), host.options().limits.connections);
  if (!listener.ok()) return listener.status();
  impl->listener = *std::move(listener);
  return std::unique_ptr<GrpcServer>(new GrpcServer(std::move(impl)));
}

const std::vector<std::string>& GrpcServer::addresses() const { return impl_->addresses; }

void GrpcServer::AnnounceDrain() {
  impl_->server->GetHealthCheckService()->SetServingStatus(false);
}

void GrpcServer::StopListening() { impl_->listener->Stop(); }

void GrpcServer::Shutdown(milliseconds patience) {
  StopListening();
  impl_->scenes.EndStreams();
  impl_->simulation.EndStreams();
  impl_->environment.EndStreams();
  impl_->snapshots.EndStreams();
  impl_->call_threads.Stop();
  impl_->server->Shutdown(std::chrono::system_clock::now() + patience);
  impl_->server->Wait();
}

}  // namespace talus::rpc
