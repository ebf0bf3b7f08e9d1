// Snapshots and recordings; those that need a data directory are skipped on a server without one.
#include <algorithm>

#include "clients/cli/conformance/check.h"
#include "clients/cli/conformance/ground.h"

namespace talus::cli::conformance {
namespace {

constexpr char kNoStorage[] = "the server has no --data-dir";

// A server without a data directory has no snapshots to be listed.
bool Stores(Ground& ground) {
  return std::ranges::any_of(ground.features().features(), [](const v1::Feature& feature) {
    return feature.name() == "AVAILABLE_WORLDS" &&
           std::ranges::count(feature.rpcs(), "SnapshotService/ListSnapshots") > 0;
  });
}

client::Result<std::string> SaveSnapshot(Ground& ground, const std::string& scene) {
  v1::CreateSnapshotRequest request;
  request.set_scene(scene);
  request.set_snapshot_id(ground.NewId());
  auto saved = ground.client().CreateSnapshot(request, ground.call());
  if (!saved) return saved.error();
  ground.Own(saved->snapshot().snapshot());
  return saved->snapshot().snapshot();
}

client::Result<std::string> Record(Ground& ground, const std::string& scene) {
  v1::StartRecordingRequest request;
  request.set_scene(scene);
  request.set_recording_id(ground.NewId());
  auto started = ground.client().StartRecording(request, ground.call());
  if (!started) return started.error();
  ground.Own(started->recording().recording());
  return started->recording().recording();
}

client::Result<v1::StopRecordingResponse> Stop(Ground& ground, const std::string& recording) {
  v1::StopRecordingRequest request;
  request.set_recording(recording);
  return ground.client().StopRecording(request, ground.call());
}

Verdict ForksAreExact(Ground& ground) {
  auto scene = ground.MakeScene(BallAboveFloor());
  TALUS_DEMAND_OK(scene);
  TALUS_DEMAND_OK(ground.Step(*scene, 100));
  v1::ForkSceneRequest request;
  request.set_scene(*scene);
  request.add_scene_ids(ground.NewId());
  auto forks = ground.client().ForkScene(request, ground.call());
  TALUS_DEMAND_OK(forks);
  ground.Own(forks->scenes(0).scene());
  auto one = ground.Step(*scene, 50);
  TALUS_DEMAND_OK(one);
  auto other = ground.Step(forks->scenes(0).scene(), 50);
  TALUS_DEMAND_OK(other);
  TALUS_DEMAND(one->frame().state_hash() == other->frame().state_hash(),
               "a fork went another way than its scene");
  return Verdict::Pass();
}

Verdict BytesMakeTheScene(Ground& ground) {
  auto scene = ground.MakeScene(BallAboveFloor());
  TALUS_DEMAND_OK(scene);
  TALUS_DEMAND_OK(ground.Step(*scene, 95));
  v1::DownloadSnapshotRequest request;
  request.set_scene(*scene);
  auto bytes = client::DownloadSnapshotBytes(ground.client(), request, ground.call());
  TALUS_DEMAND_OK(bytes);
  v1::CreateSceneRequest create;
  create.set_scene_id(ground.NewId());
  create.set_snapshot_data(*bytes);
  auto made = ground.client().CreateScene(create, ground.call());
  TALUS_DEMAND_OK(made);
  ground.Own(made->scene().scene());
  auto one = ground.Step(*scene, 30);
  TALUS_DEMAND_OK(one);
  auto other = ground.Step(made->scene().scene(), 30);
  TALUS_DEMAND_OK(other);
  TALUS_DEMAND(one->frame().state_hash() == other->frame().state_hash(),
               "a scene made of a snapshot went another way");
  return Verdict::Pass();
}

Verdict SnapshotsComeBack(Ground& ground) {
  if (!Stores(ground)) return Verdict::Skip(kNoStorage);
  auto scene = ground.MakeScene(BallAboveFloor());
  TALUS_DEMAND_OK(scene);
  auto saved_at = ground.Step(*scene, 20);
  TALUS_DEMAND_OK(saved_at);
  auto snapshot = SaveSnapshot(ground, *scene);
  TALUS_DEMAND_OK(snapshot);
  TALUS_DEMAND_OK(ground.Step(*scene, 20));
  v1::RestoreSnapshotRequest restore;
  restore.set_scene(*scene);
  restore.set_snapshot(*snapshot);
  auto restored = ground.client().RestoreSnapshot(restore, ground.call());
  TALUS_DEMAND_OK(restored);
  TALUS_DEMAND(restored->scene().state_hash() == saved_at->frame().state_hash(),
               "the restored state has another hash");
  v1::CreateSceneRequest create;
  create.set_scene_id(ground.NewId());
  create.set_snapshot(*snapshot);
  auto made = ground.client().CreateScene(create, ground.call());
  TALUS_DEMAND_OK(made);
  ground.Own(made->scene().scene());
  TALUS_DEMAND(made->scene().state_hash() == saved_at->frame().state_hash(),
               "a scene made of the stored snapshot has another hash");
  return Verdict::Pass();
}

Verdict SnapshotsAreListed(Ground& ground) {
  if (!Stores(ground)) return Verdict::Skip(kNoStorage);
  auto scene = ground.MakeScene(FallingBall());
  TALUS_DEMAND_OK(scene);
  auto snapshot = SaveSnapshot(ground, *scene);
  TALUS_DEMAND_OK(snapshot);
  bool met = false;
  v1::ListSnapshotsRequest request;
  request.set_page_size(1000);
  do {
    auto page = ground.client().ListSnapshots(request, ground.call());
    TALUS_DEMAND_OK(page);
    met = met || std::ranges::any_of(page->snapshots(), [&](const v1::SnapshotInfo& info) {
            return info.snapshot() == *snapshot;
          });
    request.set_page_token(page->next_page_token());
  } while (!request.page_token().empty());
  TALUS_DEMAND(met, *snapshot + " is not listed");
  return Verdict::Pass();
}

Verdict RecordingsReplay(Ground& ground) {
  if (!Stores(ground)) return Verdict::Skip(kNoStorage);
  auto scene = ground.MakeScene(BallAboveFloor());
  TALUS_DEMAND_OK(scene);
  auto recording = Record(ground, *scene);
  TALUS_DEMAND_OK(recording);
  auto stepped = ground.Step(*scene, 120);
  TALUS_DEMAND_OK(stepped);
  v1::ReplayInputsRequest replay;
  replay.set_recording(*recording);
  TALUS_DEMAND_ERROR(ground.client().ReplayInputs(replay, ground.call()), kFailedPrecondition,
                     v1::ERROR_REASON_RECORDING_RUNNING);
  auto stopped = Stop(ground, *recording);
  TALUS_DEMAND_OK(stopped);
  TALUS_DEMAND(stopped->recording().state() == v1::RECORDING_STATE_COMPLETE,
               "a stopped recording is not complete");
  TALUS_DEMAND(stopped->recording().last_step_index() == 120,
               "the recording does not end with the last step");
  auto replayed = ground.client().ReplayInputs(replay, ground.call());
  TALUS_DEMAND_OK(replayed);
  if (!replayed->scene().scene().empty()) ground.Own(replayed->scene().scene());
  TALUS_DEMAND(!replayed->has_mismatch(), "the replay led elsewhere");
  return Verdict::Pass();
}

Verdict IdleTtlIsTold(Ground& ground) {
  v1::CreateSceneRequest create;
  create.set_scene_id(ground.NewId());
  *create.mutable_spec() = FallingBall();
  create.set_idle_ttl_s(0.5);
  TALUS_DEMAND_ERROR(ground.client().CreateScene(create, ground.call()), kInvalidArgument,
                     v1::ERROR_REASON_INVALID_FIELD);
  create.set_idle_ttl_s(3600);
  auto made = ground.client().CreateScene(create, ground.call());
  if (!Stores(ground)) {
    TALUS_DEMAND_ERROR(made, kFailedPrecondition, v1::ERROR_REASON_STORAGE);
    return Verdict::Pass();
  }
  TALUS_DEMAND_OK(made);
  ground.Own(made->scene().scene());
  TALUS_DEMAND(made->scene().idle_ttl_s() == 3600, "idle_ttl_s was not taken");
  auto scene = ground.Scene(made->scene().scene());
  TALUS_DEMAND_OK(scene);
  TALUS_DEMAND(scene->idle_ttl_s() == 3600, "GetScene tells another idle_ttl_s");
  return Verdict::Pass();
}

Verdict WithoutStorageItSaysSo(Ground& ground) {
  if (Stores(ground)) return Verdict::Skip("the server has a --data-dir");
  auto scene = ground.MakeScene(FallingBall());
  TALUS_DEMAND_OK(scene);
  TALUS_DEMAND_ERROR(SaveSnapshot(ground, *scene), kFailedPrecondition, v1::ERROR_REASON_STORAGE);
  TALUS_DEMAND_ERROR(Record(ground, *scene), kFailedPrecondition, v1::ERROR_REASON_STORAGE);
  return Verdict::Pass();
}

}  // namespace

std::vector<Check> ListStorageChecks() {
  return {{"storage", "forks_are_exact", ForksAreExact},
          {"storage", "bytes_make_the_scene", BytesMakeTheScene, {"WORLD_RESOURCE_STRING"}},
          {"storage", "snapshots_come_back", SnapshotsComeBack, {"WORLD_LOADING"}},
          {"storage", "snapshots_are_listed", SnapshotsAreListed, {"AVAILABLE_WORLDS"}},
          {"storage", "recordings_replay", RecordingsReplay},
          {"storage", "idle_ttl_is_told", IdleTtlIsTold},
          {"storage", "without_storage_it_says_so", WithoutStorageItSaysSo}};
}

}  // namespace talus::cli::conformance
