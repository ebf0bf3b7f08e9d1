#include "clients/cpp/client.h"

#include <grpcpp/grpcpp.h>

#include <optional>
#include <utility>

#include "clients/cpp/channel.h"
#include "clients/cpp/sent_stream.h"
#include "clients/cpp/stub_call.h"
#include "clients/cpp/stubs.h"

namespace talus::client {
namespace {

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

Client::Client(const std::string& address, const ClientOptions& options)
    : stubs_(std::make_shared<Stubs>(OpenChannel(address, options))) {}

bool Client::WaitUntilConnected(std::chrono::milliseconds timeout) const {
  return stubs_->channel->WaitForConnected(std::chrono::system_clock::now() + timeout);
}

Result<v1::CreateSceneResponse> Client::CreateScene(const v1::CreateSceneRequest& request,
                                                    const Options& options) {
  return Call(stubs_->scene, &v1::SceneService::Stub::CreateScene, request, options);
}

Result<v1::ImportModelResponse> Client::ImportModel(const v1::ModelImport& model,
                                                    const std::vector<v1::ModelFile>& files,
                                                    const Options& options) {
  return SendStream(stubs_->scene, &v1::SceneService::Stub::ImportModel, options,
                    [&](const auto& write) {
                      v1::ImportModelRequest message;
                      *message.mutable_model() = model;
                      bool open = write(message);
                      message.clear_model();
                      for (size_t index = 0; open && index < files.size(); ++index) {
                        message.set_file_name(files[index].name());
                        open = WriteChunks(files[index].content(), message, [&] {
                          const bool goes_on = write(message);
                          message.clear_file_name();
                          return goes_on;
                        });
                      }
                    });
}

Result<v1::GetSceneResponse> Client::GetScene(const v1::GetSceneRequest& request,
                                              const Options& options) {
  return Call(stubs_->scene, &v1::SceneService::Stub::GetScene, request, options);
}

Result<v1::ListScenesResponse> Client::ListScenes(const v1::ListScenesRequest& request,
                                                  const Options& options) {
  return Call(stubs_->scene, &v1::SceneService::Stub::ListScenes, request, options);
}

Result<v1::ListNamedScenesResponse> Client::ListNamedScenes(
    const v1::ListNamedScenesRequest& request, const Options& options) {
  return Call(stubs_->scene, &v1::SceneService::Stub::ListNamedScenes, request, options);
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

Result<v1::UpdateBodiesResponse> Client::UpdateBodies(const v1::UpdateBodiesRequest& request,
                                                      const Options& options) {
  return Call(stubs_->scene, &v1::SceneService::Stub::UpdateBodies, request, options);
}

Result<v1::ListBodiesResponse> Client::ListBodies(const v1::ListBodiesRequest& request,
                                                  const Options& options) {
  return Call(stubs_->scene, &v1::SceneService::Stub::ListBodies, request, options);
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

Result<v1::ListJointsResponse> Client::ListJoints(const v1::ListJointsRequest& request,
                                                  const Options& options) {
  return Call(stubs_->scene, &v1::SceneService::Stub::ListJoints, request, options);
}

Result<v1::StepResponse> Client::Step(const v1::StepRequest& request, const Options& options) {
  return Call(stubs_->simulation, &v1::SimulationService::Stub::Step, request, options);
}

Result<v1::StepUntilResponse> Client::StepUntil(const v1::StepUntilRequest& request,
                                                const Options& options) {
  return Call(stubs_->simulation, &v1::SimulationService::Stub::StepUntil, request, options);
}

Result<v1::BatchStepResponse> Client::BatchStep(const v1::BatchStepRequest& request,
                                                const Options& options) {
  return Call(stubs_->simulation, &v1::SimulationService::Stub::BatchStep, request, options);
}

Result<v1::RunResponse> Client::Run(const v1::RunRequest& request, const Options& options) {
  return Call(stubs_->simulation, &v1::SimulationService::Stub::Run, request, options);
}

Result<v1::PauseResponse> Client::Pause(const v1::PauseRequest& request, const Options& options) {
  return Call(stubs_->simulation, &v1::SimulationService::Stub::Pause, request, options);
}

Result<v1::ResetSceneResponse> Client::ResetScene(const v1::ResetSceneRequest& request,
                                                  const Options& options) {
  return Call(stubs_->simulation, &v1::SimulationService::Stub::ResetScene, request, options);
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

Result<v1::CastRaysResponse> Client::CastRays(const v1::CastRaysRequest& request,
                                              const Options& options) {
  return Call(stubs_->query, &v1::QueryService::Stub::CastRays, request, options);
}

Result<v1::SolveContactProblemResponse> Client::SolveContactProblem(
    const v1::SolveContactProblemRequest& request, const Options& options) {
  return Call(stubs_->analysis, &v1::AnalysisService::Stub::SolveContactProblem, request, options);
}

Result<v1::MeshRollingLoadsResponse> Client::MeshRollingLoads(
    const v1::MeshRollingLoadsRequest& request, const Options& options) {
  return Call(stubs_->analysis, &v1::AnalysisService::Stub::MeshRollingLoads, request, options);
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

Result<v1::GetSnapshotResponse> Client::GetSnapshot(const v1::GetSnapshotRequest& request,
                                                    const Options& options) {
  return Call(stubs_->snapshot, &v1::SnapshotService::Stub::GetSnapshot, request, options);
}

Result<v1::UploadSnapshotResponse> Client::UploadSnapshot(const std::string& snapshot_id,
                                                          const std::string& bytes,
                                                          const Options& options) {
  return SendStream(stubs_->snapshot, &v1::SnapshotService::Stub::UploadSnapshot, options,
                    [&](const auto& write) {
                      v1::UploadSnapshotRequest message;
                      message.set_snapshot_id(snapshot_id);
                      WriteChunks(bytes, message, [&] {
                        const bool open = write(message);
                        message.clear_snapshot_id();
                        return open;
                      });
                    });
}

Result<v1::StartRecordingResponse> Client::StartRecording(const v1::StartRecordingRequest& request,
                                                          const Options& options) {
  return Call(stubs_->recording, &v1::RecordingService::Stub::StartRecording, request, options);
}

Result<v1::StopRecordingResponse> Client::StopRecording(const v1::StopRecordingRequest& request,
                                                        const Options& options) {
  return Call(stubs_->recording, &v1::RecordingService::Stub::StopRecording, request, options);
}

Result<v1::GetRecordingResponse> Client::GetRecording(const v1::GetRecordingRequest& request,
                                                      const Options& options) {
  return Call(stubs_->recording, &v1::RecordingService::Stub::GetRecording, request, options);
}

Result<v1::ListRecordingsResponse> Client::ListRecordings(const v1::ListRecordingsRequest& request,
                                                          const Options& options) {
  return Call(stubs_->recording, &v1::RecordingService::Stub::ListRecordings, request, options);
}

Result<v1::DeleteRecordingResponse> Client::DeleteRecording(
    const v1::DeleteRecordingRequest& request, const Options& options) {
  return Call(stubs_->recording, &v1::RecordingService::Stub::DeleteRecording, request, options);
}

Result<v1::ReplayInputsResponse> Client::ReplayInputs(const v1::ReplayInputsRequest& request,
                                                      const Options& options) {
  return Call(stubs_->recording, &v1::RecordingService::Stub::ReplayInputs, request, options);
}

Stream<v1::DownloadRecordingResponse> Client::DownloadRecording(
    const v1::DownloadRecordingRequest& request, const Options& options) {
  return Stream<v1::DownloadRecordingResponse>(
      std::make_unique<ReaderSource<v1::DownloadRecordingResponse>>(
          options, [&](grpc::ClientContext* context) {
            return stubs_->recording.DownloadRecording(context, request);
          }));
}

Result<v1::GetServerInfoResponse> Client::GetServerInfo(const v1::GetServerInfoRequest& request,
                                                        const Options& options) {
  return Call(stubs_->server, &v1::ServerService::Stub::GetServerInfo, request, options);
}

Result<v1::GetFeaturesResponse> Client::GetFeatures(const v1::GetFeaturesRequest& request,
                                                    const Options& options) {
  return Call(stubs_->server, &v1::ServerService::Stub::GetFeatures, request, options);
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
