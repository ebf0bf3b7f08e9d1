// UpdateBodies: what it sets and tells, and every error its comment lists.
#include <gmock/gmock.h>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "tests/integration/server_fixture.h"

namespace talus::testing {
namespace {

using SceneStub = v1::SceneService::Stub;

constexpr char kPosition[] = "position_world_m";
constexpr char kVelocity[] = "linear_velocity_world_m_s";

class UpdateBodiesTest : public ServerTest {
 protected:
  void SetUp() override {
    SceneHostOptions options = DefaultOptions();
    options.limits.mailbox_depth = 2;
    StartServer(options);
  }

  static v1::UpdateBodiesRequest Raise(const std::string& body, double height) {
    v1::UpdateBodiesRequest request;
    request.set_scene("scenes/a");
    v1::BodyUpdate& update = *request.add_updates();
    update.set_body_name(body);
    update.mutable_values()->mutable_position_world_m()->set_z(height);
    update.mutable_update_mask()->add_paths(kPosition);
    return request;
  }
  Reply<v1::UpdateBodiesResponse> Update(const v1::UpdateBodiesRequest& request,
                                         milliseconds patience = milliseconds(60'000)) {
    return Call(*scenes_, &SceneStub::UpdateBodies, request, patience);
  }
  v1::Frame State() {
    v1::GetStateRequest request;
    request.set_scene("scenes/a");
    return Call(*queries_, &v1::QueryService::Stub::GetState, request).response.frame();
  }
  v1::Frame Contacts() {
    v1::GetContactsRequest request;
    request.set_scene("scenes/a");
    return Call(*queries_, &v1::QueryService::Stub::GetContacts, request).response.frame();
  }
  void ExpectRefused(const v1::UpdateBodiesRequest& request, grpc::StatusCode code,
                     v1::ErrorReason reason, const std::string& field) {
    const uint64_t hash = StateHash("a");
    const auto refused = Update(request);
    EXPECT_TRUE(FailedWith(refused, code, reason)) << field;
    EXPECT_EQ(refused.detail.field(), field);
    EXPECT_FALSE(refused.detail.allowed().empty()) << field;
    EXPECT_EQ(StateHash("a"), hash) << field;
  }
};

TEST_F(UpdateBodiesTest, SetsManyAtOnceAndTellsTheScene) {
  const auto created = CreateScene("a", TenBalls());
  ASSERT_TRUE(created.ok());
  ASSERT_TRUE(Step("a", 5).ok());
  const v1::SceneInfo before = GetScene("a");
  v1::UpdateBodiesRequest request = Raise("ball3", 40.0);
  v1::BodyUpdate& second = *request.add_updates();
  second.set_body_id(2);
  second.mutable_values()->mutable_orientation_world()->set_x(1.0);
  second.mutable_values()->mutable_linear_velocity_world_m_s()->set_x(1.5);
  second.mutable_values()->mutable_angular_velocity_world_rad_s()->set_y(-2.0);
  for (const char* path :
       {"orientation_world", "linear_velocity_world_m_s", "angular_velocity_world_rad_s"}) {
    second.mutable_update_mask()->add_paths(path);
  }
  const auto updated = Update(request);
  ASSERT_TRUE(updated.ok()) << updated.status.error_message();
  const v1::SceneInfo& info = updated.response.scene();
  EXPECT_EQ(info.step_index(), 5);
  EXPECT_EQ(info.layout_version(), before.layout_version());
  EXPECT_NE(info.state_hash(), before.state_hash());
  EXPECT_EQ(StateHash("a"), info.state_hash());
  const v1::Frame state = State();
  EXPECT_EQ(state.step_index(), 5);
  EXPECT_EQ(state.state_hash(), info.state_hash());
  const v1::BodyColumns& bodies = state.bodies();
  EXPECT_EQ(bodies.positions_world_m(3 * 4 + 2), 40.0);  // ball3 has row 4
  EXPECT_EQ(bodies.orientations_wxyz(4 + 1), 1.0);       // id 2 has row 1
  EXPECT_EQ(bodies.linear_velocities_world_m_s(3), 1.5);
  EXPECT_EQ(bodies.angular_velocities_world_rad_s(3 + 1), -2.0);
}

// A path that is named and has no value sets the default, as masks do.
TEST_F(UpdateBodiesTest, WhatIsNamedAndUnsetIsZero) {
  ASSERT_TRUE(CreateScene("a", TenBalls()).ok());
  ASSERT_TRUE(Step("a", 5).ok());
  v1::UpdateBodiesRequest request = Raise("ball0", 1.0);
  request.mutable_updates(0)->clear_values();
  request.mutable_updates(0)->mutable_update_mask()->add_paths(kVelocity);
  ASSERT_TRUE(Update(request).ok());
  const v1::Frame state = State();
  for (int axis = 0; axis < 3; ++axis) {
    EXPECT_EQ(state.bodies().positions_world_m(3 + axis), 0.0);
    EXPECT_EQ(state.bodies().linear_velocities_world_m_s(3 + axis), 0.0);
  }
}

TEST_F(UpdateBodiesTest, ContactsStayThoseOfTheLastStepUntilTheNext) {
  ASSERT_TRUE(CreateScene("a", TenBalls()).ok());
  ASSERT_TRUE(Step("a", 400).ok());
  const v1::Frame before = Contacts();
  ASSERT_GT(before.contacts().gaps_m_size(), 0);
  v1::UpdateBodiesRequest request;
  request.set_scene("scenes/a");
  for (int ball = 0; ball < 10; ++ball) {
    *request.add_updates() = Raise("ball" + std::to_string(ball), 50.0 + 2.0 * ball).updates(0);
  }
  ASSERT_TRUE(Update(request).ok());
  EXPECT_EQ(Contacts().contacts().SerializeAsString(), before.contacts().SerializeAsString());
  ASSERT_TRUE(Step("a", 1).ok());
  EXPECT_EQ(Contacts().contacts().gaps_m_size(), 0);
}

TEST_F(UpdateBodiesTest, RefusesByNameAndChangesNothing) {
  using enum grpc::StatusCode;
  ASSERT_TRUE(CreateScene("a", TenBalls()).ok());
  // Each beside an update that is good.
  const auto with = [](const auto& change) {
    v1::UpdateBodiesRequest request = Raise("ball0", 30.0);
    *request.add_updates() = Raise("ball1", 31.0).updates(0);
    change(*request.mutable_updates(1));
    return request;
  };
  const auto expect_field = [&](const auto& change, const std::string& field) {
    ExpectRefused(with(change), INVALID_ARGUMENT, v1::ERROR_REASON_INVALID_FIELD, field);
  };
  ExpectRefused(with([](v1::BodyUpdate& update) { update.set_body_name("nobody"); }), NOT_FOUND,
                v1::ERROR_REASON_NOT_FOUND, "updates[1].body_name");
  ExpectRefused(with([](v1::BodyUpdate& update) { update.set_body_id(77); }), NOT_FOUND,
                v1::ERROR_REASON_NOT_FOUND, "updates[1].body_id");
  expect_field([](v1::BodyUpdate& update) { update.clear_body_name(); }, "updates[1].body");
  expect_field([](v1::BodyUpdate& update) { update.set_body_name("ball0"); },
               "updates[1].body_name");
  expect_field([](v1::BodyUpdate& update) { update.clear_update_mask(); },
               "updates[1].update_mask");
  expect_field([](v1::BodyUpdate& update) { update.mutable_update_mask()->add_paths("mass_kg"); },
               "updates[1].update_mask.paths[1]");
  expect_field(
      [](v1::BodyUpdate& update) {
        update.mutable_values()->mutable_position_world_m()->set_x(1e10);
      },
      "updates[1].values.position_world_m.x");
  expect_field(
      [](v1::BodyUpdate& update) {
        update.set_body_name("ground");
        update.mutable_values()->mutable_linear_velocity_world_m_s()->set_x(1.0);
        update.mutable_update_mask()->add_paths(kVelocity);
      },
      "updates[1].values.linear_velocity_world_m_s");
  const auto mask = Update(
      with([](v1::BodyUpdate& update) { update.mutable_update_mask()->add_paths("shapes"); }));
  EXPECT_THAT(mask.status.error_message(),
              ::testing::HasSubstr("= \"shapes\" must be position_world_m, orientation_world, "));
}

TEST_F(UpdateBodiesTest, RefusesWhereTheSceneTakesNoChange) {
  using enum grpc::StatusCode;
  EXPECT_TRUE(FailedWith(Update(Raise("ball", 1.0)), NOT_FOUND, v1::ERROR_REASON_NOT_FOUND));
  SceneDef runaway = TenBalls();
  runaway.settings.gravity_world_m_s2 = Vec3(0.0, 0.0, 1e6);
  runaway.settings.time_step_s = 1.0;
  ASSERT_TRUE(CreateScene("a", runaway).ok());
  EXPECT_TRUE(FailedWith(Step("a", 20'000), FAILED_PRECONDITION, v1::ERROR_REASON_SCENE_FAULTED));
  EXPECT_TRUE(
      FailedWith(Update(Raise("ball0", 1.0)), FAILED_PRECONDITION, v1::ERROR_REASON_SCENE_FAULTED));
}

// While a long step runs: the deadline, a full mailbox, the deletion.
TEST_F(UpdateBodiesTest, WaitsItsTurnAndEndsWhenItCannotCome) {
  using enum grpc::StatusCode;
  ASSERT_TRUE(CreateScene("a", SlowScene()).ok());
  std::thread stepping([this] {
    v1::StepRequest request;
    request.set_scene("scenes/a");
    request.set_step_count(1'000'000);
    EXPECT_FALSE(Step(request).ok());
  });
  ASSERT_TRUE(WaitUntil([this] { return GetScene("a").step_index() > 0; }));
  v1::UpdateBodiesRequest first;
  first.set_scene("scenes/a");
  // On a busy machine the client's own timer may ring first.
  EXPECT_TRUE(WaitUntil([&] {
    const auto late = Update(first, milliseconds(500));
    EXPECT_EQ(late.status.error_code(), DEADLINE_EXCEEDED);
    return late.detail.reason() == v1::ERROR_REASON_DEADLINE;
  }));
  std::vector<std::thread> waiting;
  std::atomic<int> deleted{0};
  for (int k = 0; k < 2; ++k) {
    waiting.emplace_back([this, &first, &deleted] {
      deleted += FailedWith(Update(first), ABORTED, v1::ERROR_REASON_SCENE_DELETED) ? 1 : 0;
    });
  }
  v1::GetDiagnosticsRequest ask;
  ask.set_scene("scenes/a");
  ASSERT_TRUE(WaitUntil([&] {
    return Call(*queries_, &v1::QueryService::Stub::GetDiagnostics, ask).response.mailbox_depth() >=
           2;
  }));
  EXPECT_TRUE(FailedWith(Update(first), RESOURCE_EXHAUSTED, v1::ERROR_REASON_MAILBOX_FULL));
  v1::DeleteSceneRequest gone;
  gone.set_scene("scenes/a");
  ASSERT_TRUE(Call(*scenes_, &SceneStub::DeleteScene, gone).ok());
  stepping.join();
  for (std::thread& thread : waiting) thread.join();
  EXPECT_EQ(deleted, 2);
}

TEST_F(UpdateBodiesTest, AWatcherGetsAFrameOfIt) {
  ASSERT_TRUE(CreateScene("a", TenBalls()).ok());
  grpc::ClientContext context;
  v1::WatchStateRequest watch;
  watch.set_scene("scenes/a");
  watch.set_frame_limit(2);
  const auto stream = streams_->WatchState(&context, watch);
  v1::WatchStateResponse frame;
  ASSERT_TRUE(stream->Read(&frame));
  ASSERT_TRUE(Update(Raise("ball0", 44.0)).ok());
  ASSERT_TRUE(stream->Read(&frame));
  EXPECT_EQ(frame.frame().step_index(), 0);
  EXPECT_EQ(frame.frame().bodies().positions_world_m(3 + 2), 44.0);
  EXPECT_EQ(frame.frame().state_hash(), StateHash("a"));
  EXPECT_FALSE(frame.frame().has_layout());
  EXPECT_TRUE(stream->Finish().ok());
}

}  // namespace
}  // namespace talus::testing
