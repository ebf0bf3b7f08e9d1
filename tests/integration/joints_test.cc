// Joints over the wire: AddJoints, RemoveJoints and each error that their comments list.
#include "tests/integration/server_fixture.h"

namespace talus::testing {
namespace {

using SceneStub = v1::SceneService::Stub;

class JointsTest : public ServerTest {
 protected:
  void SetUp() override { StartServer(DefaultOptions()); }

  // A scene of one ball, solved by `solver`.
  void Make(const std::string& id, v1::ContactSolver solver) {
    v1::CreateSceneRequest request;
    request.set_scene_id(id);
    v1::BodySpec& ball = *request.mutable_spec()->add_bodies();
    ball.set_name("ball");
    ball.set_mass_kg(1.0);
    ball.add_shapes()->mutable_sphere()->set_radius_m(0.1);
    request.mutable_spec()->mutable_settings()->mutable_solver()->set_solver(solver);
    const auto reply = Call(*scenes_, &SceneStub::CreateScene, request);
    ASSERT_TRUE(reply.ok()) << reply.status.error_message();
  }

  static v1::JointSpec BallJoint(const std::string& name) {
    v1::JointSpec joint;
    joint.set_name(name);
    joint.set_body_b("ball");
    for (int k = 0; k < 3; ++k) joint.add_axes()->set_mode(v1::AXIS_MODE_LOCKED);
    return joint;
  }

  Reply<v1::AddJointsResponse> Add(const std::string& id,
                                   const std::vector<v1::JointSpec>& joints) {
    v1::AddJointsRequest request;
    request.set_scene("scenes/" + id);
    for (const v1::JointSpec& joint : joints) *request.add_joints() = joint;
    return Call(*scenes_, &SceneStub::AddJoints, request);
  }

  Reply<v1::RemoveJointsResponse> Remove(const std::string& id, const std::string& name) {
    v1::RemoveJointsRequest request;
    request.set_scene("scenes/" + id);
    request.add_joint_names(name);
    return Call(*scenes_, &SceneStub::RemoveJoints, request);
  }
};

TEST_F(JointsTest, ComeAndGo) {
  Make("a", v1::CONTACT_SOLVER_NEWTON);
  const auto added = Add("a", {BallJoint("one"), BallJoint("two")});
  ASSERT_TRUE(added.ok()) << added.status.error_message();
  EXPECT_EQ(added.response.joint_ids_size(), 2);
  EXPECT_EQ(added.response.scene().joint_count(), 2);
  EXPECT_GT(added.response.scene().layout_version(), 1);

  const auto removed = Remove("a", "one");
  ASSERT_TRUE(removed.ok());
  EXPECT_EQ(removed.response.scene().joint_count(), 1);
  EXPECT_TRUE(
      FailedWith(Remove("a", "one"), grpc::StatusCode::NOT_FOUND, v1::ERROR_REASON_NOT_FOUND));
  v1::RemoveJointsRequest by_id;
  by_id.set_scene("scenes/a");
  by_id.add_joint_ids(added.response.joint_ids(1));
  EXPECT_TRUE(Call(*scenes_, &SceneStub::RemoveJoints, by_id).ok());
  EXPECT_EQ(GetScene("a").joint_count(), 0);
  const auto again = Call(*scenes_, &SceneStub::RemoveJoints, by_id);
  EXPECT_TRUE(FailedWith(again, grpc::StatusCode::NOT_FOUND, v1::ERROR_REASON_NOT_FOUND));
  EXPECT_EQ(again.detail.field(), "joint_ids[0]");
}

TEST_F(JointsTest, AreAddedAllOrNone) {
  Make("a", v1::CONTACT_SOLVER_NEWTON);
  ASSERT_TRUE(Add("a", {BallJoint("taken")}).ok());
  const uint64_t hash = StateHash("a");
  const auto expect = [&](const v1::JointSpec& joint, grpc::StatusCode code, v1::ErrorReason reason,
                          const std::string& field) {
    const auto reply = Add("a", {BallJoint("good"), joint});
    EXPECT_TRUE(FailedWith(reply, code, reason));
    EXPECT_EQ(reply.detail.field(), field);
    EXPECT_EQ(StateHash("a"), hash);
  };
  expect(BallJoint("taken"), grpc::StatusCode::ALREADY_EXISTS, v1::ERROR_REASON_DUPLICATE_NAME,
         "joints[1].name");
  v1::JointSpec joint = BallJoint("");
  joint.set_body_a("nobody");
  expect(joint, grpc::StatusCode::INVALID_ARGUMENT, v1::ERROR_REASON_INVALID_FIELD,
         "joints[1].body_a");
  joint = BallJoint("");
  joint.mutable_axes(2)->set_mode(static_cast<v1::AxisMode>(99));
  expect(joint, grpc::StatusCode::INVALID_ARGUMENT, v1::ERROR_REASON_INVALID_FIELD,
         "joints[1].axes[2].mode");
}

TEST_F(JointsTest, NeedASolverThatHoldsThem) {
  Make("swept", v1::CONTACT_SOLVER_UNSPECIFIED);
  const auto refused = Add("swept", {BallJoint("")});
  EXPECT_TRUE(
      FailedWith(refused, grpc::StatusCode::INVALID_ARGUMENT, v1::ERROR_REASON_INVALID_FIELD));
  EXPECT_EQ(refused.detail.field(), "settings.solver.solver");
  EXPECT_TRUE(Add("swept", {}).ok());
}

TEST_F(JointsTest, OfNoSceneAreNotFound) {
  EXPECT_TRUE(FailedWith(Add("nobody", {BallJoint("")}), grpc::StatusCode::NOT_FOUND,
                         v1::ERROR_REASON_NOT_FOUND));
  EXPECT_TRUE(
      FailedWith(Remove("nobody", "one"), grpc::StatusCode::NOT_FOUND, v1::ERROR_REASON_NOT_FOUND));
}

}  // namespace
}  // namespace talus::testing
