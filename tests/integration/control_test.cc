// SimulationService.Control over the wire: one answer a request, in order; who holds the scene, and
// how a stream ends.
#include <chrono>
#include <thread>
#include <vector>

#include "server/wire/scene_codec.h"
#include "tests/integration/server_fixture.h"

namespace talus::testing {
namespace {

// One stream and the context it needs; cancelled at the end.
class ControlStream {
 public:
  explicit ControlStream(v1::SimulationService::Stub& stub) : stream_(stub.Control(&context_)) {}
  ~ControlStream() {
    if (finished_) return;
    context_.TryCancel();
    Finish();
  }
  bool Write(const v1::ControlRequest& request) { return stream_->Write(request); }
  bool Read(v1::ControlResponse& response) { return stream_->Read(&response); }
  void CloseWrites() { stream_->WritesDone(); }
  void Cancel() { context_.TryCancel(); }

  // What the server answered to `open`; the lease is kept.
  v1::ControlOpened Open(const v1::ControlOpen& open) {
    v1::ControlRequest request;
    *request.mutable_open() = open;
    Write(request);
    v1::ControlResponse response;
    EXPECT_TRUE(Read(response)) << "refused";
    EXPECT_TRUE(response.has_opened());
    return response.opened();
  }
  v1::ControlResponse Step(const std::vector<double>& values = {}, int64_t count = 0) {
    v1::ControlRequest request;
    request.mutable_step()->mutable_values()->Add(values.begin(), values.end());
    request.mutable_step()->set_step_count(count);
    Write(request);
    v1::ControlResponse response;
    EXPECT_TRUE(Read(response));
    return response;
  }
  Outcome Finish() {
    v1::ControlResponse rest;
    while (stream_->Read(&rest)) {
    }
    finished_ = true;
    return FinishCall(stream_->Finish(), context_);
  }

 private:
  grpc::ClientContext context_;
  std::unique_ptr<grpc::ClientReaderWriter<v1::ControlRequest, v1::ControlResponse>> stream_;
  bool finished_ = false;
};

v1::ControlOpen For(const std::string& id) {
  v1::ControlOpen open;
  open.set_scene("scenes/" + id);
  open.set_holder("test");
  return open;
}

// A falling ball of 1 kg that can be pushed.
SceneDef OneBall() {
  SceneDef scene;
  scene.bodies.resize(1);
  scene.bodies[0].name = "ball";
  scene.bodies[0].mass_kg = 1.0;
  scene.bodies[0].shapes.resize(1);
  scene.bodies[0].shapes[0].geometry = Sphere{0.1};
  return scene;
}

v1::ControlOpen ForBall() {
  v1::ControlOpen open = For("ball");
  v1::Actuator& push = *open.add_actuators();
  push.set_kind(v1::ACTUATOR_KIND_BODY_WRENCH);
  push.set_name("ball");
  return open;
}

class ControlTest : public ServerTest {
 protected:
  void SetUp() override {
    StartServer();
    CreateScene("a", TenBalls());
    CreateScene("ball", OneBall());
  }
};

TEST_F(ControlTest, LockStepGivesTheBitsOfStep) {
  CreateScene("b", TenBalls());
  ControlStream control(*simulation_);
  const v1::ControlOpened opened = control.Open(For("a"));
  EXPECT_EQ(opened.step_index(), 0);
  EXPECT_EQ(opened.time_step_s(), 0.005);
  EXPECT_EQ(opened.layout().body_ids_size(), 11);
  for (int64_t step = 1; step <= 50; ++step) {
    const v1::ControlResponse response = control.Step();
    ASSERT_TRUE(response.has_stepped()) << response.error().message();
    EXPECT_EQ(response.stepped().frame().step_index(), step);
    EXPECT_EQ(response.stepped().steps_done(), 1);
    EXPECT_EQ(response.stepped().frame().bodies().positions_world_m_size(), 33);
    EXPECT_EQ(response.stepped().frame().bodies().linear_velocities_world_m_s_size(), 33);
    EXPECT_FALSE(response.stepped().frame().has_layout());
  }
  control.CloseWrites();
  EXPECT_TRUE(control.Finish().ok());
  ASSERT_TRUE(Step("b", 50).ok());
  EXPECT_EQ(StateHash("a"), StateHash("b"));
  EXPECT_EQ(GetScene("a").lease_holder(), "");
}

TEST_F(ControlTest, ItsStepsKeepTheirProblem) {
  v1::ControlOpen open = For("a");
  open.set_problem_capture(static_cast<v1::ProblemCapture>(9));
  {
    ControlStream refused(*simulation_);
    v1::ControlRequest request;
    *request.mutable_open() = open;
    refused.Write(request);
    const Outcome outcome = refused.Finish();
    EXPECT_TRUE(
        FailedWith(outcome, grpc::StatusCode::INVALID_ARGUMENT, v1::ERROR_REASON_INVALID_FIELD));
    EXPECT_EQ(outcome.detail.field(), "problem_capture");
  }
  open.set_problem_capture(v1::PROBLEM_CAPTURE_ALWAYS);
  ControlStream control(*simulation_);
  control.Open(open);
  ASSERT_TRUE(control.Step({}, 100).has_stepped());
  v1::GetStepProblemRequest ask;
  ask.set_scene("scenes/a");
  const auto kept = Call(*queries_, &v1::QueryService::Stub::GetStepProblem, ask);
  ASSERT_TRUE(kept.ok()) << kept.status.error_message();
  EXPECT_EQ(kept.response.step_index(), 100);
}

TEST_F(ControlTest, ItDrivesWhatItOpenedWith) {
  ControlStream control(*simulation_);
  EXPECT_EQ(control.Open(ForBall()).value_count(), 6);
  const v1::ControlResponse pushed = control.Step({2.0, 0.0, 0.0, 0.0, 0.0, 0.0}, 10);
  ASSERT_TRUE(pushed.has_stepped());
  const double step_s = GetScene("ball").settings().time_step_s();
  EXPECT_NEAR(pushed.stepped().frame().bodies().linear_velocities_world_m_s(0), 20.0 * step_s,
              1e-12);
  // The same through Step, under the same names.
  CreateScene("other", OneBall());
  v1::StepRequest request;
  request.set_scene("scenes/other");
  request.set_step_count(10);
  *request.add_actuators() = ForBall().actuators(0);
  for (const double value : {2.0, 0.0, 0.0, 0.0, 0.0, 0.0}) request.add_values(value);
  ASSERT_TRUE(Step(request).ok());
  EXPECT_EQ(StateHash("other"), StateHash("ball"));
}

// Every request says something else, after the server may have gone ahead with what it knew.
TEST_F(ControlTest, AMovingBodyGoesWhereTheLastRequestTellsIt) {
  SceneDef scene = OneBall();
  scene.bodies[0].kind = BodyKind::kKinematic;
  scene.bodies[0].mass_kg.reset();
  CreateScene("paddle", scene);
  v1::ControlOpen open = For("paddle");
  v1::Actuator& velocity = *open.add_actuators();
  velocity.set_kind(v1::ACTUATOR_KIND_BODY_VELOCITY);
  velocity.set_name("ball");
  ControlStream control(*simulation_);
  const double h = control.Open(open).time_step_s();
  double x = 0.0;
  for (int step = 0; step < 60; ++step) {
    const double v = step % 10 == 3 ? -1.0 : 0.1 * (step / 3);  // also the same three times
    x += h * v;
    const v1::ControlResponse response = control.Step({v, 0.0, 0.0, 0.0, 0.0, 0.0});
    ASSERT_TRUE(response.has_stepped()) << response.error().message();
    const v1::BodyColumns& bodies = response.stepped().frame().bodies();
    ASSERT_NEAR(bodies.positions_world_m(0), x, 1e-12) << "step " << step;
    ASSERT_EQ(bodies.linear_velocities_world_m_s(0), v) << "step " << step;
    // The server goes ahead when the answer is out.
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

TEST_F(ControlTest, APipelineIsAnsweredInOrderMistakesIncluded) {
  constexpr int kRequests = 200;
  ControlStream control(*simulation_);
  control.Open(ForBall());
  std::thread writer([&] {
    for (int index = 0; index < kRequests; ++index) {
      v1::ControlRequest request;
      request.mutable_step();
      // Every tenth has too few values, every tenth a count that is refused at once.
      if (index % 10 == 3) request.mutable_step()->add_values(1.0);
      if (index % 10 == 7) request.mutable_step()->set_step_count(-1);
      control.Write(request);
    }
    control.CloseWrites();
  });
  int64_t steps = 0;
  for (int index = 0; index < kRequests; ++index) {
    v1::ControlResponse response;
    ASSERT_TRUE(control.Read(response)) << index;
    if (index % 10 == 3 || index % 10 == 7) {
      EXPECT_EQ(response.error().code(), grpc::StatusCode::INVALID_ARGUMENT) << index;
      EXPECT_EQ(response.error().detail().field(), index % 10 == 3 ? "size(values)" : "step_count");
    } else {
      EXPECT_EQ(response.stepped().frame().step_index(), ++steps) << index;
    }
  }
  writer.join();
  EXPECT_TRUE(control.Finish().ok());
}

TEST_F(ControlTest, WhatCannotBeOpenedEndsTheStream) {
  const auto refuse = [&](const v1::ControlRequest& request, grpc::StatusCode code,
                          v1::ErrorReason reason) {
    ControlStream control(*simulation_);
    control.Write(request);
    EXPECT_TRUE(FailedWith(control.Finish(), code, reason));
  };
  v1::ControlRequest request;
  request.mutable_step();
  refuse(request, grpc::StatusCode::INVALID_ARGUMENT, v1::ERROR_REASON_INVALID_FIELD);
  *request.mutable_open() = For("nowhere");
  refuse(request, grpc::StatusCode::NOT_FOUND, v1::ERROR_REASON_NOT_FOUND);
  *request.mutable_open() = For("a");
  request.mutable_open()->set_pacing(static_cast<v1::ControlPacing>(7));
  refuse(request, grpc::StatusCode::INVALID_ARGUMENT, v1::ERROR_REASON_INVALID_FIELD);
  *request.mutable_open() = For("a");
  request.mutable_open()->set_miss_policy(static_cast<v1::MissPolicy>(7));
  refuse(request, grpc::StatusCode::INVALID_ARGUMENT, v1::ERROR_REASON_INVALID_FIELD);
  *request.mutable_open() = ForBall();
  request.mutable_open()->mutable_actuators(0)->set_name("nobody");
  refuse(request, grpc::StatusCode::NOT_FOUND, v1::ERROR_REASON_NOT_FOUND);
  EXPECT_EQ(GetScene("ball").lease_holder(), "");
  // A second open is a mistake of the caller, and no more than that.
  ControlStream control(*simulation_);
  control.Open(For("a"));
  *request.mutable_open() = For("a");
  control.Write(request);
  v1::ControlResponse response;
  ASSERT_TRUE(control.Read(response));
  EXPECT_EQ(response.error().detail().reason(), v1::ERROR_REASON_INVALID_FIELD);
  EXPECT_TRUE(control.Step().has_stepped());
}

TEST_F(ControlTest, OthersNeedTheLeaseOrTakeItOver) {
  ControlStream control(*simulation_);
  const std::string lease = control.Open(For("a")).lease();
  EXPECT_EQ(GetScene("a").lease_holder(), "test");
  EXPECT_TRUE(
      FailedWith(Step("a", 1), grpc::StatusCode::FAILED_PRECONDITION, v1::ERROR_REASON_LEASE_HELD));
  grpc::ClientContext context;
  context.AddMetadata("talus-lease", lease);
  v1::StepRequest request;
  request.set_scene("scenes/a");
  v1::StepResponse stepped;
  EXPECT_TRUE(simulation_->Step(&context, request, &stepped).ok());
  EXPECT_EQ(stepped.frame().step_index(), 1);

  ControlStream refused(*simulation_);
  v1::ControlRequest open;
  *open.mutable_open() = For("a");
  refused.Write(open);
  const Outcome held = refused.Finish();
  EXPECT_TRUE(FailedWith(held, grpc::StatusCode::FAILED_PRECONDITION, v1::ERROR_REASON_LEASE_HELD));
  EXPECT_EQ(held.detail.value(), "test");
  ControlStream taking(*simulation_);
  v1::ControlOpen take = For("a");
  take.set_take_over(true);
  taking.Open(take);
  EXPECT_TRUE(FailedWith(control.Finish(), grpc::StatusCode::ABORTED, v1::ERROR_REASON_LEASE_LOST));
  EXPECT_TRUE(taking.Step().has_stepped());
}

TEST_F(ControlTest, WhoGoesAwayGivesTheSceneBack) {
  {
    ControlStream control(*simulation_);
    control.Open(For("a"));
    control.Cancel();
    EXPECT_EQ(control.Finish().status.error_code(), grpc::StatusCode::CANCELLED);
  }
  EXPECT_TRUE(WaitUntil([&] { return GetScene("a").lease_holder().empty(); }));
  EXPECT_TRUE(Step("a", 1).ok());
}

TEST_F(ControlTest, WhoGoesAwayWhileItOpensLeavesNoLease) {
  for (int round = 0; round < 300; ++round) {
    ControlStream control(*simulation_);
    v1::ControlRequest open;
    *open.mutable_open() = For("a");
    control.Write(open);
    std::this_thread::sleep_for(std::chrono::microseconds(round % 30 * 10));
  }
  EXPECT_TRUE(WaitUntil([&] { return GetScene("a").lease_holder().empty(); }))
      << GetScene("a").lease_holder();
}

TEST_F(ControlTest, WhoIsSilentLosesTheLease) {
  ControlStream control(*simulation_);
  v1::ControlOpen open = For("a");
  open.set_max_wait_s(0.05);
  control.Open(open);
  EXPECT_TRUE(FailedWith(control.Finish(), grpc::StatusCode::ABORTED, v1::ERROR_REASON_LEASE_LOST));
}

TEST_F(ControlTest, ItEndsWithTheSceneAndWithTheServer) {
  ControlStream control(*simulation_), draining(*simulation_);
  control.Open(For("a"));
  draining.Open(For("ball"));
  v1::DeleteSceneRequest request;
  request.set_scene("scenes/a");
  ASSERT_TRUE(Call(*scenes_, &v1::SceneService::Stub::DeleteScene, request).ok());
  EXPECT_TRUE(
      FailedWith(control.Finish(), grpc::StatusCode::ABORTED, v1::ERROR_REASON_SCENE_DELETED));
  host_->Drain(milliseconds(10'000));
  EXPECT_TRUE(
      FailedWith(draining.Finish(), grpc::StatusCode::UNAVAILABLE, v1::ERROR_REASON_DRAINING));
}

TEST_F(ControlTest, TheLayoutComesAgainWhenItChanged) {
  ControlStream control(*simulation_);
  const std::string lease = control.Open(For("ball")).lease();
  EXPECT_FALSE(control.Step().stepped().frame().has_layout());
  grpc::ClientContext context;
  context.AddMetadata("talus-lease", lease);
  v1::AddBodiesRequest request;
  request.set_scene("scenes/ball");
  v1::BodySpec& body = *request.add_bodies();
  body.add_shapes()->mutable_sphere()->set_radius_m(0.1);
  body.mutable_position_world_m()->set_x(5.0);
  body.set_mass_kg(1.0);
  v1::AddBodiesResponse added;
  const grpc::Status status = scenes_->AddBodies(&context, request, &added);
  ASSERT_TRUE(status.ok()) << status.error_message();
  EXPECT_EQ(control.Step().stepped().frame().layout().body_ids_size(), 2);
  EXPECT_FALSE(control.Step().stepped().frame().has_layout());
}

TEST_F(ControlTest, RealTimeAnswersAtTicks) {
  ControlStream control(*simulation_);
  v1::ControlOpen open = For("a");
  open.set_pacing(v1::CONTROL_PACING_REAL_TIME);
  open.set_period_s(0.002);
  open.set_steps_per_tick(2);
  EXPECT_EQ(control.Open(open).period_s(), 0.002);
  const auto start = std::chrono::steady_clock::now();
  int64_t tick = 0;
  int64_t last_step = 0;
  for (int request = 0; request < 50; ++request) {
    const v1::ControlResponse response = control.Step();
    ASSERT_TRUE(response.has_stepped()) << response.error().message();
    const v1::ControlStepped& stepped = response.stepped();
    EXPECT_EQ(stepped.steps_done(), 2);
    EXPECT_EQ(stepped.tick(), tick + stepped.missed() + 1);
    EXPECT_GE(stepped.lateness_s(), 0.0);
    EXPECT_GE(stepped.frame().step_index(), last_step + 2);
    tick = stepped.tick();
    last_step = stepped.frame().step_index();
  }
  // As many ticks as time: none comes early, and after a late one none is made up for.
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  EXPECT_GE(took.count(), 0.002 * static_cast<double>(tick - 1) - 1e-4);
}

}  // namespace
}  // namespace talus::testing
