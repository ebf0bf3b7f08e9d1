// What a disturber does with any scene: nothing of it changes the scene.
#include <numbers>
#include <thread>

#include "tests/system/chaos/disturber.h"
#include "tests/system/chaos/scene_recipe.h"

namespace talus::chaos {

using std::chrono::milliseconds;

void Disturber::Query(Dice& dice) {
  const std::string scene = SceneName(DrawAny(dice));
#define TALUS_CHAOS_QUERY(Rpc)                                                   \
  {                                                                              \
    v1::Rpc##Request request;                                                    \
    request.set_scene(scene);                                                    \
    v1::Rpc##Response response;                                                  \
    caller_.Call(TALUS_CHAOS_CALL(query, QueryService, Rpc), request, &response, \
                 DrawManner(dice));                                              \
  }
  TALUS_CHAOS_QUERY(GetState)
  TALUS_CHAOS_QUERY(GetLayout)
  TALUS_CHAOS_QUERY(GetContacts)
  TALUS_CHAOS_QUERY(GetJoints)
  TALUS_CHAOS_QUERY(GetEnergy)
  TALUS_CHAOS_QUERY(GetDiagnostics)
#undef TALUS_CHAOS_QUERY
  v1::ListBodiesRequest bodies;
  bodies.set_scene(scene);
  bodies.set_page_size(static_cast<int32_t>(dice.Draw(1, 1000)));
  v1::ListBodiesResponse body_page;
  caller_.Call(TALUS_CHAOS_CALL(scene, SceneService, ListBodies), bodies, &body_page,
               DrawManner(dice));
  v1::ListJointsRequest joints;
  joints.set_scene(scene);
  joints.set_page_size(static_cast<int32_t>(dice.Draw(1, 1000)));
  v1::ListJointsResponse joint_page;
  caller_.Call(TALUS_CHAOS_CALL(scene, SceneService, ListJoints), joints, &joint_page,
               DrawManner(dice));
  CastRays(scene, dice);
  v1::GetSceneRequest request;
  request.set_scene(scene);
  v1::GetSceneResponse response;
  caller_.Call(TALUS_CHAOS_CALL(scene, SceneService, GetScene), request, &response,
               DrawManner(dice));
}

// From anywhere to anywhere; now and then one that has no direction.
void Disturber::CastRays(const std::string& scene, Dice& dice) {
  v1::CastRaysRequest request;
  request.set_scene(scene);
  const int64_t count = dice.Draw(1, 200);
  for (int64_t k = 0; k < count; ++k) {
    v1::Ray& ray = *request.add_rays();
    ray.mutable_origin_world_m()->set_z(static_cast<double>(dice.Draw(-2, 5)));
    ray.mutable_direction_world()->set_x(static_cast<double>(dice.Draw(-3, 3)));
    ray.mutable_direction_world()->set_z(static_cast<double>(dice.Draw(-3, -1)));
  }
  const bool bad = dice.Once(10);
  if (bad) request.mutable_rays(0)->clear_direction_world();
  v1::CastRaysResponse response;
  const grpc::Status status = caller_.Call(TALUS_CHAOS_CALL(query, QueryService, CastRays), request,
                                           &response, DrawManner(dice));
  if (bad) MustFail("CastRays", status);
  if (status.ok() && response.hits().distances_m_size() != count) {
    caller_.tally().Blame("CastRays: " + std::to_string(response.hits().distances_m_size()) +
                          " hits of " + std::to_string(count) + " rays");
  }
}

void Disturber::ListAll(Dice& dice) {
  v1::ListScenesRequest scenes;
  scenes.set_page_size(static_cast<int32_t>(dice.Draw(1, 1000)));
  v1::ListScenesResponse scene_page;
  caller_.Call(TALUS_CHAOS_CALL(scene, SceneService, ListScenes), scenes, &scene_page);
  v1::ListNamedScenesRequest named;
  named.set_page_size(static_cast<int32_t>(dice.Draw(1, 1000)));
  v1::ListNamedScenesResponse named_page;
  caller_.Call(TALUS_CHAOS_CALL(scene, SceneService, ListNamedScenes), named, &named_page,
               DrawManner(dice));
  v1::ListSnapshotsRequest snapshots;
  v1::ListSnapshotsResponse snapshot_page;
  caller_.Call(TALUS_CHAOS_CALL(snapshot, SnapshotService, ListSnapshots), snapshots,
               &snapshot_page, DrawManner(dice));
  v1::ListRecordingsRequest recordings;
  v1::ListRecordingsResponse recording_page;
  caller_.Call(TALUS_CHAOS_CALL(recording, RecordingService, ListRecordings), recordings,
               &recording_page, DrawManner(dice));
  v1::GetServerInfoRequest info;
  v1::GetServerInfoResponse about;
  caller_.Call(TALUS_CHAOS_CALL(server, ServerService, GetServerInfo), info, &about);
  v1::GetFeaturesRequest features;
  v1::GetFeaturesResponse offered;
  caller_.Call(TALUS_CHAOS_CALL(server, ServerService, GetFeatures), features, &offered,
               DrawManner(dice));
}

void Disturber::WatchState(Dice& dice) {
  v1::WatchStateRequest request;
  request.set_scene(SceneName(DrawAny(dice)));
  request.set_policy(static_cast<v1::SlowWatcherPolicy>(dice.Draw(0, 4)));
  request.set_profile(static_cast<v1::EncodingProfile>(dice.Draw(0, 3)));
  if (request.policy() == v1::SLOW_WATCHER_POLICY_BLOCK) request.set_max_wait_s(0.05);
  if (dice.Once(2)) request.set_rate_hz(static_cast<double>(dice.Draw(1, 200)));
  if (dice.Once(3)) request.mutable_selection()->set_contacts(true);
  Manner manner = DrawManner(dice);
  // Nobody promises an end of a stream: after a while this client has seen enough.
  if (manner.patient()) manner.cancel_after_ms = dice.Draw(50, 3000);
  const int64_t frames = dice.Draw(0, 50);
  const int64_t stalled_ms = dice.Once(3) ? dice.Draw(0, 1500) : 0;
  const auto make = [&](grpc::ClientContext& context, ServiceStubs& stubs) {
    const auto stream = stubs.stream.WatchState(&context, request);
    v1::WatchStateResponse response;
    bool open = true;
    for (int64_t k = 0; k < frames && open; ++k) {
      open = stream->Read(&response);
      if (k == 0) std::this_thread::sleep_for(milliseconds(stalled_ms));
    }
    if (open) context.TryCancel();
    while (stream->Read(&response)) {
    }
    return stream->Finish();
  };
  caller_.Make("WatchState", manner, make);
}

void Disturber::WatchEvents(Dice& dice) {
  v1::WatchEventsRequest request;
  request.set_scene(SceneName(DrawAny(dice)));
  request.set_queue_events(dice.Draw(1, 64));
  Manner manner = DrawManner(dice);
  if (manner.patient()) manner.cancel_after_ms = dice.Draw(50, 3000);
  caller_.Make("WatchEvents", manner, [&](grpc::ClientContext& context, ServiceStubs& stubs) {
    const auto stream = stubs.stream.WatchEvents(&context, request);
    v1::WatchEventsResponse response;
    while (stream->Read(&response)) {
    }
    return stream->Finish();
  });
}

void Disturber::DownloadSnapshot(Dice& dice) {
  v1::DownloadSnapshotRequest request;
  request.set_scene(SceneName(DrawAny(dice)));
  std::string data;
  const grpc::Status status = caller_.Make(
      "DownloadSnapshot", DrawManner(dice), [&](grpc::ClientContext& context, ServiceStubs& stubs) {
        const auto stream = stubs.snapshot.DownloadSnapshot(&context, request);
        v1::DownloadSnapshotResponse response;
        while (stream->Read(&response)) data += response.chunk();
        return stream->Finish();
      });
  if (status.ok()) kept_data_ = data;
}

void Disturber::UploadSnapshot(Dice& dice) {
  if (kept_data_.empty()) DownloadSnapshot(dice);
  std::string data = kept_data_;
  const bool damaged = !data.empty() && dice.Once(2);
  if (damaged) data[static_cast<size_t>(dice.Draw(0, static_cast<int64_t>(data.size()) - 1))] ^= 1;
  const std::string id = NameOwn("up", dice);
  const auto chunk = static_cast<size_t>(dice.Draw(1, 4000));
  const grpc::Status status = caller_.Make(
      "UploadSnapshot", DrawManner(dice), [&](grpc::ClientContext& context, ServiceStubs& stubs) {
        v1::UploadSnapshotResponse response;
        const auto stream = stubs.snapshot.UploadSnapshot(&context, &response);
        v1::UploadSnapshotRequest request;
        request.set_snapshot_id(id);
        for (size_t k = 0; k < data.size(); k += chunk) {
          request.set_chunk(data.substr(k, chunk));
          if (!stream->Write(request)) break;
          request.clear_snapshot_id();
        }
        stream->WritesDone();
        return stream->Finish();
      });
  if (damaged) MustFail("UploadSnapshot", status);
  DeleteSnapshot(id);
}

void Disturber::StoreAndForget(Dice& dice) {
  const std::string id = NameOwn("snap", dice);
  v1::CreateSnapshotRequest request;
  request.set_scene(SceneName(DrawAny(dice)));
  request.set_snapshot_id(id);
  v1::CreateSnapshotResponse response;
  caller_.Call(TALUS_CHAOS_CALL(snapshot, SnapshotService, CreateSnapshot), request, &response,
               DrawManner(dice));
  v1::GetSnapshotRequest get;
  get.set_snapshot("snapshots/" + id);
  v1::GetSnapshotResponse got;
  caller_.Call(TALUS_CHAOS_CALL(snapshot, SnapshotService, GetSnapshot), get, &got);
  DeleteSnapshot(id);
}

void Disturber::Fork(Dice& dice) {
  const std::string id = NameOwn("fork", dice);
  v1::ForkSceneRequest request;
  request.set_scene(SceneName(DrawAny(dice)));
  request.add_scene_ids(id);
  v1::ForkSceneResponse response;
  caller_.Call(TALUS_CHAOS_CALL(snapshot, SnapshotService, ForkScene), request, &response,
               DrawManner(dice));
  v1::StepRequest step;
  step.set_scene(SceneName(id));
  step.set_step_count(dice.Draw(1, 20));
  v1::StepResponse stepped;
  caller_.Call(TALUS_CHAOS_CALL(simulation, SimulationService, Step), step, &stepped,
               DrawManner(dice));
  DeleteScene(id);
}

void Disturber::Record(Dice& dice) {
  const std::string id = NameOwn("rec", dice);
  const std::string name = "recordings/" + id;
  v1::StartRecordingRequest start;
  start.set_scene(SceneName(DrawAny(dice)));
  start.set_recording_id(id);
  v1::StartRecordingResponse started;
  caller_.Call(TALUS_CHAOS_CALL(recording, RecordingService, StartRecording), start, &started,
               DrawManner(dice));
  std::this_thread::sleep_for(milliseconds(dice.Draw(0, 300)));
  v1::GetRecordingRequest get;
  get.set_recording(name);
  v1::GetRecordingResponse got;
  caller_.Call(TALUS_CHAOS_CALL(recording, RecordingService, GetRecording), get, &got);
  v1::DownloadRecordingRequest download;
  download.set_recording(name);
  caller_.Make("DownloadRecording", DrawManner(dice),
               [&](grpc::ClientContext& context, ServiceStubs& stubs) {
                 const auto stream = stubs.recording.DownloadRecording(&context, download);
                 v1::DownloadRecordingResponse response;
                 while (stream->Read(&response)) {
                 }
                 return stream->Finish();
               });
  v1::StopRecordingRequest stop;
  stop.set_recording(name);
  v1::StopRecordingResponse stopped;
  caller_.Call(TALUS_CHAOS_CALL(recording, RecordingService, StopRecording), stop, &stopped);
  v1::ReplayInputsRequest replay;
  replay.set_recording(name);
  v1::ReplayInputsResponse replayed;
  const grpc::Status status =
      caller_.Call(TALUS_CHAOS_CALL(recording, RecordingService, ReplayInputs), replay, &replayed,
                   DrawManner(dice));
  if (status.ok() && replayed.has_mismatch()) {
    caller_.tally().Blame("ReplayInputs: " + replayed.ShortDebugString());
  }
  v1::DeleteRecordingRequest forget;
  forget.set_recording(name);
  v1::DeleteRecordingResponse gone;
  caller_.Call(TALUS_CHAOS_CALL(recording, RecordingService, DeleteRecording), forget, &gone);
}

void Disturber::Analyze(Dice& dice) {
  v1::MeshTroughSurfaceRequest mesh;
  mesh.set_cells(static_cast<int32_t>(dice.Draw(4, 12)));
  v1::MeshTroughSurfaceResponse surface;
  caller_.Call(TALUS_CHAOS_CALL(analysis, AnalysisService, MeshTroughSurface), mesh, &surface,
               DrawManner(dice));
  v1::AnalyzeRollingTransitionRequest request;
  request.set_mass_kg(1.0);
  for (const double entry : {0.4, 0.0, 0.0, 0.0, 0.4, 0.0, 0.0, 0.0, 0.4}) {
    request.add_inertia_world_kg_m2(entry);
  }
  request.mutable_force_world_n()->set_x(dice.Draw01());
  request.mutable_force_world_n()->set_z(-9.8);
  for (const double side : {-std::numbers::sqrt2 / 2.0, std::numbers::sqrt2 / 2.0}) {
    v1::RollingContact& contact = *request.add_contacts();
    contact.mutable_arm_world_m()->set_y(side);
    contact.mutable_arm_world_m()->set_z(-std::numbers::sqrt2 / 2.0);
    contact.mutable_normal_world()->set_y(-side);
    contact.mutable_normal_world()->set_z(std::numbers::sqrt2 / 2.0);
    contact.set_sliding_friction(dice.Draw01());
  }
  v1::AnalyzeRollingTransitionResponse response;
  caller_.Call(TALUS_CHAOS_CALL(analysis, AnalysisService, AnalyzeRollingTransition), request,
               &response, DrawManner(dice));
  v1::MeshRollingLoadsRequest loads;
  *loads.mutable_body() = request;
  loads.add_axes()->mutable_force_world_n()->set_x(1.0);
  loads.add_axes()->mutable_force_world_n()->set_y(1.0);
  loads.add_axes()->mutable_torque_world_n_m()->set_z(1.0);
  loads.set_cells(1);
  v1::MeshRollingLoadsResponse mesh_of_loads;
  caller_.Call(TALUS_CHAOS_CALL(analysis, AnalysisService, MeshRollingLoads), loads, &mesh_of_loads,
               DrawManner(dice));
}

}  // namespace talus::chaos
