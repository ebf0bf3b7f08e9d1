// QueryService: every RPC, against what Step itself returned.
#include "tests/integration/server_fixture.h"

namespace talus::testing {
namespace {

using QueryStub = v1::QueryService::Stub;

class QueryTest : public ServerTest {
 protected:
  void SetUp() override {
    StartServer();
    CreateScene("a", TenBalls());
    v1::StepRequest request;
    request.set_scene("scenes/a");
    request.set_step_count(120);
    for (auto set : {&v1::FrameSelection::set_positions, &v1::FrameSelection::set_orientations,
                     &v1::FrameSelection::set_velocities, &v1::FrameSelection::set_contacts,
                     &v1::FrameSelection::set_report, &v1::FrameSelection::set_layout}) {
      (request.mutable_selection()->*set)(true);
    }
    const auto reply = Step(request);
    ASSERT_TRUE(reply.ok()) << reply.status.error_message();
    stepped_ = reply.response.frame();
    ASSERT_GT(stepped_.contacts().gaps_m_size(), 0);
  }

  template <typename Request>
  static Request For(const std::string& id) {
    Request request;
    request.set_scene("scenes/" + id);
    return request;
  }

  v1::Frame stepped_;
};

TEST_F(QueryTest, GetLayoutIsTheLayoutOfTheFrame) {
  const auto reply = Call(*queries_, &QueryStub::GetLayout, For<v1::GetLayoutRequest>("a"));
  ASSERT_TRUE(reply.ok());
  EXPECT_EQ(reply.response.layout().SerializeAsString(), stepped_.layout().SerializeAsString());
}

TEST_F(QueryTest, GetStateReturnsPosesAndVelocitiesUnlessToldOtherwise) {
  auto request = For<v1::GetStateRequest>("a");
  const auto usual = Call(*queries_, &QueryStub::GetState, request);
  ASSERT_TRUE(usual.ok());
  EXPECT_EQ(usual.response.frame().bodies().SerializeAsString(),
            stepped_.bodies().SerializeAsString());
  EXPECT_FALSE(usual.response.frame().has_contacts());
  EXPECT_EQ(usual.response.frame().state_hash(), stepped_.state_hash());
  request.mutable_selection()->set_layout(true);
  const auto layout = Call(*queries_, &QueryStub::GetState, request);
  ASSERT_TRUE(layout.ok());
  EXPECT_FALSE(layout.response.frame().has_bodies());
  EXPECT_TRUE(layout.response.frame().has_layout());
}

TEST_F(QueryTest, GetContactsHasFullWrenchAndMode) {
  const auto reply = Call(*queries_, &QueryStub::GetContacts, For<v1::GetContactsRequest>("a"));
  ASSERT_TRUE(reply.ok());
  const v1::Frame& frame = reply.response.frame();
  EXPECT_EQ(frame.contacts().SerializeAsString(), stepped_.contacts().SerializeAsString());
  EXPECT_EQ(frame.layout_version(), stepped_.layout_version());
  EXPECT_EQ(frame.contacts().wrenches_contact_size(), 6 * frame.contacts().gaps_m_size());
}

TEST_F(QueryTest, GetEnergyIsThatOfTheReport) {
  const auto reply = Call(*queries_, &QueryStub::GetEnergy, For<v1::GetEnergyRequest>("a"));
  ASSERT_TRUE(reply.ok());
  EXPECT_EQ(reply.response.step_index(), 120);
  EXPECT_EQ(reply.response.energy().SerializeAsString(),
            stepped_.report().energy().SerializeAsString());
}

TEST_F(QueryTest, GetJointsTellsWhatTheyCarry) {
  v1::SceneSpec spec;
  v1::BodySpec& bob = *spec.add_bodies();
  bob.set_name("bob");
  bob.set_mass_kg(2.0);
  bob.add_shapes()->mutable_sphere()->set_radius_m(0.1);
  v1::JointSpec& weld = *spec.add_joints();
  weld.set_name("weld");
  weld.set_body_b("bob");
  for (int k = 0; k < 6; ++k) weld.add_axes()->set_mode(v1::AXIS_MODE_LOCKED);
  v1::CreateSceneRequest create;
  create.set_scene_id("held");
  *create.mutable_spec() = spec;
  ASSERT_TRUE(Call(*scenes_, &v1::SceneService::Stub::CreateScene, create).ok());
  Step("held", 3);
  const auto reply = Call(*queries_, &QueryStub::GetJoints, For<v1::GetJointsRequest>("held"));
  ASSERT_TRUE(reply.ok());
  EXPECT_EQ(reply.response.step_index(), 3);
  ASSERT_EQ(reply.response.joints_size(), 1);
  const v1::JointState& joint = reply.response.joints(0);
  EXPECT_EQ(joint.name(), "weld");
  EXPECT_EQ(joint.joint_id(), 1u);
  EXPECT_EQ(joint.body_b_id(), 1u);
  // Its weight, to the tolerance of 1e-4.
  EXPECT_NEAR(joint.force_n().z(), 2.0 * 9.81, 1e-3);
  const auto none = Call(*queries_, &QueryStub::GetJoints, For<v1::GetJointsRequest>("a"));
  ASSERT_TRUE(none.ok());
  EXPECT_EQ(none.response.joints_size(), 0);
}

TEST_F(QueryTest, GetDiagnosticsReturnsTheLastReport) {
  const auto reply =
      Call(*queries_, &QueryStub::GetDiagnostics, For<v1::GetDiagnosticsRequest>("a"));
  ASSERT_TRUE(reply.ok());
  EXPECT_EQ(reply.response.report().SerializeAsString(), stepped_.report().SerializeAsString());
  EXPECT_EQ(reply.response.mailbox_depth(), 0);
  EXPECT_EQ(reply.response.watcher_count(), 0);
  EXPECT_TRUE(reply.response.fault().empty());
}

TEST_F(QueryTest, LookingChangesNothing) {
  EXPECT_EQ(StateHash("a"), stepped_.state_hash());
  const auto more = Step("a", 1);
  EXPECT_EQ(more.response.frame().step_index(), 121);
}

TEST_F(QueryTest, EveryQueryRefusesUnknownAndMalformedNames) {
  const auto expect = [&](auto method, auto unknown) {
    EXPECT_TRUE(FailedWith(Call(*queries_, method, unknown), grpc::StatusCode::NOT_FOUND,
                           v1::ERROR_REASON_NOT_FOUND));
    unknown.set_scene("a");
    EXPECT_TRUE(FailedWith(Call(*queries_, method, unknown), grpc::StatusCode::INVALID_ARGUMENT,
                           v1::ERROR_REASON_INVALID_FIELD));
  };
  expect(&QueryStub::GetLayout, For<v1::GetLayoutRequest>("none"));
  expect(&QueryStub::GetState, For<v1::GetStateRequest>("none"));
  expect(&QueryStub::GetContacts, For<v1::GetContactsRequest>("none"));
  expect(&QueryStub::GetJoints, For<v1::GetJointsRequest>("none"));
  expect(&QueryStub::GetEnergy, For<v1::GetEnergyRequest>("none"));
  expect(&QueryStub::GetDiagnostics, For<v1::GetDiagnosticsRequest>("none"));
  expect(&QueryStub::GetStepProblem, For<v1::GetStepProblemRequest>("none"));
  auto rays = For<v1::CastRaysRequest>("none");
  rays.add_rays()->mutable_direction_world()->set_z(-1.0);
  expect(&QueryStub::CastRays, rays);
}

}  // namespace
}  // namespace talus::testing
