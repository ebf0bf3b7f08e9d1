#include "clients/cpp/client.h"

#include <grpcpp/grpcpp.h>

#include <iterator>
#include <optional>
#include <utility>

#include "clients/cpp/channel.h"
#include "talus/v1/analysis_service.grpc.pb.h"
#include "talus/v1/query_service.grpc.pb.h"
#include "talus/v1/scene_service.grpc.pb.h"
#include "talus/v1/server_service.grpc.pb.h"
#include "talus/v1/simulation_service.grpc.pb.h"
#include "talus/v1/snapshot_service.grpc.pb.h"
#include "talus/v1/stream_service.grpc.pb.h"

namespace talus::client {
namespace {

// Trailing metadata that carries the serialized ErrorDetail.
constexpr char kErrorDetailKey[] = "talus-error-bin";

Error DecodeError(const grpc::Status& status, const grpc::ClientContext& context) {
  Error error;
  error.code = static_cast<Code>(status.error_code());
  error.message = status.error_message();
  const auto& trailers = context.GetServerTrailingMetadata();
  const auto found = trailers.find(kErrorDetailKey);
  if (found != trailers.end()) {
    // A detail that does not parse leaves the code and the message, which are enough to act on.
    if (!error.detail.ParseFromArray(found->second.data(),
                                     static_cast<int>(found->second.size()))) {
      error.detail.Clear();
    }
  }
  return error;
}

void ApplyOptions(const CallOptions& options, grpc::ClientContext* context) {
  if (options.timeout.count() > 0) {
    context->set_deadline(std::chrono::system_clock::now() + options.timeout);
  }
}

template <typename Stub, typename Request, typename Response>
Result<Response> Call(Stub& stub,
                      grpc::Status (Stub::*method)(grpc::ClientContext*, const Request&, Response*),
                      const Request& request, const CallOptions& options) {
  grpc::ClientContext context;
  ApplyOptions(options, &context);
  const std::stop_callback on_stop(options.stop, [&context] { context.TryCancel(); });
  Response response;
  const grpc::Status status = (stub.*method)(&context, request, &response);
  if (!status.ok()) return DecodeError(status, context);
  return response;
}

template <typename Response>
class ReaderSource final : public StreamSource {
 public:
  using Reader = std::unique_ptr<grpc::ClientReader<Response>>;

  template <typename Start>
  ReaderSource(const CallOptions& options, const Start& start)
      : context_(std::make_unique<grpc::ClientContext>()) {
    ApplyOptions(options, context_.get());
    reader_ = start(context_.get());
    on_stop_.emplace(options.stop, Canceller{context_.get()});
  }
  ~ReaderSource() override { (void)Finish(); }

  bool Read(google::protobuf::Message* message) override {
    if (ended_) return false;
    if (reader_->Read(static_cast<Response*>(message))) return true;
    ended_ = true;
    return false;
  }

  Result<Done> Finish() override {
    if (!finished_) {
      if (!ended_) {
        // gRPC's Finish waits for every message to be read.
        Cancel();
        Response rest;
        while (reader_->Read(&rest)) {
        }
        ended_ = true;
      }
      status_ = reader_->Finish();
      finished_ = true;
    }
    if (!status_.ok()) return DecodeError(status_, *context_);
    return Done{};
  }

  void Cancel() override { context_->TryCancel(); }

 private:
  struct Canceller {
    grpc::ClientContext* context;
    void operator()() const { context->TryCancel(); }
  };

  std::unique_ptr<grpc::ClientContext> context_;
  Reader reader_;
  std::optional<std::stop_callback<Canceller>> on_stop_;
  bool ended_ = false;     // nothing left to read
  bool finished_ = false;  // status_ is known
  grpc::Status status_;
};

}  // namespace

const char* CodeName(Code code) {
  static constexpr const char* kNames[] = {"OK",
                                           "CANCELLED",
                                           "UNKNOWN",
                                           "INVALID_ARGUMENT",
                                           "DEADLINE_EXCEEDED",
                                           "NOT_FOUND",
                                           "ALREADY_EXISTS",
                                           "PERMISSION_DENIED",
                                           "RESOURCE_EXHAUSTED",
                                           "FAILED_PRECONDITION",
                                           "ABORTED",
                                           "OUT_OF_RANGE",
                                           "UNIMPLEMENTED",
                                           "INTERNAL",
                                           "UNAVAILABLE",
                                           "DATA_LOSS",
                                           "UNAUTHENTICATED"};
  const auto index = static_cast<size_t>(code);
  return index < std::size(kNames) ? kNames[index] : "UNKNOWN";
}

struct Client::Stubs {
  explicit Stubs(std::shared_ptr<grpc::Channel> open)
      : channel(std::move(open)),
        scene(channel),
        simulation(channel),
        query(channel),
        stream(channel),
        snapshot(channel),
        analysis(channel),
        server(channel) {}

  std::shared_ptr<grpc::Channel> channel;
  v1::SceneService::Stub scene;
  v1::SimulationService::Stub simulation;
  v1::QueryService::Stub query;
  v1::StreamService::Stub stream;
  v1::SnapshotService::Stub snapshot;
  v1::AnalysisService::Stub analysis;
  v1::ServerService::Stub server;
};

Client::Client(const std::string& address, const ClientOptions& options)
    : stubs_(std::make_shared<Stubs>(OpenChannel(address, options))) {}

bool Client::WaitUntilConnected(std::chrono::milliseconds timeout) const {
  return stubs_->channel->WaitForConnected(std::chrono::system_clock::now() + timeout);
}

Result<v1::CreateSceneResponse> Client::CreateScene(const v1::CreateSceneRequest& request,
                                                    const Options& options) {
  return Call(stubs_->scene, &v1::SceneService::Stub::CreateScene, request, options);
}

Result<v1::GetSceneResponse> Client::GetScene(const v1::GetSceneRequest& request,
                                              const Options& options) {
  return Call(stubs_->scene, &v1::SceneService::Stub::GetScene, request, options);
}

Result<v1::ListScenesResponse> Client::ListScenes(const v1::ListScenesRequest& request,
                                                  const Options& options) {
  return Call(stubs_->scene, &v1::SceneService::Stub::ListScenes, request, options);
}

Result<v1::DeleteSceneResponse> Client::DeleteScene(const v1::DeleteSceneRequest& request,
                                                    const Options& options) {
  return Call(stubs_->scene, &v1::SceneService::Stub::DeleteScene, request, options);
}

Result<v1::AddBodiesResponse> Client::AddBodies(const v1::AddBodiesRequest& request,
                                                const Options& options) {
  return Call(stubs_->scene, &v1::SceneService::Stub::AddBodies, request, options);
}

Result<v1::RemoveBodiesResponse> Client::RemoveBodies(const v1::RemoveBodiesRequest& request,
                                                      const Options& options) {
  return Call(stubs_->scene, &v1::SceneService::Stub::RemoveBodies, request, options);
}

Result<v1::AddEmittersResponse> Client::AddEmitters(const v1::AddEmittersRequest& request,
                                                    const Options& options) {
  return Call(stubs_->scene, &v1::SceneService::Stub::AddEmitters, request, options);
}

Result<v1::RemoveEmittersResponse> Client::RemoveEmitters(const v1::RemoveEmittersRequest& request,
                                                          const Options& options) {
  return Call(stubs_->scene, &v1::SceneService::Stub::RemoveEmitters, request, options);
}

Result<v1::AddJointsResponse> Client::AddJoints(const v1::AddJointsRequest& request,
                                                const Options& options) {
  return Call(stubs_->scene, &v1::SceneService::Stub::AddJoints, request, options);
}

Result<v1::RemoveJointsResponse> Client::RemoveJoints(const v1::RemoveJointsRequest& request,
                                                      const Options& options) {
  return Call(stubs_->scene, &v1::SceneService::Stub::RemoveJoints, request, options);
}

Result<v1::StepResponse> Client::Step(const v1::StepRequest& request, const Options& options) {
  return Call(stubs_->simulation, &v1::SimulationService::Stub::Step, request, options);
}

Result<v1::GetLayoutResponse> Client::GetLayout(const v1::GetLayoutRequest& request,
                                                const Options& options) {
  return Call(stubs_->query, &v1::QueryService::Stub::GetLayout, request, options);
}

Result<v1::GetStateResponse> Client::GetState(const v1::GetStateRequest& request,
                                              const Options& options) {
  return Call(stubs_->query, &v1::QueryService::Stub::GetState, request, options);
}

Result<v1::GetContactsResponse> Client::GetContacts(const v1::GetContactsRequest& request,
                                                    const Options& options) {
  return Call(stubs_->query, &v1::QueryService::Stub::GetContacts, request, options);
}

Result<v1::GetJointsResponse> Client::GetJoints(const v1::GetJointsRequest& request,
                                                const Options& options) {
  return Call(stubs_->query, &v1::QueryService::Stub::GetJoints, request, options);
}

Result<v1::GetEnergyResponse> Client::GetEnergy(const v1::GetEnergyRequest& request,
                                                const Options& options) {
  return Call(stubs_->query, &v1::QueryService::Stub::GetEnergy, request, options);
}

Result<v1::GetDiagnosticsResponse> Client::GetDiagnostics(const v1::GetDiagnosticsRequest& request,
                                                          const Options& options) {
  return Call(stubs_->query, &v1::QueryService::Stub::GetDiagnostics, request, options);
}

Result<v1::GetStepProblemResponse> Client::GetStepProblem(const v1::GetStepProblemRequest& request,
                                                          const Options& options) {
  return Call(stubs_->query, &v1::QueryService::Stub::GetStepProblem, request, options);
}

Result<v1::SolveContactProblemResponse> Client::SolveContactProblem(
    const v1::SolveContactProblemRequest& request, const Options& options) {
  return Call(stubs_->analysis, &v1::AnalysisService::Stub::SolveContactProblem, request, options);
}

Result<v1::MeshTroughSurfaceResponse> Client::MeshTroughSurface(
    const v1::MeshTroughSurfaceRequest& request, const Options& options) {
  return Call(stubs_->analysis, &v1::AnalysisService::Stub::MeshTroughSurface, request, options);
}

Result<v1::AnalyzeRollingTransitionResponse> Client::AnalyzeRollingTransition(
    const v1::AnalyzeRollingTransitionRequest& request, const Options& options) {
  return Call(stubs_->analysis, &v1::AnalysisService::Stub::AnalyzeRollingTransition, request,
              options);
}

Result<v1::CreateSnapshotResponse> Client::CreateSnapshot(const v1::CreateSnapshotRequest& request,
                                                          const Options& options) {
  return Call(stubs_->snapshot, &v1::SnapshotService::Stub::CreateSnapshot, request, options);
}

Result<v1::ListSnapshotsResponse> Client::ListSnapshots(const v1::ListSnapshotsRequest& request,
                                                        const Options& options) {
  return Call(stubs_->snapshot, &v1::SnapshotService::Stub::ListSnapshots, request, options);
}

Result<v1::DeleteSnapshotResponse> Client::DeleteSnapshot(const v1::DeleteSnapshotRequest& request,
                                                          const Options& options) {
  return Call(stubs_->snapshot, &v1::SnapshotService::Stub::DeleteSnapshot, request, options);
}

Result<v1::RestoreSnapshotResponse> Client::RestoreSnapshot(
    const v1::RestoreSnapshotRequest& request, const Options& options) {
  return Call(stubs_->snapshot, &v1::SnapshotService::Stub::RestoreSnapshot, request, options);
}

Result<v1::ForkSceneResponse> Client::ForkScene(const v1::ForkSceneRequest& request,
                                                const Options& options) {
  return Call(stubs_->snapshot, &v1::SnapshotService::Stub::ForkScene, request, options);
}

Result<v1::GetServerInfoResponse> Client::GetServerInfo(const v1::GetServerInfoRequest& request,
                                                        const Options& options) {
  return Call(stubs_->server, &v1::ServerService::Stub::GetServerInfo, request, options);
}

Stream<v1::WatchStateResponse> Client::WatchState(const v1::WatchStateRequest& request,
                                                  const Options& options) {
  return Stream<v1::WatchStateResponse>(std::make_unique<ReaderSource<v1::WatchStateResponse>>(
      options,
      [&](grpc::ClientContext* context) { return stubs_->stream.WatchState(context, request); }));
}

Result<Done> Client::WatchState(const v1::WatchStateRequest& request,
                                const std::function<bool(const v1::WatchStateResponse&)>& on_frame,
                                const Options& options) {
  Stream<v1::WatchStateResponse> stream = WatchState(request, options);
  while (const auto frame = stream.Read()) {
    if (!on_frame(*frame)) return Done{};
  }
  return stream.Finish();
}

Stream<v1::WatchEventsResponse> Client::WatchEvents(const v1::WatchEventsRequest& request,
                                                    const Options& options) {
  return Stream<v1::WatchEventsResponse>(std::make_unique<ReaderSource<v1::WatchEventsResponse>>(
      options,
      [&](grpc::ClientContext* context) { return stubs_->stream.WatchEvents(context, request); }));
}

Stream<v1::DownloadSnapshotResponse> Client::DownloadSnapshot(
    const v1::DownloadSnapshotRequest& request, const Options& options) {
  return Stream<v1::DownloadSnapshotResponse>(
      std::make_unique<ReaderSource<v1::DownloadSnapshotResponse>>(
          options, [&](grpc::ClientContext* context) {
            return stubs_->snapshot.DownloadSnapshot(context, request);
          }));
}

}  // namespace talus::client
