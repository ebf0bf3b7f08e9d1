// RecordingService.ReplayInputs: made again, what was recorded leads to the same hashes.
#include <gmock/gmock.h>
#include <sys/stat.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <future>
#include <map>
#include <memory>
#include <thread>
#include <vector>

#include "server/session/input_replay.h"
#include "server/storage/mcap_reader.h"
#include "server/wire/recording_codec.h"
#include "talus/v1/frame.pb.h"
#include "talus/v1/recording.pb.h"
#include "tests/integration/recording_fixture.h"
#include "tests/support/ring.h"

namespace talus::testing {
namespace {

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

TEST_F(RecordingTest, AReplayWaitsWhereASceneMayNotStepSoOften) {
  ASSERT_TRUE(Start("r").ok());
  ASSERT_TRUE(Step("a", 45).ok());
  const uint64_t last = StateHash("a");
  ASSERT_TRUE(Stop("r").ok());
  options_.limits.steps_per_second = 20;
  Restart();
  const auto replayed = Replay("r", "again");
  ASSERT_TRUE(replayed.ok()) << replayed.status.error_message();
  EXPECT_FALSE(replayed.response.has_mismatch()) << replayed.response.DebugString();
  EXPECT_EQ(replayed.response.steps_replayed(), 45);
  EXPECT_EQ(StateHash("again"), last);
}

// The thread that reads recordings writes others meanwhile, to a disk that may be slow.
TEST_F(RecordingTest, AReplayDoesNotWaitForTheDiskAtEveryInput) {
  ASSERT_TRUE(Start("r").ok());
  LiveThroughAll();
  const int64_t inputs = Stop("r").response.recording().input_count();
  ASSERT_GT(inputs, 8);
  Executor disk(1);
  std::promise<void> go_on;
  Answer<ReplayAnswer> answer;
  disk.Post([&] {
    InputReplay::Begin({.recording_id = "r", .scene_id = "again"}, PathOf("r"),
                       std::make_shared<wire::ProtobufRecordingCodec>(), host_->registry(), disk,
                       host_->clock(), options_.limits, nullptr, answer.Done());
  });
  disk.Post([&] { go_on.get_future().wait(); });
  const absl::StatusOr<ReplayAnswer> replayed = answer.Get();
  go_on.set_value();
  ASSERT_TRUE(replayed.ok()) << replayed.status();
  EXPECT_EQ(replayed->inputs_replayed, inputs);
  EXPECT_FALSE(replayed->mismatch.has_value()) << replayed->mismatch->error;
  EXPECT_EQ(StateHash("again"), StateHash("a"));
}

TEST_F(RecordingTest, ManyInputsAreReplayed) {
  ASSERT_TRUE(Start("r", 50).ok());
  v1::UpdateBodiesRequest push;
  push.set_scene("scenes/a");
  v1::BodyUpdate& pushed = *push.add_updates();
  pushed.set_body_name("ball0");
  pushed.mutable_update_mask()->add_paths("linear_velocity_world_m_s");
  for (int tick = 0; tick < 150; ++tick) {
    pushed.mutable_values()->mutable_linear_velocity_world_m_s()->set_x(0.01 * tick);
    ASSERT_TRUE(Call(*scenes_, &SceneStub::UpdateBodies, push).ok());
    ASSERT_TRUE(Step("a", 1).ok());
  }
  ASSERT_TRUE(Stop("r").ok());
  const auto replayed = Replay("r", "again");
  ASSERT_TRUE(replayed.ok()) << replayed.status.error_message();
  EXPECT_FALSE(replayed.response.has_mismatch()) << replayed.response.DebugString();
  EXPECT_EQ(replayed.response.inputs_replayed(), 300);
  EXPECT_EQ(StateHash("again"), StateHash("a"));
}

// A server that is killed meanwhile does not bring half of it back.
TEST_F(RecordingTest, AReplayIsNotStoredBeforeItIsWhole) {
  ASSERT_TRUE(Start("r").ok());
  ASSERT_TRUE(Step("a", 45).ok());
  ASSERT_TRUE(Stop("r").ok());
  ASSERT_TRUE(Replay("r", "whole").ok());
  EXPECT_FALSE(host_->registry().Find("whole").value()->scratch());
  options_.limits.steps_per_second = 1;
  Restart();
  Reply<v1::ReplayInputsResponse> replayed;
  std::thread replay([&] { replayed = Replay("r", "again"); });
  EXPECT_TRUE(WaitUntil([&] { return host_->registry().Find("again").ok(); }));
  const auto again = host_->registry().Find("again");
  EXPECT_TRUE(again.ok() && (*again)->scratch());
  v1::DeleteSceneRequest remove;
  remove.set_scene("scenes/again");
  EXPECT_TRUE(Call(*scenes_, &SceneStub::DeleteScene, remove).ok());
  replay.join();
  EXPECT_EQ(replayed.status.error_code(), grpc::ABORTED);
}

TEST_F(RecordingTest, WhatIsNoFileOfItsOwnIsNotReplayed) {
  ASSERT_TRUE(Start("r").ok());
  ASSERT_TRUE(Stop("r").ok());
  StopServer();
  std::filesystem::create_symlink(PathOf("r"), PathOf("link"));
  ASSERT_EQ(::mkfifo(PathOf("pipe").c_str(), 0600), 0);
  Restart();
  for (const char* id : {"link", "pipe"}) {
    EXPECT_EQ(Get(id).response.recording().state(), v1::RECORDING_STATE_INCOMPLETE) << id;
    EXPECT_TRUE(FailedWith(Replay(id), grpc::UNAVAILABLE, v1::ERROR_REASON_STORAGE)) << id;
  }
}

TEST_F(RecordingTest, AReplayHeedsItsDeadline) {
  ASSERT_TRUE(Start("r", 1'000'000).ok());
  ASSERT_TRUE(Step("a", 5000).ok());
  ASSERT_TRUE(Stop("r").ok());
  const auto late = Replay("r", "", milliseconds(5));
  EXPECT_EQ(late.status.error_code(), grpc::DEADLINE_EXCEEDED);
  EXPECT_TRUE(WaitUntil([&] { return host_->registry().scene_count() == 1; }));
}

// Driven, run on its own, put back: what the RPCs of time do is among the inputs.
TEST_F(RecordingTest, WhatDroveTheSceneIsMadeAgain) {
  ASSERT_TRUE(Start("r").ok());
  v1::StepRequest push;
  push.set_scene("scenes/a");
  push.set_step_count(10);
  v1::Actuator& wrench = *push.add_actuators();
  wrench.set_kind(v1::ACTUATOR_KIND_BODY_WRENCH);
  wrench.set_id(2);
  for (const double value : {50.0, 0.0, 20.0, 0.0, 1.0, 0.0}) push.add_values(value);
  ASSERT_TRUE(Step(push).ok());
  // Reached already: it is driven and makes no step.
  v1::StepUntilRequest until;
  until.set_scene("scenes/a");
  until.mutable_until()->set_time_s(0.0);
  *until.mutable_actuators() = push.actuators();
  for (int value = 0; value < 6; ++value) until.add_values(0.0);
  const auto driven = Call(*simulation_, &v1::SimulationService::Stub::StepUntil, until);
  ASSERT_TRUE(driven.ok()) << driven.status.error_message();
  EXPECT_EQ(driven.response.step().steps_done(), 0);
  EXPECT_EQ(driven.response.step().frame().state_hash(), StateHash("a"));
  v1::RunRequest run;
  run.set_scene("scenes/a");
  run.set_step_limit(20);
  ASSERT_TRUE(Call(*simulation_, &v1::SimulationService::Stub::Run, run).ok());
  ASSERT_TRUE(WaitUntil([&] { return !GetScene("a").run().running(); }));
  v1::ResetSceneRequest reset;
  reset.set_scene("scenes/a");
  reset.add_scopes(v1::RESET_SCOPE_STATE);
  ASSERT_TRUE(Call(*simulation_, &v1::SimulationService::Stub::ResetScene, reset).ok());
  ASSERT_TRUE(Step("a", 5).ok());
  ASSERT_TRUE(Stop("r").ok());
  const auto replayed = Replay("r", "again");
  ASSERT_TRUE(replayed.ok()) << replayed.status.error_message();
  EXPECT_FALSE(replayed.response.has_mismatch()) << replayed.response.mismatch().ShortDebugString();
  EXPECT_EQ(replayed.response.steps_replayed(), 35);
  EXPECT_EQ(StateHash("again"), StateHash("a"));
}

}  // namespace
}  // namespace talus::testing
