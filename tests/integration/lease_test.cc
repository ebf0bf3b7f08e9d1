// A scene under a lease: who else may do what. Its holder's stream is open all the while.
#include "server/wire/scene_codec.h"
#include "tests/integration/server_fixture.h"

namespace talus::testing {
namespace {

class LeaseTest : public ServerTest {
 protected:
  void SetUp() override {
    SceneHostOptions options = DefaultOptions();
    options.data_directory = MakeDataDirectory();
    StartServer(options);
    CreateScene("a", TenBalls());
    v1::CreateSnapshotRequest save;
    save.set_scene(kScene);
    save.set_snapshot_id("s");
    ASSERT_TRUE(Call(*snapshots_, &v1::SnapshotService::Stub::CreateSnapshot, save).ok());
    control_ = simulation_->Control(&context_);
    v1::ControlRequest open;
    open.mutable_open()->set_scene(kScene);
    open.mutable_open()->set_holder("arm");
    v1::ControlResponse opened;
    ASSERT_TRUE(control_->Write(open) && control_->Read(&opened));
  }
  void TearDown() override {
    control_->WritesDone();
    control_->Finish();
    StopServer();
  }

  template <typename Stub, typename Method, typename Request>
  void ExpectHeld(Stub& stub, Method method, Request request) {
    request.set_scene(kScene);
    const auto refused = Call(stub, method, request);
    EXPECT_TRUE(
        FailedWith(refused, grpc::StatusCode::FAILED_PRECONDITION, v1::ERROR_REASON_LEASE_HELD))
        << Request::descriptor()->name();
    EXPECT_EQ(refused.detail.value(), "arm") << Request::descriptor()->name();
  }

  static constexpr char kScene[] = "scenes/a";

 private:
  grpc::ClientContext context_;
  std::unique_ptr<grpc::ClientReaderWriter<v1::ControlRequest, v1::ControlResponse>> control_;
};

TEST_F(LeaseTest, NobodyElseChangesTheScene) {
  const uint64_t hash = StateHash("a");
  const int64_t layout = GetScene("a").layout_version();
  v1::SceneSpec spec;
  wire::EncodeScene(TenBalls(), spec);
  v1::AddBodiesRequest bodies;
  *bodies.add_bodies() = spec.bodies(1);
  bodies.mutable_bodies(0)->set_name("one_more");
  ExpectHeld(*scenes_, &v1::SceneService::Stub::AddBodies, bodies);
  v1::RemoveBodiesRequest fewer;
  fewer.add_body_ids(2);
  ExpectHeld(*scenes_, &v1::SceneService::Stub::RemoveBodies, fewer);
  v1::UpdateBodiesRequest other;
  other.add_updates()->set_body_id(2);
  other.mutable_updates(0)->mutable_update_mask()->add_paths("position_world_m");
  ExpectHeld(*scenes_, &v1::SceneService::Stub::UpdateBodies, other);
  v1::RemoveEmittersRequest emitters;
  emitters.add_emitter_names("hopper");
  ExpectHeld(*scenes_, &v1::SceneService::Stub::RemoveEmitters, emitters);
  v1::RemoveJointsRequest joints;
  joints.add_joint_ids(1);
  ExpectHeld(*scenes_, &v1::SceneService::Stub::RemoveJoints, joints);
  v1::StepUntilRequest until;
  until.mutable_until()->set_time_s(1.0);
  ExpectHeld(*simulation_, &v1::SimulationService::Stub::StepUntil, until);
  ExpectHeld(*simulation_, &v1::SimulationService::Stub::Run, v1::RunRequest());
  ExpectHeld(*simulation_, &v1::SimulationService::Stub::ResetScene, v1::ResetSceneRequest());
  v1::RestoreSnapshotRequest restore;
  restore.set_snapshot("snapshots/s");
  ExpectHeld(*snapshots_, &v1::SnapshotService::Stub::RestoreSnapshot, restore);
  EXPECT_EQ(StateHash("a"), hash);
  EXPECT_EQ(GetScene("a").layout_version(), layout);
}

}  // namespace
}  // namespace talus::testing
