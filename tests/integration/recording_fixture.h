// What the tests of RecordingService share: a server with a data directory and a scene, and the
// calls on its recordings.
#pragma once

#include <memory>
#include <string>

#include "talus/v1/recording_service.grpc.pb.h"
#include "tests/integration/server_fixture.h"

namespace talus::testing {

using RecordingStub = v1::RecordingService::Stub;
using SceneStub = v1::SceneService::Stub;
using SnapshotStub = v1::SnapshotService::Stub;

class RecordingTest : public ServerTest {
 protected:
  void SetUp() override {
    options_ = DefaultOptions();
    options_.data_directory = directory_ = MakeDataDirectory();
    options_.limits.recordings = 4;
    options_.limits.recordings_per_scene = 2;
    Restart();
    CreateScene("a", TenBalls());
  }
  void Restart() {
    StopServer();
    StartServer(options_);
    recordings_ = v1::RecordingService::NewStub(channel_);
  }
  Reply<v1::StartRecordingResponse> Start(const std::string& id, int64_t every = 1) {
    v1::StartRecordingRequest request;
    request.set_scene("scenes/a");
    request.set_recording_id(id);
    request.set_every_n_steps(every);
    v1::RecordingSelection& selection = *request.mutable_selection();
    selection.set_positions(true);
    selection.set_orientations(true);
    selection.set_velocities(true);
    selection.set_contacts(true);
    selection.set_diagnostics(true);
    return Call(*recordings_, &RecordingStub::StartRecording, request);
  }
  Reply<v1::StopRecordingResponse> Stop(const std::string& id) {
    v1::StopRecordingRequest request;
    request.set_recording("recordings/" + id);
    return Call(*recordings_, &RecordingStub::StopRecording, request);
  }
  Reply<v1::GetRecordingResponse> Get(const std::string& id) {
    v1::GetRecordingRequest request;
    request.set_recording("recordings/" + id);
    return Call(*recordings_, &RecordingStub::GetRecording, request);
  }
  Reply<v1::DeleteRecordingResponse> Delete(const std::string& id) {
    v1::DeleteRecordingRequest request;
    request.set_recording("recordings/" + id);
    return Call(*recordings_, &RecordingStub::DeleteRecording, request);
  }
  Reply<v1::ReplayInputsResponse> Replay(const std::string& id, const std::string& scene = "",
                                         milliseconds patience = milliseconds(60'000)) {
    v1::ReplayInputsRequest request;
    request.set_recording("recordings/" + id);
    request.set_scene_id(scene);
    return Call(*recordings_, &RecordingStub::ReplayInputs, request, patience);
  }
  std::string PathOf(const std::string& id) const {
    return directory_ + "/recordings/" + id + ".mcap";
  }
  // Everything that can change a scene, in a row.
  void LiveThroughAll() {
    ASSERT_TRUE(Step("a", 30).ok());
    v1::AddBodiesRequest add;
    add.set_scene("scenes/a");
    v1::BodySpec& ball = *add.add_bodies();
    ball.set_name("late");
    ball.set_mass_kg(2.0);
    ball.mutable_position_world_m()->set_z(5.0);
    ball.add_shapes()->mutable_sphere()->set_radius_m(0.2);
    ASSERT_TRUE(Call(*scenes_, &SceneStub::AddBodies, add).ok());
    ASSERT_TRUE(Step("a", 300).ok());  // more than one row of steps
    v1::UpdateBodiesRequest update;
    update.set_scene("scenes/a");
    v1::BodyUpdate& raised = *update.add_updates();
    raised.set_body_name("ball0");
    raised.mutable_values()->mutable_position_world_m()->set_z(6.0);
    raised.mutable_update_mask()->add_paths("position_world_m");
    v1::BodyUpdate& spun = *update.add_updates();
    spun.set_body_id(3);
    spun.mutable_values()->mutable_orientation_world()->set_x(0.6);
    spun.mutable_values()->mutable_orientation_world()->set_y(0.8);
    spun.mutable_values()->mutable_angular_velocity_world_rad_s()->set_z(5.0);
    spun.mutable_update_mask()->add_paths("orientation_world");
    spun.mutable_update_mask()->add_paths("angular_velocity_world_rad_s");
    ASSERT_TRUE(Call(*scenes_, &SceneStub::UpdateBodies, update).ok());
    v1::AddEmittersRequest emit;
    emit.set_scene("scenes/a");
    v1::EmitterSpec& emitter = *emit.add_emitters();
    emitter.set_name("spout");
    emitter.mutable_center_world_m()->set_z(8.0);
    emitter.set_nozzle_radius_m(0.5);
    emitter.set_nozzle_height_m(0.5);
    emitter.set_rate_per_s(100.0);
    emitter.set_particle_count(10);
    emitter.set_radius_min_m(0.05);
    emitter.set_radius_max_m(0.1);
    emitter.set_density_kg_m3(1000.0);
    emitter.set_seed(4);
    const auto emitted = Call(*scenes_, &SceneStub::AddEmitters, emit);
    ASSERT_TRUE(emitted.ok()) << emitted.status.error_message();
    v1::StepRequest with_history;
    with_history.set_scene("scenes/a");
    with_history.set_step_count(20);
    with_history.set_residual_history(true);
    ASSERT_TRUE(Step(with_history).ok());
    v1::CreateSnapshotRequest save;
    save.set_scene("scenes/a");
    save.set_snapshot_id("middle");
    ASSERT_TRUE(Call(*snapshots_, &SnapshotStub::CreateSnapshot, save).ok());
    ASSERT_TRUE(Step("a", 20).ok());
    v1::RemoveBodiesRequest remove;
    remove.set_scene("scenes/a");
    remove.add_body_names("late");
    ASSERT_TRUE(Call(*scenes_, &SceneStub::RemoveBodies, remove).ok());
    v1::RemoveEmittersRequest stop;
    stop.set_scene("scenes/a");
    stop.add_emitter_names("spout");
    ASSERT_TRUE(Call(*scenes_, &SceneStub::RemoveEmitters, stop).ok());
    v1::RestoreSnapshotRequest restore;
    restore.set_scene("scenes/a");
    restore.set_snapshot("snapshots/middle");
    ASSERT_TRUE(Call(*snapshots_, &SnapshotStub::RestoreSnapshot, restore).ok());
    ASSERT_TRUE(Step("a", 25).ok());
  }

  SceneHostOptions options_;
  std::string directory_;
  std::unique_ptr<v1::RecordingService::Stub> recordings_;
};

}  // namespace talus::testing
