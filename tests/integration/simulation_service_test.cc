// SimulationService.Step: what it returns, when it refuses, and what is left after it was
// interrupted.
#include <future>

#include "server/wire/scene_codec.h"
#include "solver/world/world.h"
#include "tests/integration/server_fixture.h"

namespace talus::testing {
namespace {

// A Step on the gRPC threads of the client, so that a test can do something meanwhile.
class PendingStep {
 public:
  PendingStep(v1::SimulationService::Stub& stub, const std::string& id, int64_t count) {
    request_.set_scene("scenes/" + id);
    request_.set_step_count(count);
    stub.async()->Step(&context_, &request_, &response_,
                       [this](const grpc::Status& status) { finished_.set_value(status); });
  }
  void Cancel() { context_.TryCancel(); }
  Outcome Wait() { return FinishCall(finished_.get_future().get(), context_); }
  const v1::StepResponse& response() const { return response_; }

 private:
  grpc::ClientContext context_;
  v1::StepRequest request_;
  v1::StepResponse response_;
  std::promise<grpc::Status> finished_;
};

class SimulationTest : public ServerTest {
 protected:
  void SetUp() override {
    SceneHostOptions options = DefaultOptions();
    options.limits.mailbox_depth = 2;
    StartServer(options);
  }
  bool WaitUntilStepping(const std::string& id) {
    return WaitUntil([&] { return GetScene(id).step_index() > 0; });
  }
};

TEST_F(SimulationTest, StepReturnsTheStateAsSelected) {
  CreateScene("a", TenBalls());
  v1::StepRequest request;
  request.set_scene("scenes/a");
  request.set_step_count(100);
  request.set_residual_history(true);
  request.mutable_selection()->set_positions(true);
  request.mutable_selection()->set_contacts(true);
  request.mutable_selection()->set_report(true);
  const auto reply = Step(request);
  ASSERT_TRUE(reply.ok()) << reply.status.error_message();
  EXPECT_EQ(reply.response.steps_done(), 100);
  EXPECT_GT(reply.response.sweep_count(), 0);
  const v1::Frame& frame = reply.response.frame();
  EXPECT_EQ(frame.step_index(), 100);
  EXPECT_DOUBLE_EQ(frame.time_s(), 0.5);
  EXPECT_EQ(frame.bodies().positions_world_m_size(), 33);
  EXPECT_EQ(frame.bodies().orientations_wxyz_size(), 0);
  EXPECT_FALSE(frame.has_layout());
  EXPECT_GT(frame.contacts().gaps_m_size(), 0);
  EXPECT_EQ(frame.report().contact_count(), frame.contacts().gaps_m_size());
  EXPECT_EQ(frame.report().residual_history_size(), frame.report().sweep_count());
  EXPECT_EQ(frame.state_hash(), StateHash("a"));
}

TEST_F(SimulationTest, AStepCountOfZeroIsOneStepAndNothingSelectedIsNothingSent) {
  CreateScene("a", TenBalls());
  const auto reply = Step("a", 0);
  ASSERT_TRUE(reply.ok());
  EXPECT_EQ(reply.response.frame().step_index(), 1);
  EXPECT_FALSE(reply.response.frame().has_bodies());
  EXPECT_FALSE(reply.response.frame().has_report());
}

TEST_F(SimulationTest, TheHashThroughTheServerIsTheHashOfTheLibrary) {
  const SceneDef scene = TenBalls();
  CreateScene("a", scene);
  auto world = World::Create(scene);
  ASSERT_TRUE(world.ok()) << world.status();
  WorkerArena one(1);
  for (int i = 0; i < 20; ++i) {
    const auto reply = Step("a", 10);
    ASSERT_TRUE(reply.ok());
    for (int step = 0; step < 10; ++step) ASSERT_TRUE(world->Step(one).ok());
    ASSERT_EQ(reply.response.frame().state_hash(), world->state_hash()) << "after " << 10 * (i + 1);
  }
}

// Elastic surfaces, bristles and a pair of materials arrive as they were sent, and go on as in the
// library after a snapshot, too.
TEST_F(SimulationTest, ElasticSurfacesAreThoseOfTheLibrary) {
  SceneDef scene = TenBalls();
  const Elasticity soft{.normal_stiffness_n_per_m = 1e4,
                        .normal_damping_n_s_per_m = 5.0,
                        .sliding_stiffness_n_per_m = 5e3,
                        .rolling_stiffness_n_m_per_rad = 1.0,
                        .spinning_stiffness_n_m_per_rad = 2.0};
  scene.materials.push_back({"soft", {0.5, 1e-3, 1e-3, 0.0, soft}});
  scene.materials.push_back({"hard", {0.5, 1e-3, 1e-3, 0.4}});
  const Elasticity creeping{.sliding_viscosity_n_s_per_m = 300.0,
                            .rolling_viscosity_n_m_s_per_rad = 0.1,
                            .spinning_viscosity_n_m_s_per_rad = 0.2};
  scene.materials.push_back({"creeping", {0.5, 1e-3, 1e-3, 0.0, creeping}});
  scene.material_pairs = {{"soft", "hard", {0.3, 1e-3, 1e-3, 0.0, soft}}};
  const auto material_of = [](size_t body) {
    return body % 3 == 0 ? "soft" : body % 3 == 1 ? "hard" : "creeping";
  };
  for (size_t i = 0; i < scene.bodies.size(); ++i) {
    for (ShapeDef& shape : scene.bodies[i].shapes) shape.material = material_of(i);
  }
  CreateScene("a", scene);
  auto world = World::Create(scene);
  ASSERT_TRUE(world.ok()) << world.status();
  WorkerArena one(1);
  for (int i = 0; i < 20; ++i) {
    const auto reply = Step("a", 10);
    ASSERT_TRUE(reply.ok());
    for (int step = 0; step < 10; ++step) ASSERT_TRUE(world->Step(one).ok());
    ASSERT_EQ(reply.response.frame().state_hash(), world->state_hash()) << "after " << 10 * (i + 1);
    if (i == 10) world = World::Restore(world->SaveSnapshot());
  }
  scene.settings.solver.warm_start = false;
  const auto refused = CreateScene("b", scene);
  EXPECT_TRUE(
      FailedWith(refused, grpc::StatusCode::INVALID_ARGUMENT, v1::ERROR_REASON_INVALID_FIELD));
  EXPECT_EQ(refused.detail.field(), "spec.settings.solver.warm_start");
}

TEST_F(SimulationTest, ARepeatedStepGetsTheFirstAnswerAndStepsNoFurther) {
  CreateScene("a", TenBalls());
  v1::StepRequest request;
  request.set_scene("scenes/a");
  request.set_step_count(7);
  request.set_request_id("tick-1");
  request.mutable_selection()->set_positions(true);
  const auto first = Step(request);
  const auto again = Step(request);
  ASSERT_TRUE(first.ok() && again.ok());
  EXPECT_EQ(first.response.SerializeAsString(), again.response.SerializeAsString());
  EXPECT_EQ(GetScene("a").step_index(), 7);
  request.set_step_count(8);
  EXPECT_TRUE(FailedWith(Step(request), grpc::StatusCode::INVALID_ARGUMENT,
                         v1::ERROR_REASON_REQUEST_ID_REUSED));
  EXPECT_EQ(GetScene("a").step_index(), 7);
}

TEST_F(SimulationTest, AWrongStepIndexIsRefusedAndTheRightOneTold) {
  CreateScene("a", TenBalls());
  ASSERT_TRUE(Step("a", 3).ok());
  v1::StepRequest request;
  request.set_scene("scenes/a");
  request.set_expected_step_index(2);
  const auto reply = Step(request);
  EXPECT_TRUE(FailedWith(reply, grpc::StatusCode::FAILED_PRECONDITION,
                         v1::ERROR_REASON_STEP_INDEX_MISMATCH));
  EXPECT_EQ(reply.detail.step_index(), 3);
  EXPECT_EQ(GetScene("a").step_index(), 3);
  request.set_expected_step_index(3);
  EXPECT_TRUE(Step(request).ok());
}

TEST_F(SimulationTest, UnknownScenesAndBadCountsAreRefused) {
  EXPECT_TRUE(
      FailedWith(Step("nobody", 1), grpc::StatusCode::NOT_FOUND, v1::ERROR_REASON_NOT_FOUND));
  CreateScene("a", TenBalls());
  const auto negative = Step("a", -1);
  EXPECT_TRUE(
      FailedWith(negative, grpc::StatusCode::INVALID_ARGUMENT, v1::ERROR_REASON_INVALID_FIELD));
  EXPECT_EQ(negative.detail.field(), "step_count");
  const auto over = Step("a", host_->options().limits.steps_per_call + 1);
  EXPECT_TRUE(
      FailedWith(over, grpc::StatusCode::RESOURCE_EXHAUSTED, v1::ERROR_REASON_LIMIT_REACHED));
  EXPECT_EQ(over.detail.limit_name(), "steps_per_call");
  EXPECT_EQ(GetScene("a").step_index(), 0);
}

TEST_F(SimulationTest, AFullMailboxRefusesWithARetryHint) {
  CreateScene("a", SlowScene());
  PendingStep running(*simulation_, "a", 1'000'000);
  ASSERT_TRUE(WaitUntilStepping("a"));
  PendingStep second(*simulation_, "a", 1);
  PendingStep third(*simulation_, "a", 1);
  v1::GetDiagnosticsRequest look;
  look.set_scene("scenes/a");
  ASSERT_TRUE(WaitUntil([&] {
    return Call(*queries_, &v1::QueryService::Stub::GetDiagnostics, look)
               .response.mailbox_depth() >= 2;
  }));
  const auto refused = Step("a", 1);
  EXPECT_TRUE(
      FailedWith(refused, grpc::StatusCode::RESOURCE_EXHAUSTED, v1::ERROR_REASON_MAILBOX_FULL));
  EXPECT_GT(refused.detail.retry_after_ms(), 0);
  running.Cancel();
  running.Wait();
  EXPECT_TRUE(second.Wait().ok());
  EXPECT_TRUE(third.Wait().ok());
}

TEST_F(SimulationTest, ACancelledStepStopsBetweenStepsAndLeavesAValidScene) {
  CreateScene("a", SlowScene());
  PendingStep step(*simulation_, "a", 1'000'000);
  ASSERT_TRUE(WaitUntilStepping("a"));
  step.Cancel();
  EXPECT_EQ(step.Wait().status.error_code(), grpc::StatusCode::CANCELLED);
  // The scene answers again as soon as the step under way is done.
  const auto next = Step("a", 1);
  ASSERT_TRUE(next.ok()) << next.status.error_message();
  const int64_t index = next.response.frame().step_index();
  EXPECT_LT(index, 1'000'000);
  EXPECT_TRUE(GetScene("a").fault().empty());

  // It is where an undisturbed run is after as many steps.
  CreateScene("b", SlowScene());
  const auto undisturbed = Step("b", index);
  ASSERT_TRUE(undisturbed.ok());
  EXPECT_EQ(undisturbed.response.frame().state_hash(), next.response.frame().state_hash());
}

TEST_F(SimulationTest, AnExpiredDeadlineTellsTheStepsDone) {
  CreateScene("a", TenBalls());
  v1::StepRequest request;
  request.set_scene("scenes/a");
  request.set_step_count(1'000'000);
  int64_t from = Step("a", 1).response.frame().step_index();
  // The server answers a twentieth of a second early and steps are far shorter, also under a
  // sanitizer; but on a machine busy enough the client's own timer rings first, and the call is
  // made again.
  auto reply = Step(request, milliseconds(1000));
  for (int i = 0; i < 19 && reply.detail.reason() == v1::ERROR_REASON_UNSPECIFIED; ++i) {
    from = Step("a", 1).response.frame().step_index();
    reply = Step(request, milliseconds(1000));
  }
  EXPECT_TRUE(FailedWith(reply, grpc::StatusCode::DEADLINE_EXCEEDED, v1::ERROR_REASON_DEADLINE));
  const auto next = Step("a", 1);
  ASSERT_TRUE(next.ok());
  const int64_t index = next.response.frame().step_index() - 1;
  EXPECT_GT(reply.detail.steps_done(), 0);
  EXPECT_EQ(reply.detail.steps_done(), index - from);
  EXPECT_EQ(reply.detail.step_index(), index);
}

TEST_F(SimulationTest, DeletingASteppingSceneAbortsItsCalls) {
  CreateScene("a", SlowScene());
  PendingStep running(*simulation_, "a", 1'000'000);
  ASSERT_TRUE(WaitUntilStepping("a"));
  PendingStep waiting(*simulation_, "a", 1);
  v1::DeleteSceneRequest request;
  request.set_scene("scenes/a");
  EXPECT_TRUE(Call(*scenes_, &v1::SceneService::Stub::DeleteScene, request).ok());
  const Outcome aborted = running.Wait();
  EXPECT_TRUE(FailedWith(aborted, grpc::StatusCode::ABORTED, v1::ERROR_REASON_SCENE_DELETED));
  EXPECT_GT(aborted.detail.steps_done(), 0);
  const Outcome waited = waiting.Wait();
  // The second call may come before or after the deletion.
  EXPECT_TRUE(waited.status.error_code() == grpc::StatusCode::ABORTED ||
              waited.status.error_code() == grpc::StatusCode::NOT_FOUND)
      << waited.status.error_message();
  EXPECT_TRUE(FailedWith(Step("a", 1), grpc::StatusCode::NOT_FOUND, v1::ERROR_REASON_NOT_FOUND));
  EXPECT_TRUE(CreateScene("a", TenBalls()).ok());
}

TEST_F(SimulationTest, ASceneThatLeavesTheFiniteWorldIsFaultedAndKeepsItsLastGoodState) {
  // A ball that falls at 1e6 m/s^2 with steps of 1 s leaves every bound within some thousand steps.
  SceneDef scene;
  BodyDef ball;
  ball.shapes.push_back({Sphere{1.0}, Pose{}, ""});
  ball.mass_kg = 1.0;
  scene.bodies.push_back(ball);
  scene.settings.time_step_s = 1.0;
  scene.settings.gravity_world_m_s2 = Vec3(0, 0, -1e6);
  ASSERT_TRUE(CreateScene("a", scene).ok());
  const auto reply = Step("a", 10'000);
  EXPECT_TRUE(
      FailedWith(reply, grpc::StatusCode::FAILED_PRECONDITION, v1::ERROR_REASON_SCENE_FAULTED));
  const v1::SceneInfo info = GetScene("a");
  EXPECT_FALSE(info.fault().empty());
  EXPECT_EQ(reply.detail.steps_done(), info.step_index());
  EXPECT_TRUE(FailedWith(Step("a", 1), grpc::StatusCode::FAILED_PRECONDITION,
                         v1::ERROR_REASON_SCENE_FAULTED));
  EXPECT_EQ(GetScene("a").SerializeAsString(), info.SerializeAsString());
  v1::GetDiagnosticsRequest look;
  look.set_scene("scenes/a");
  EXPECT_EQ(Call(*queries_, &v1::QueryService::Stub::GetDiagnostics, look).response.fault(),
            info.fault());
}

TEST_F(SimulationTest, ADrainEndsStepsAtTheirNextBoundaryAndRefusesNewOnes) {
  CreateScene("a", SlowScene());
  PendingStep running(*simulation_, "a", 1'000'000);
  ASSERT_TRUE(WaitUntilStepping("a"));
  EXPECT_TRUE(host_->Drain(std::chrono::minutes(1)));
  const Outcome ended = running.Wait();
  EXPECT_TRUE(FailedWith(ended, grpc::StatusCode::UNAVAILABLE, v1::ERROR_REASON_DRAINING));
  EXPECT_GT(ended.detail.steps_done(), 0);
  EXPECT_TRUE(FailedWith(Step("a", 1), grpc::StatusCode::UNAVAILABLE, v1::ERROR_REASON_DRAINING));
  EXPECT_TRUE(FailedWith(CreateScene("b", TenBalls()), grpc::StatusCode::UNAVAILABLE,
                         v1::ERROR_REASON_DRAINING));
}

}  // namespace
}  // namespace talus::testing
