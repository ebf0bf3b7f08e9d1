// StepUntil, BatchStep, Run and Pause over the wire.
#include <future>

#include "server/wire/scene_codec.h"
#include "tests/integration/server_fixture.h"
#include "tests/scenes/piles.h"

namespace talus::testing {
namespace {

class SteppingCallsTest : public ServerTest {
 protected:
  void SetUp() override {
    StartServer();
    CreateScene("a", TenBalls());
    CreateScene("b", TenBalls());
  }
  Reply<v1::StepUntilResponse> StepUntil(const v1::StepUntilRequest& request) {
    return Call(*simulation_, &v1::SimulationService::Stub::StepUntil, request);
  }
  Reply<v1::BatchStepResponse> BatchStep(const v1::BatchStepRequest& request) {
    return Call(*simulation_, &v1::SimulationService::Stub::BatchStep, request);
  }
};

TEST_F(SteppingCallsTest, StepUntilTellsWhatEndedIt) {
  v1::StepUntilRequest request;
  request.set_scene("scenes/a");
  request.mutable_until()->set_time_s(0.1);
  request.mutable_selection()->set_positions(true);
  auto reply = StepUntil(request);
  ASSERT_TRUE(reply.ok()) << reply.status.error_message();
  EXPECT_EQ(reply.response.stop_reason(), v1::STOP_REASON_TIME);
  EXPECT_EQ(reply.response.step().steps_done(), 20);
  EXPECT_EQ(reply.response.step().frame().bodies().positions_world_m_size(), 33);

  request.mutable_until()->Clear();
  request.mutable_until()->mutable_rest()->set_for_s(0.2);
  request.set_step_count(2);
  reply = StepUntil(request);
  ASSERT_TRUE(reply.ok());
  EXPECT_EQ(reply.response.stop_reason(), v1::STOP_REASON_STEP_COUNT);
  request.set_step_count(0);
  reply = StepUntil(request);
  ASSERT_TRUE(reply.ok());
  EXPECT_EQ(reply.response.stop_reason(), v1::STOP_REASON_REST);
}

TEST_F(SteppingCallsTest, StepUntilRefusesWhatNeverHolds) {
  v1::StepUntilRequest request;
  request.set_scene("scenes/a");
  auto reply = StepUntil(request);
  EXPECT_TRUE(
      FailedWith(reply, grpc::StatusCode::INVALID_ARGUMENT, v1::ERROR_REASON_INVALID_FIELD));
  EXPECT_EQ(reply.detail.field(), "until");
  request.mutable_until()->mutable_contact()->set_body_a("nobody");
  reply = StepUntil(request);
  EXPECT_TRUE(FailedWith(reply, grpc::StatusCode::NOT_FOUND, v1::ERROR_REASON_NOT_FOUND));
  EXPECT_EQ(reply.detail.field(), "until.contact.body_a");
  EXPECT_EQ(GetScene("a").step_index(), 0);
}

TEST_F(SteppingCallsTest, ABatchAnswersForEachSceneOfItsOwn) {
  v1::BatchStepRequest request;
  for (const char* scene : {"scenes/a", "scenes/b", "scenes/nowhere", "scenes/a"}) {
    v1::StepRequest& step = *request.add_steps();
    step.set_scene(scene);
    step.set_step_count(10);
    step.mutable_selection()->set_positions(true);
  }
  request.mutable_steps(1)->set_expected_step_index(7);
  const auto reply = BatchStep(request);
  ASSERT_TRUE(reply.ok()) << reply.status.error_message();
  ASSERT_EQ(reply.response.results_size(), 4);
  EXPECT_EQ(reply.response.results(0).step().frame().step_index(), 10);
  EXPECT_EQ(reply.response.results(1).error().detail().reason(),
            v1::ERROR_REASON_STEP_INDEX_MISMATCH);
  EXPECT_EQ(reply.response.results(2).error().code(), grpc::StatusCode::NOT_FOUND);
  EXPECT_EQ(reply.response.results(3).step().frame().step_index(), 20);
  ASSERT_TRUE(Step("b", 20).ok());
  EXPECT_EQ(StateHash("a"), StateHash("b"));
}

// Each scene has one core at most, so that two cores are lent at once only where both step.
TEST_F(SteppingCallsTest, TheScenesOfABatchStepAtTheSameTime) {
  StopServer();
  SceneHostOptions options = DefaultOptions();
  options.workers_per_scene = 1;
  StartServer(options);
  v1::BatchStepRequest request;
  for (const char* id : {"a", "b"}) {
    ASSERT_TRUE(CreateScene(id, SlowScene()).ok());
    v1::StepRequest& step = *request.add_steps();
    step.set_scene(std::string("scenes/") + id);
    step.set_step_count(1'000'000);
  }
  grpc::ClientContext context;
  v1::BatchStepResponse response;
  auto ended = std::async(std::launch::async, [&] {
    return simulation_->BatchStep(&context, request, &response).error_code();
  });
  EXPECT_TRUE(WaitUntil([&] { return host_->load().cores_lent == 2; }));
  for (const char* id : {"a", "b"}) {
    EXPECT_TRUE(WaitUntil([&] { return GetScene(id).step_index() > 0; })) << id;
  }
  context.TryCancel();
  EXPECT_EQ(ended.get(), grpc::StatusCode::CANCELLED);
}

TEST_F(SteppingCallsTest, ABatchAnswersWithWhatAMessageHolds) {
  StopServer();
  SceneHostOptions options = DefaultOptions();
  options.limits.message_bytes = int64_t{1} << 20;
  StartServer(options);
  v1::BatchStepRequest request;
  for (const char* id : {"a", "b", "c"}) {
    ASSERT_TRUE(CreateScene(id, scenes::PackedSpheres({.count = 6000})).ok());
    v1::StepRequest& step = *request.add_steps();
    step.set_scene(std::string("scenes/") + id);
    step.set_step_count(2);
    // One of 13 numbers a body fits, and beside it one of three.
    step.mutable_selection()->set_positions(true);
    step.mutable_selection()->set_orientations(std::string(id) != "b");
    step.mutable_selection()->set_velocities(std::string(id) != "b");
  }
  request.add_steps()->set_scene("scenes/a");  // small answers always fit
  const auto reply = BatchStep(request);
  ASSERT_TRUE(reply.ok()) << reply.status.error_message();
  ASSERT_EQ(reply.response.results_size(), 4);
  EXPECT_LE(reply.response.ByteSizeLong(), size_t{1} << 20);
  int told = 0;
  for (int index = 0; index < 3; ++index) {
    const v1::BatchStepResult& result = reply.response.results(index);
    if (result.has_step()) {
      ++told;
      EXPECT_EQ(result.step().steps_done(), 2);
      continue;
    }
    EXPECT_EQ(result.error().code(), grpc::StatusCode::RESOURCE_EXHAUSTED);
    EXPECT_EQ(result.error().detail().reason(), v1::ERROR_REASON_LIMIT_REACHED);
    EXPECT_EQ(result.error().detail().limit_name(), "message_bytes");
    EXPECT_EQ(result.error().detail().limit_value(), int64_t{1} << 20);
    EXPECT_EQ(result.error().detail().steps_done(), 2);
    EXPECT_EQ(result.error().detail().step_index(), 2);
  }
  EXPECT_EQ(told, 2);
  EXPECT_TRUE(reply.response.results(1).has_step());
  EXPECT_EQ(reply.response.results(3).step().frame().step_index(), 3);
  EXPECT_EQ(GetScene("b").step_index(), 2);
  EXPECT_EQ(GetScene("c").step_index(), 2);
}

TEST_F(SteppingCallsTest, ABatchIsNeitherEmptyNorEndless) {
  v1::BatchStepRequest request;
  auto reply = BatchStep(request);
  EXPECT_TRUE(
      FailedWith(reply, grpc::StatusCode::INVALID_ARGUMENT, v1::ERROR_REASON_INVALID_FIELD));
  EXPECT_EQ(reply.detail.field(), "size(steps)");
  for (int index = 0; index <= 1024; ++index) request.add_steps()->set_scene("scenes/a");
  reply = BatchStep(request);
  EXPECT_TRUE(
      FailedWith(reply, grpc::StatusCode::INVALID_ARGUMENT, v1::ERROR_REASON_INVALID_FIELD));
  EXPECT_EQ(GetScene("a").step_index(), 0);
}

TEST_F(SteppingCallsTest, RunsUntilItIsPaused) {
  v1::RunRequest run;
  run.set_scene("scenes/a");
  run.set_real_time_factor(1.0);
  const auto started = Call(*simulation_, &v1::SimulationService::Stub::Run, run);
  ASSERT_TRUE(started.ok()) << started.status.error_message();
  EXPECT_TRUE(started.response.scene().run().running());
  EXPECT_TRUE(FailedWith(Step("a", 1), grpc::StatusCode::FAILED_PRECONDITION,
                         v1::ERROR_REASON_SCENE_RUNNING));
  EXPECT_TRUE(WaitUntil([&] { return GetScene("a").step_index() >= 3; }));
  v1::PauseRequest pause;
  pause.set_scene("scenes/a");
  const auto paused = Call(*simulation_, &v1::SimulationService::Stub::Pause, pause);
  ASSERT_TRUE(paused.ok());
  const v1::SceneInfo& info = paused.response.scene();
  EXPECT_FALSE(info.run().running());
  EXPECT_EQ(info.run().steps_done(), info.step_index());
  EXPECT_EQ(info.run().real_time_factor(), 1.0);
  EXPECT_TRUE(Step("a", 1).ok());
}

TEST_F(SteppingCallsTest, RunRefusesFactorsOutOfRange) {
  v1::RunRequest run;
  run.set_scene("scenes/a");
  run.set_real_time_factor(-1.0);
  const auto reply = Call(*simulation_, &v1::SimulationService::Stub::Run, run);
  EXPECT_TRUE(
      FailedWith(reply, grpc::StatusCode::INVALID_ARGUMENT, v1::ERROR_REASON_INVALID_FIELD));
  EXPECT_EQ(reply.detail.field(), "real_time_factor");
}

TEST_F(SteppingCallsTest, AnyWayOfSteppingKeepsItsProblem) {
  const auto kept_at = [&] {
    v1::GetStepProblemRequest ask;
    ask.set_scene("scenes/a");
    const auto kept = Call(*queries_, &v1::QueryService::Stub::GetStepProblem, ask);
    EXPECT_TRUE(kept.ok()) << kept.status.error_message();
    return kept.response.step_index();
  };
  v1::StepUntilRequest until;
  until.set_scene("scenes/a");
  until.mutable_until()->set_time_s(0.5);
  until.set_problem_capture(v1::PROBLEM_CAPTURE_ALWAYS);
  ASSERT_TRUE(StepUntil(until).ok());
  EXPECT_EQ(kept_at(), 100);
  v1::RunRequest run;
  run.set_scene("scenes/a");
  run.set_step_limit(5);
  ASSERT_TRUE(Call(*simulation_, &v1::SimulationService::Stub::Run, run).ok());
  ASSERT_TRUE(WaitUntil([&] { return !GetScene("a").run().running(); }));
  EXPECT_EQ(kept_at(), 100);
  run.set_problem_capture(v1::PROBLEM_CAPTURE_ALWAYS);
  ASSERT_TRUE(Call(*simulation_, &v1::SimulationService::Stub::Run, run).ok());
  ASSERT_TRUE(WaitUntil([&] { return !GetScene("a").run().running(); }));
  EXPECT_EQ(kept_at(), 110);
  ASSERT_TRUE(Step("b", 110).ok());
  EXPECT_EQ(StateHash("a"), StateHash("b"));
}

TEST_F(SteppingCallsTest, NoWayOfSteppingTakesAnUnknownCapture) {
  const auto unknown = static_cast<v1::ProblemCapture>(9);
  v1::StepUntilRequest until;
  until.set_scene("scenes/a");
  until.mutable_until()->set_time_s(0.1);
  until.set_problem_capture(unknown);
  const auto stepped = StepUntil(until);
  EXPECT_TRUE(
      FailedWith(stepped, grpc::StatusCode::INVALID_ARGUMENT, v1::ERROR_REASON_INVALID_FIELD));
  EXPECT_EQ(stepped.detail.field(), "problem_capture");
  v1::RunRequest run;
  run.set_scene("scenes/a");
  run.set_problem_capture(unknown);
  const auto started = Call(*simulation_, &v1::SimulationService::Stub::Run, run);
  EXPECT_TRUE(
      FailedWith(started, grpc::StatusCode::INVALID_ARGUMENT, v1::ERROR_REASON_INVALID_FIELD));
  EXPECT_EQ(started.detail.field(), "problem_capture");
  EXPECT_EQ(GetScene("a").step_index(), 0);
}

TEST_F(SteppingCallsTest, AResetBringsTheSameBitsBack) {
  const uint64_t origin = StateHash("a");
  ASSERT_TRUE(Step("a", 20).ok());
  const uint64_t stepped = StateHash("a");
  v1::ResetSceneRequest request;
  request.set_scene("scenes/a");
  auto reply = Call(*simulation_, &v1::SimulationService::Stub::ResetScene, request);
  ASSERT_TRUE(reply.ok()) << reply.status.error_message();
  EXPECT_EQ(reply.response.scene().state_hash(), origin);
  ASSERT_TRUE(Step("a", 20).ok());
  EXPECT_EQ(StateHash("a"), stepped);

  request.add_scopes(v1::RESET_SCOPE_TIME);
  reply = Call(*simulation_, &v1::SimulationService::Stub::ResetScene, request);
  ASSERT_TRUE(reply.ok());
  EXPECT_EQ(reply.response.scene().step_index(), 0);
  EXPECT_NE(reply.response.scene().state_hash(), origin);
  request.add_scopes(static_cast<v1::ResetScope>(9));
  reply = Call(*simulation_, &v1::SimulationService::Stub::ResetScene, request);
  EXPECT_TRUE(
      FailedWith(reply, grpc::StatusCode::INVALID_ARGUMENT, v1::ERROR_REASON_INVALID_FIELD));
  EXPECT_EQ(reply.detail.field(), "scopes[1]");
}

}  // namespace
}  // namespace talus::testing
