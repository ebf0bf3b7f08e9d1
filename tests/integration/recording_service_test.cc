// RecordingService: what a scene did is in the file, whatever ends it.
#include <gmock/gmock.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <vector>

#include "server/storage/mcap_reader.h"
#include "talus/v1/frame.pb.h"
#include "talus/v1/recording.pb.h"
#include "tests/integration/recording_fixture.h"

namespace talus::testing {
namespace {

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

TEST_F(RecordingTest, WhatDrivesASceneAddsNoFrames) {
  ASSERT_TRUE(Start("driven", 4).ok());
  v1::StepRequest request;
  request.set_scene("scenes/a");
  v1::Actuator& push = *request.add_actuators();
  push.set_kind(v1::ACTUATOR_KIND_BODY_WRENCH);
  push.set_name("ball0");
  for (int step = 0; step < 8; ++step) {
    request.clear_values();
    for (int row = 0; row < 6; ++row) request.add_values(0.125 * step);
    ASSERT_TRUE(Step(request).ok());
  }
  const auto stopped = Stop("driven");
  ASSERT_TRUE(stopped.ok()) << stopped.status.error_message();
  EXPECT_EQ(stopped.response.recording().frame_count(), 3) << "of steps 0, 4 and 8";
  EXPECT_EQ(Replay("driven").response.steps_replayed(), 8);
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
  const RecordingLoad load = host_->recordings().load();
  EXPECT_EQ(load.under_way, 0);
  EXPECT_EQ(load.completed, 4) << "the one that could not begin is in no count";
  EXPECT_EQ(load.failed, 0);
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
  const RecordingLoad load = host_->recordings().load();
  EXPECT_EQ(load.failed, 1);
  EXPECT_EQ(load.completed, 0);
  EXPECT_EQ(load.bytes, stopped.response.recording().byte_size());
  const auto replayed = Replay("r");
  EXPECT_FALSE(replayed.response.has_mismatch());
  EXPECT_FALSE(replayed.response.truncated());  // it has an end
}

TEST_F(RecordingTest, AStateLargerThanARecordingIsRefused) {
  options_.limits.recording_bytes = 10'000;
  Restart();
  CreateScene("a", TenBalls());
  const auto refused = Start("r");
  EXPECT_TRUE(FailedWith(refused, grpc::RESOURCE_EXHAUSTED, v1::ERROR_REASON_LIMIT_REACHED));
  EXPECT_EQ(refused.detail.limit_name(), "recording_bytes");
  EXPECT_FALSE(std::filesystem::exists(PathOf("r")));
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
