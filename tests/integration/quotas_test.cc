// What a server lets its callers have, through gRPC: how each limit is told that is not told beside
// the call it bounds.
#include <atomic>

#include "tests/integration/server_fixture.h"

namespace talus::testing {
namespace {

class QuotasTest : public ServerTest {
 protected:
  SceneHostOptions options_ = DefaultOptions();
};

TEST_F(QuotasTest, AStepOfMoreContactsThanTheLimitIsNotMade) {
  options_.limits.contacts_per_scene = 9;
  StartServer(options_);
  CreateScene("a", TenBalls());
  const auto refused = Step("a", 1000);
  EXPECT_TRUE(
      FailedWith(refused, grpc::StatusCode::RESOURCE_EXHAUSTED, v1::ERROR_REASON_LIMIT_REACHED));
  EXPECT_EQ(refused.detail.limit_name(), "contacts_per_scene");
  EXPECT_EQ(refused.detail.limit_value(), 9);
  const v1::SceneInfo info = GetScene("a");
  EXPECT_EQ(info.step_index(), refused.detail.steps_done());
  EXPECT_EQ(info.fault(), "");

  v1::StepUntilRequest until;
  until.set_scene("scenes/a");
  until.mutable_until()->set_time_s(1000.0);
  EXPECT_EQ(Call(*simulation_, &v1::SimulationService::Stub::StepUntil, until).detail.limit_name(),
            "contacts_per_scene");
  v1::BatchStepRequest batch;
  batch.add_steps()->set_scene("scenes/a");
  const auto stepped = Call(*simulation_, &v1::SimulationService::Stub::BatchStep, batch);
  ASSERT_TRUE(stepped.ok()) << stepped.status.error_message();
  EXPECT_EQ(stepped.response.results(0).error().detail().limit_name(), "contacts_per_scene");
  EXPECT_EQ(StateHash("a"), info.state_hash());
}

void ExpectStepsTooOften(const v1::ErrorDetail& detail) {
  EXPECT_EQ(detail.reason(), v1::ERROR_REASON_LIMIT_REACHED);
  EXPECT_EQ(detail.limit_name(), "steps_per_second");
  EXPECT_EQ(detail.limit_value(), 10);
  EXPECT_GT(detail.retry_after_ms(), 0);
  EXPECT_LE(detail.retry_after_ms(), 60'000);
}

TEST_F(QuotasTest, ASceneThatStepsTooOftenIsRefusedAndItsNeighboursAreNot) {
  options_.limits.steps_per_second = 10;
  StartServer(options_);
  CreateScene("a", TenBalls());
  CreateScene("b", TenBalls());
  ASSERT_TRUE(Step("a", 600).ok()) << "more than the limit at once, and owed for";
  const uint64_t hash = StateHash("a");
  const auto refused = Step("a", 1);
  EXPECT_TRUE(
      FailedWith(refused, grpc::StatusCode::RESOURCE_EXHAUSTED, v1::ERROR_REASON_LIMIT_REACHED));
  ExpectStepsTooOften(refused.detail);

  v1::BatchStepRequest batch;
  batch.add_steps()->set_scene("scenes/a");
  batch.add_steps()->set_scene("scenes/b");
  const auto stepped = Call(*simulation_, &v1::SimulationService::Stub::BatchStep, batch);
  ASSERT_TRUE(stepped.ok()) << stepped.status.error_message();
  ExpectStepsTooOften(stepped.response.results(0).error().detail());
  EXPECT_TRUE(stepped.response.results(1).has_step());

  grpc::ClientContext context;
  auto control = simulation_->Control(&context);
  v1::ControlRequest open;
  open.mutable_open()->set_scene("scenes/a");
  open.mutable_open()->set_holder("test");
  v1::ControlRequest step;
  step.mutable_step()->set_step_count(1);
  v1::ControlResponse response;
  ASSERT_TRUE(control->Write(open) && control->Read(&response));
  for (int i = 0; i < 2; ++i) {
    ASSERT_TRUE(control->Write(step) && control->Read(&response)) << "the stream goes on";
    ExpectStepsTooOften(response.error().detail());
  }
  control->WritesDone();
  EXPECT_FALSE(control->Read(&response));
  EXPECT_TRUE(control->Finish().ok());
  EXPECT_EQ(StateHash("a"), hash);
}

TEST_F(QuotasTest, NoLeaseIsKeptLongerThanTheServerAllows) {
  options_.limits.lease_seconds = 2;
  options_.limits.pipeline_depth = 3;
  StartServer(options_);
  CreateScene("a", TenBalls());
  v1::ControlRequest open;
  open.mutable_open()->set_scene("scenes/a");
  v1::ControlResponse response;
  {
    // The 60 s of who asks for nothing are more than this server gives.
    grpc::ClientContext context;
    auto control = simulation_->Control(&context);
    ASSERT_TRUE(control->Write(open) && control->Read(&response));
    EXPECT_EQ(response.opened().pipeline_depth(), 3);
    control->WritesDone();
    EXPECT_FALSE(control->Read(&response));
    EXPECT_TRUE(control->Finish().ok());
  }
  grpc::ClientContext context;
  open.mutable_open()->set_max_wait_s(2.5);
  auto control = simulation_->Control(&context);
  ASSERT_TRUE(control->Write(open));
  EXPECT_FALSE(control->Read(&response));
  const auto refused = FinishCall(control->Finish(), context);
  EXPECT_TRUE(
      FailedWith(refused, grpc::StatusCode::INVALID_ARGUMENT, v1::ERROR_REASON_INVALID_FIELD));
  EXPECT_EQ(refused.detail.field(), "max_wait_s");
  EXPECT_EQ(refused.detail.allowed(), "must be in [0.001, 2]");
}

TEST_F(QuotasTest, AServerThatHasTooMuchMemoryMakesNothingMoreAndStepsOn) {
  static constexpr int64_t kLimit = int64_t{1} << 30;
  std::atomic<int64_t> resident{0};
  options_.limits.memory_bytes = kLimit;
  options_.read_resident_bytes = [&] { return resident.load(); };
  options_.data_directory = MakeDataDirectory();
  StartServer(options_);
  CreateScene("a", TenBalls());
  resident = kLimit + 7;
  EXPECT_TRUE(WaitUntil([&] { return !host_->AdmitMemory().ok(); }));
  const auto expect_refused = [](const Outcome& refused) {
    EXPECT_TRUE(
        FailedWith(refused, grpc::StatusCode::RESOURCE_EXHAUSTED, v1::ERROR_REASON_LIMIT_REACHED));
    EXPECT_EQ(refused.detail.limit_name(), "memory_bytes");
    EXPECT_EQ(refused.detail.limit_value(), kLimit);
    EXPECT_EQ(refused.detail.value(), std::to_string(kLimit + 7));
  };
  expect_refused(CreateScene("b", TenBalls()));
  v1::ForkSceneRequest fork;
  fork.set_scene("scenes/a");
  fork.add_scene_ids("b");
  expect_refused(Call(*snapshots_, &v1::SnapshotService::Stub::ForkScene, fork));
  v1::AddBodiesRequest add;
  add.set_scene("scenes/a");
  expect_refused(Call(*scenes_, &v1::SceneService::Stub::AddBodies, add));
  grpc::ClientContext context;
  v1::UploadSnapshotResponse uploaded;
  auto upload = snapshots_->UploadSnapshot(&context, &uploaded);
  v1::UploadSnapshotRequest chunk;
  chunk.set_snapshot_id("s");
  upload->Write(chunk);
  upload->WritesDone();
  expect_refused(FinishCall(upload->Finish(), context));
  EXPECT_TRUE(Step("a", 5).ok());
  v1::CreateSnapshotRequest save;
  save.set_scene("scenes/a");
  save.set_snapshot_id("s");
  EXPECT_TRUE(Call(*snapshots_, &v1::SnapshotService::Stub::CreateSnapshot, save).ok());
  v1::RestoreSnapshotRequest restore;
  restore.set_scene("scenes/a");
  restore.set_snapshot("snapshots/s");
  expect_refused(Call(*snapshots_, &v1::SnapshotService::Stub::RestoreSnapshot, restore));

  resident = kLimit;
  EXPECT_TRUE(WaitUntil([&] { return host_->AdmitMemory().ok(); }));
  EXPECT_TRUE(CreateScene("b", TenBalls()).ok());
  StopServer();
}

}  // namespace
}  // namespace talus::testing
