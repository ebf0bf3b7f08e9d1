// RecordingService: what a scene did is in the file, and made again it leads to the same hashes.
#include <gmock/gmock.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <vector>

#include "server/storage/mcap_reader.h"
#include "talus/v1/frame.pb.h"
#include "talus/v1/recording.pb.h"
#include "talus/v1/recording_service.grpc.pb.h"
#include "tests/integration/server_fixture.h"

namespace talus::testing {
namespace {

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

TEST_F(RecordingTest, WhatWasRecordedIsMadeAgainWithEveryHash) {
  ASSERT_TRUE(Step("a", 7).ok());
  const auto started = Start("r", 10);
  ASSERT_TRUE(started.ok()) << started.status.error_message();
  EXPECT_EQ(started.response.recording().recording(), "recordings/r");
  EXPECT_EQ(started.response.recording().state(), v1::RECORDING_STATE_RECORDING);
  EXPECT_EQ(started.response.recording().first_step_index(), 7);
  LiveThroughAll();
  const uint64_t last = StateHash("a");
  const auto stopped = Stop("r");
  ASSERT_TRUE(stopped.ok()) << stopped.status.error_message();
  const v1::Recording& recording = stopped.response.recording();
  EXPECT_EQ(recording.state(), v1::RECORDING_STATE_COMPLETE);
  EXPECT_EQ(recording.ended_because(), "");
  EXPECT_EQ(recording.dropped_frame_count(), 0);
  EXPECT_EQ(recording.last_step_index(), 7 + 30 + 300 + 20 + 25);
  EXPECT_EQ(recording.byte_size(), static_cast<int64_t>(std::filesystem::file_size(PathOf("r"))));
  ASSERT_TRUE(Step("a", 5).ok());  // no longer recorded
  const auto replayed = Replay("r", "again");
  ASSERT_TRUE(replayed.ok()) << replayed.status.error_message();
  EXPECT_FALSE(replayed.response.has_mismatch()) << replayed.response.DebugString();
  EXPECT_FALSE(replayed.response.truncated());
  EXPECT_EQ(replayed.response.steps_replayed(), 30 + 300 + 20 + 20 + 25);
  EXPECT_EQ(replayed.response.inputs_replayed(), recording.input_count());
  EXPECT_EQ(replayed.response.scene().state_hash(), last);
  EXPECT_EQ(StateHash("again"), last);
  // Without a name the scene does not stay.
  const auto anonymous = Replay("r");
  ASSERT_TRUE(anonymous.ok());
  EXPECT_EQ(host_->registry().scene_count(), 2);
}

TEST_F(RecordingTest, TheFileHoldsTheFramesThatQueriesTold) {
  ASSERT_TRUE(Start("r", 5).ok());
  std::map<int64_t, v1::Frame> told;
  for (int step = 0; step < 80; ++step) {
    v1::StepRequest request;
    request.set_scene("scenes/a");
    v1::FrameSelection& selection = *request.mutable_selection();
    selection.set_positions(true);
    selection.set_orientations(true);
    selection.set_velocities(true);
    selection.set_contacts(true);
    selection.set_report(true);
    const auto reply = Step(request);
    ASSERT_TRUE(reply.ok());
    told[reply.response.frame().step_index()] = reply.response.frame();
  }
  const auto stopped = Stop("r");
  ASSERT_TRUE(stopped.ok());
  auto reader = McapReader::Open(PathOf("r"));
  ASSERT_TRUE(reader.ok());
  int frames = 0, contacts = 0, reports = 0, layouts = 0, touching = 0;
  while (true) {
    const auto item = reader->Next();
    ASSERT_TRUE(item.ok()) << item.status();
    if (item->kind == McapItem::Kind::kEnd) break;
    v1::Frame frame;
    if (item->name == "/layout") {
      v1::Layout layout;
      ASSERT_TRUE(layout.ParseFromArray(item->data.data(), static_cast<int>(item->data.size())));
      EXPECT_EQ(layout.body_ids_size(), 11);
      ++layouts;
    } else if (item->name == "/frames" || item->name == "/contacts") {
      ASSERT_TRUE(frame.ParseFromArray(item->data.data(), static_cast<int>(item->data.size())));
      EXPECT_EQ(frame.step_index() % 5, 0);
      if (frame.step_index() == 0) continue;  // the state it began from
      const v1::Frame& expected = told.at(frame.step_index());
      EXPECT_EQ(frame.state_hash(), expected.state_hash());
      const bool moving = item->name == "/frames";
      const auto& part =
          moving ? frame.bodies().SerializeAsString() : frame.contacts().SerializeAsString();
      EXPECT_EQ(part, moving ? expected.bodies().SerializeAsString()
                             : expected.contacts().SerializeAsString());
      touching += frame.contacts().body_a_rows_size();
      ++(moving ? frames : contacts);
    } else if (item->name == "/diagnostics") {
      v1::StepReport report;
      ASSERT_TRUE(report.ParseFromArray(item->data.data(), static_cast<int>(item->data.size())));
      if (report.step_index() > 0) {
        EXPECT_EQ(report.residual(), told.at(report.step_index()).report().residual());
        ++reports;
      }
    }
  }
  EXPECT_EQ(layouts, 1);
  EXPECT_EQ(frames, 16);
  EXPECT_EQ(contacts, 16);
  EXPECT_EQ(reports, 16);
  EXPECT_GT(touching, 0);
  EXPECT_EQ(stopped.response.recording().frame_count(), 17);
}

TEST_F(RecordingTest, AChangedInputIsTheFirstMismatch) {
  ASSERT_TRUE(Start("r").ok());
  ASSERT_TRUE(Step("a", 40).ok());
  ASSERT_TRUE(Stop("r").ok());
  // The same file with a different start: the attachment of a scene one step further.
  ASSERT_TRUE(Step("a", 1).ok());
  ASSERT_TRUE(Start("s").ok());
  ASSERT_TRUE(Stop("s").ok());
  std::ifstream from(PathOf("r"), std::ios::binary);
  const std::string recorded{std::istreambuf_iterator<char>(from), {}};
  std::ifstream other(PathOf("s"), std::ios::binary);
  const std::string started{std::istreambuf_iterator<char>(other), {}};
  // Both begin with header, metadata, schemas, channels and attachment; a chunk record follows.
  const auto first_chunk = [](const std::string& file) {
    size_t offset = 8;
    while (file[offset] != 0x06) {
      uint64_t length = 0;
      std::memcpy(&length, file.data() + offset + 1, 8);
      offset += 9 + length;
    }
    return offset;
  };
  std::ofstream(PathOf("r"), std::ios::binary)
      << started.substr(0, first_chunk(started)) + recorded.substr(first_chunk(recorded));
  const auto replayed = Replay("r");
  ASSERT_TRUE(replayed.ok()) << replayed.status.error_message();
  ASSERT_TRUE(replayed.response.has_mismatch());
  const v1::ReplayMismatch& mismatch = replayed.response.mismatch();
  EXPECT_EQ(mismatch.step_index(), 1);
  EXPECT_EQ(mismatch.input_index(), 0);
  EXPECT_NE(mismatch.recorded_hash(), mismatch.replayed_hash());
  EXPECT_EQ(host_->registry().scene_count(), 1);
}

TEST_F(RecordingTest, ARecordingEndsWithItsSceneOrServer) {
  ASSERT_TRUE(Start("with-scene").ok());
  ASSERT_TRUE(Step("a", 3).ok());
  v1::DeleteSceneRequest remove;
  remove.set_scene("scenes/a");
  ASSERT_TRUE(Call(*scenes_, &SceneStub::DeleteScene, remove).ok());
  ASSERT_TRUE(WaitUntil([&] {
    return Get("with-scene").response.recording().state() == v1::RECORDING_STATE_COMPLETE;
  }));
  EXPECT_EQ(Get("with-scene").response.recording().ended_because(), "the scene was deleted");
  CreateScene("a", TenBalls());
  ASSERT_TRUE(Start("with-server").ok());
  ASSERT_TRUE(Step("a", 4).ok());
  ASSERT_TRUE(host_->Drain(milliseconds(60'000)));
  Restart();
  const auto found = Get("with-server");
  ASSERT_TRUE(found.ok()) << found.status.error_message();
  EXPECT_EQ(found.response.recording().state(), v1::RECORDING_STATE_COMPLETE);
  EXPECT_EQ(found.response.recording().scene(), "scenes/a");
  EXPECT_EQ(found.response.recording().last_step_index(), 4);
  EXPECT_EQ(found.response.recording().every_n_steps(), 1);
  EXPECT_TRUE(found.response.recording().selection().contacts());
  EXPECT_EQ(Replay("with-server").response.steps_replayed(), 4);
}

TEST_F(RecordingTest, AFileWithoutAnEndIsReplayedAsFarAsItGoes) {
  ASSERT_TRUE(Start("r").ok());
  ASSERT_TRUE(Step("a", 600).ok());
  ASSERT_TRUE(Stop("r").ok());
  const auto size = std::filesystem::file_size(PathOf("r"));
  StopServer();
  std::filesystem::resize_file(PathOf("r"), size * 2 / 3);
  Restart();
  const auto found = Get("r");
  EXPECT_EQ(found.response.recording().state(), v1::RECORDING_STATE_INCOMPLETE);
  EXPECT_EQ(found.response.recording().frame_count(), -1);
  const auto replayed = Replay("r");
  ASSERT_TRUE(replayed.ok()) << replayed.status.error_message();
  EXPECT_TRUE(replayed.response.truncated());
  EXPECT_FALSE(replayed.response.has_mismatch());
  EXPECT_LT(replayed.response.steps_replayed(), 600);
}

TEST_F(RecordingTest, LimitsAreNamed) {
  ASSERT_TRUE(Start("one").ok());
  ASSERT_TRUE(Start("two").ok());
  const auto third = Start("three");
  EXPECT_TRUE(FailedWith(third, grpc::RESOURCE_EXHAUSTED, v1::ERROR_REASON_LIMIT_REACHED));
  EXPECT_EQ(third.detail.limit_name(), "recordings_per_scene");
  EXPECT_EQ(Get("three").status.error_code(), grpc::NOT_FOUND);
  EXPECT_FALSE(std::filesystem::exists(PathOf("three")));
  for (const char* id : {"one", "two"}) ASSERT_TRUE(Stop(id).ok());
  for (const char* id : {"three", "four"}) {
    ASSERT_TRUE(Start(id).ok());
    ASSERT_TRUE(Stop(id).ok());
  }
  const auto fifth = Start("five");
  EXPECT_EQ(fifth.detail.limit_name(), "recordings");
  ASSERT_TRUE(Delete("one").ok());
  EXPECT_TRUE(Start("five").ok());
}

TEST_F(RecordingTest, ARecordingThatIsFullEndsAndCanBeRead) {
  options_.limits.recording_bytes = 100'000;
  Restart();
  CreateScene("a", TenBalls());
  ASSERT_TRUE(Start("r").ok());
  const uint64_t hash = Step("a", 3000).response.frame().state_hash();
  EXPECT_NE(hash, 0u);  // the scene does not mind
  const auto stopped = Stop("r");
  ASSERT_TRUE(stopped.ok());
  EXPECT_EQ(stopped.response.recording().state(), v1::RECORDING_STATE_FAILED);
  EXPECT_THAT(stopped.response.recording().ended_because(),
              ::testing::HasSubstr("recording_bytes"));
  EXPECT_LE(stopped.response.recording().byte_size(), 100'000);
  const auto replayed = Replay("r");
  EXPECT_FALSE(replayed.response.has_mismatch());
  EXPECT_FALSE(replayed.response.truncated());  // it has an end
}

TEST_F(RecordingTest, AFullDirectoryEndsTheRecordingOnly) {
  options_.limits.storage_bytes = 200'000;
  Restart();
  CreateScene("a", TenBalls());
  ASSERT_TRUE(Start("r").ok());
  for (int call = 0; call < 40; ++call) ASSERT_TRUE(Step("a", 500).ok());
  const auto stopped = Stop("r");
  EXPECT_EQ(stopped.response.recording().state(), v1::RECORDING_STATE_FAILED);
  EXPECT_THAT(stopped.response.recording().ended_because(), ::testing::HasSubstr("storage_bytes"));
  const auto refused = Start("s");
  EXPECT_EQ(refused.status.error_code(), grpc::RESOURCE_EXHAUSTED);
  EXPECT_EQ(refused.detail.limit_name(), "storage_bytes");
  ASSERT_TRUE(Delete("r").ok());
  EXPECT_TRUE(Start("s").ok());
}

TEST_F(RecordingTest, BadRequestsNameTheField) {
  v1::StartRecordingRequest request;
  request.set_scene("scenes/none");
  EXPECT_TRUE(FailedWith(Call(*recordings_, &RecordingStub::StartRecording, request),
                         grpc::NOT_FOUND, v1::ERROR_REASON_NOT_FOUND));
  request.set_scene("a");
  EXPECT_EQ(Call(*recordings_, &RecordingStub::StartRecording, request).detail.field(), "scene");
  request.set_scene("scenes/a");
  request.set_every_n_steps(-1);
  EXPECT_EQ(Call(*recordings_, &RecordingStub::StartRecording, request).detail.field(),
            "every_n_steps");
  request.set_every_n_steps(0);
  request.set_recording_id("../x");
  EXPECT_EQ(Call(*recordings_, &RecordingStub::StartRecording, request).detail.field(),
            "recording_id");
  request.set_recording_id("r");
  request.set_when_behind(static_cast<v1::BehindPolicy>(9));
  EXPECT_EQ(Call(*recordings_, &RecordingStub::StartRecording, request).detail.field(),
            "when_behind");
  ASSERT_TRUE(Start("r").ok());
  EXPECT_TRUE(FailedWith(Start("r"), grpc::ALREADY_EXISTS, v1::ERROR_REASON_DUPLICATE_NAME));
  EXPECT_TRUE(
      FailedWith(Delete("r"), grpc::FAILED_PRECONDITION, v1::ERROR_REASON_RECORDING_RUNNING));
  EXPECT_TRUE(
      FailedWith(Replay("r"), grpc::FAILED_PRECONDITION, v1::ERROR_REASON_RECORDING_RUNNING));
  EXPECT_EQ(Stop("none").status.error_code(), grpc::NOT_FOUND);
  EXPECT_EQ(Delete("x y").detail.field(), "recording");
  ASSERT_TRUE(Stop("r").ok());
  ASSERT_TRUE(Stop("r").ok());  // a second time is no error
  EXPECT_TRUE(FailedWith(Replay("r", "a"), grpc::ALREADY_EXISTS, v1::ERROR_REASON_DUPLICATE_NAME));
  std::ofstream(PathOf("r"), std::ios::binary) << "no such file";
  EXPECT_TRUE(FailedWith(Replay("r"), grpc::DATA_LOSS, v1::ERROR_REASON_BAD_RECORDING));
}

TEST_F(RecordingTest, AReplayHeedsItsDeadline) {
  ASSERT_TRUE(Start("r", 1'000'000).ok());
  ASSERT_TRUE(Step("a", 5000).ok());
  ASSERT_TRUE(Stop("r").ok());
  const auto late = Replay("r", "", milliseconds(5));
  EXPECT_EQ(late.status.error_code(), grpc::DEADLINE_EXCEEDED);
  EXPECT_TRUE(WaitUntil([&] { return host_->registry().scene_count() == 1; }));
}

TEST_F(RecordingTest, WithoutADataDirectoryNothingIsRecorded) {
  options_.data_directory.clear();
  Restart();
  CreateScene("a", TenBalls());
  EXPECT_TRUE(FailedWith(Start("r"), grpc::FAILED_PRECONDITION, v1::ERROR_REASON_STORAGE));
}

TEST_F(RecordingTest, TheDownloadIsTheFile) {
  ASSERT_TRUE(Start("r").ok());
  ASSERT_TRUE(Step("a", 2000).ok());
  ASSERT_TRUE(Stop("r").ok());
  v1::DownloadRecordingRequest request;
  request.set_recording("recordings/r");
  grpc::ClientContext context;
  auto reader = recordings_->DownloadRecording(&context, request);
  v1::DownloadRecordingResponse chunk;
  std::string bytes;
  v1::Recording info;
  while (reader->Read(&chunk)) {
    EXPECT_LE(chunk.chunk().size(), size_t{1} << 20);
    if (bytes.empty()) info = chunk.recording();
    bytes += chunk.chunk();
  }
  ASSERT_TRUE(reader->Finish().ok());
  std::ifstream file(PathOf("r"), std::ios::binary);
  const std::string expected{std::istreambuf_iterator<char>(file), {}};
  EXPECT_EQ(bytes, expected);
  EXPECT_EQ(info.byte_size(), static_cast<int64_t>(expected.size()));
}

}  // namespace
}  // namespace talus::testing
