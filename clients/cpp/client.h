// A connection to one Talus server: every RPC of talus.v1 as a blocking call that returns a Result.
// Thread-safe; copies share the connection. Promises a deadline on every call that asks for one,
// and the server's ErrorDetail with every failure. It knows messages only; scene.h has what is
// convenient.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "clients/cpp/access.h"
#include "clients/cpp/call_options.h"
#include "clients/cpp/result.h"
#include "clients/cpp/stream.h"
#include "talus/v1/analysis_service.pb.h"
#include "talus/v1/query_service.pb.h"
#include "talus/v1/recording_service.pb.h"
#include "talus/v1/scene_service.pb.h"
#include "talus/v1/server_service.pb.h"
#include "talus/v1/simulation_service.pb.h"
#include "talus/v1/snapshot_service.pb.h"
#include "talus/v1/stream_service.pb.h"

namespace talus::client {

// The largest message that gRPC carries, and the largest --max-message-mib of a server.
inline constexpr int kMostMessageMib = 2047;

struct ClientOptions {
  // Largest message either way; the server has its own limit.
  int64_t message_mib = 64;
  // While a call waits, a server that was silent for so long is pinged; one that leaves a ping
  // without an answer ends its calls with UNAVAILABLE. The server takes a ping every 10 s.
  std::chrono::milliseconds ping_interval{15000};
  std::chrono::milliseconds ping_timeout{20000};
  // Certificates and token. Where FindMisuse finds fault with it, every call fails with
  // UNAVAILABLE.
  Access access = {};
};

class Client {
 public:
  // `host:port` or `unix:/absolute/path`. Connects with the first call.
  explicit Client(const std::string& address, const ClientOptions& options = {});

  // True once the connection stands; false when the timeout came first.
  bool WaitUntilConnected(std::chrono::milliseconds timeout) const;

  using Options = CallOptions;
  Result<v1::CreateSceneResponse> CreateScene(const v1::CreateSceneRequest&, const Options& = {});
  // The files in chunks of 512 KiB, one after the other; one of them is the URDF file.
  Result<v1::ImportModelResponse> ImportModel(const v1::ModelImport& model,
                                              const std::vector<v1::ModelFile>& files,
                                              const Options& = {});
  Result<v1::GetSceneResponse> GetScene(const v1::GetSceneRequest&, const Options& = {});
  Result<v1::ListScenesResponse> ListScenes(const v1::ListScenesRequest&, const Options& = {});
  Result<v1::ListNamedScenesResponse> ListNamedScenes(const v1::ListNamedScenesRequest&,
                                                      const Options& = {});
  Result<v1::DeleteSceneResponse> DeleteScene(const v1::DeleteSceneRequest&, const Options& = {});
  Result<v1::AddBodiesResponse> AddBodies(const v1::AddBodiesRequest&, const Options& = {});
  Result<v1::RemoveBodiesResponse> RemoveBodies(const v1::RemoveBodiesRequest&,
                                                const Options& = {});
  Result<v1::UpdateBodiesResponse> UpdateBodies(const v1::UpdateBodiesRequest&,
                                                const Options& = {});
  Result<v1::ListBodiesResponse> ListBodies(const v1::ListBodiesRequest&, const Options& = {});
  Result<v1::AddEmittersResponse> AddEmitters(const v1::AddEmittersRequest&, const Options& = {});
  Result<v1::RemoveEmittersResponse> RemoveEmitters(const v1::RemoveEmittersRequest&,
                                                    const Options& = {});
  Result<v1::AddJointsResponse> AddJoints(const v1::AddJointsRequest&, const Options& = {});
  Result<v1::RemoveJointsResponse> RemoveJoints(const v1::RemoveJointsRequest&,
                                                const Options& = {});
  Result<v1::ListJointsResponse> ListJoints(const v1::ListJointsRequest&, const Options& = {});

  // control.h has Control.
  Result<v1::StepResponse> Step(const v1::StepRequest&, const Options& = {});
  Result<v1::StepUntilResponse> StepUntil(const v1::StepUntilRequest&, const Options& = {});
  Result<v1::BatchStepResponse> BatchStep(const v1::BatchStepRequest&, const Options& = {});
  Result<v1::RunResponse> Run(const v1::RunRequest&, const Options& = {});
  Result<v1::PauseResponse> Pause(const v1::PauseRequest&, const Options& = {});
  Result<v1::ResetSceneResponse> ResetScene(const v1::ResetSceneRequest&, const Options& = {});

  Result<v1::GetLayoutResponse> GetLayout(const v1::GetLayoutRequest&, const Options& = {});
  Result<v1::GetStateResponse> GetState(const v1::GetStateRequest&, const Options& = {});
  Result<v1::GetContactsResponse> GetContacts(const v1::GetContactsRequest&, const Options& = {});
  Result<v1::GetJointsResponse> GetJoints(const v1::GetJointsRequest&, const Options& = {});
  Result<v1::GetEnergyResponse> GetEnergy(const v1::GetEnergyRequest&, const Options& = {});
  Result<v1::GetDiagnosticsResponse> GetDiagnostics(const v1::GetDiagnosticsRequest&,
                                                    const Options& = {});
  Result<v1::GetStepProblemResponse> GetStepProblem(const v1::GetStepProblemRequest&,
                                                    const Options& = {});
  Result<v1::CastRaysResponse> CastRays(const v1::CastRaysRequest&, const Options& = {});

  // Streams outlive the Client they came from. The timeout covers the whole stream.
  Stream<v1::WatchStateResponse> WatchState(const v1::WatchStateRequest&,
                                            const Options& = {std::chrono::milliseconds{0}, {}});
  // Calls back for each frame until the stream ends or the callback returns false, which is
  // success.
  Result<Done> WatchState(const v1::WatchStateRequest&,
                          const std::function<bool(const v1::WatchStateResponse&)>& on_frame,
                          const Options& = {std::chrono::milliseconds{0}, {}});

  Stream<v1::WatchEventsResponse> WatchEvents(const v1::WatchEventsRequest&,
                                              const Options& = {std::chrono::milliseconds{0}, {}});

  Result<v1::CreateSnapshotResponse> CreateSnapshot(const v1::CreateSnapshotRequest&,
                                                    const Options& = {});
  Result<v1::ListSnapshotsResponse> ListSnapshots(const v1::ListSnapshotsRequest&,
                                                  const Options& = {});
  Result<v1::DeleteSnapshotResponse> DeleteSnapshot(const v1::DeleteSnapshotRequest&,
                                                    const Options& = {});
  Result<v1::RestoreSnapshotResponse> RestoreSnapshot(const v1::RestoreSnapshotRequest&,
                                                      const Options& = {});
  Result<v1::GetSnapshotResponse> GetSnapshot(const v1::GetSnapshotRequest&, const Options& = {});
  // In chunks of 512 KiB; an empty id lets the server choose.
  Result<v1::UploadSnapshotResponse> UploadSnapshot(const std::string& snapshot_id,
                                                    const std::string& bytes, const Options& = {});
  Result<v1::ForkSceneResponse> ForkScene(const v1::ForkSceneRequest&, const Options& = {});
  Stream<v1::DownloadSnapshotResponse> DownloadSnapshot(const v1::DownloadSnapshotRequest&,
                                                        const Options& = {});

  Result<v1::StartRecordingResponse> StartRecording(const v1::StartRecordingRequest&,
                                                    const Options& = {});
  Result<v1::StopRecordingResponse> StopRecording(const v1::StopRecordingRequest&,
                                                  const Options& = {});
  Result<v1::GetRecordingResponse> GetRecording(const v1::GetRecordingRequest&,
                                                const Options& = {});
  Result<v1::ListRecordingsResponse> ListRecordings(const v1::ListRecordingsRequest&,
                                                    const Options& = {});
  Result<v1::DeleteRecordingResponse> DeleteRecording(const v1::DeleteRecordingRequest&,
                                                      const Options& = {});
  Stream<v1::DownloadRecordingResponse> DownloadRecording(const v1::DownloadRecordingRequest&,
                                                          const Options& = {});
  Result<v1::ReplayInputsResponse> ReplayInputs(const v1::ReplayInputsRequest&,
                                                const Options& = {});

  Result<v1::SolveContactProblemResponse> SolveContactProblem(const v1::SolveContactProblemRequest&,
                                                              const Options& = {});
  Result<v1::AnalyzeRollingTransitionResponse> AnalyzeRollingTransition(
      const v1::AnalyzeRollingTransitionRequest&, const Options& = {});
  Result<v1::MeshRollingLoadsResponse> MeshRollingLoads(const v1::MeshRollingLoadsRequest&,
                                                        const Options& = {});
  Result<v1::MeshTroughSurfaceResponse> MeshTroughSurface(const v1::MeshTroughSurfaceRequest&,
                                                          const Options& = {});

  Result<v1::GetServerInfoResponse> GetServerInfo(const v1::GetServerInfoRequest& = {},
                                                  const Options& = {});
  Result<v1::GetFeaturesResponse> GetFeatures(const v1::GetFeaturesRequest& = {},
                                              const Options& = {});

 private:
  friend class Control;
  struct Stubs;
  std::shared_ptr<Stubs> stubs_;
};

}  // namespace talus::client
