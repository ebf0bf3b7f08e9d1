// SceneService.ImportModel and CreateScene from URDF: a robot comes whole or not at all, and each
// error that the comments list.
#include <gmock/gmock.h>

#include <future>
#include <memory>
#include <thread>

#include "server/runtime/clock.h"
#include "tests/integration/import_fixture.h"

namespace talus::testing {
namespace {

TEST_F(ImportModelTest, ARobotComesInChunksAndSwings) {
  const std::string arm = kArm;
  const auto imported = Import(*scenes_)
                            .Begin("scenes/a")
                            .File("arm.urdf", arm.substr(0, 100))
                            .File("", arm.substr(100))
                            .Finish();
  ASSERT_TRUE(imported.ok()) << imported.status.error_message();
  const v1::ImportModelResponse& response = imported.response;
  EXPECT_EQ(response.scene().body_count(), 4);
  EXPECT_EQ(response.scene().joint_count(), 2);
  EXPECT_THAT(response.layout().body_names(),
              ::testing::ElementsAre("ground", "base", "upper", "lower"));
  EXPECT_EQ(response.model().robot(), "arm");
  EXPECT_EQ(response.model().links_size(), 3);
  ASSERT_EQ(response.model().joints_size(), 2);
  EXPECT_EQ(response.model().joints(1).name(), "elbow");
  EXPECT_EQ(response.model().joints(1).axis(), 3);
  EXPECT_EQ(response.model().joints(1).upper(), 1.5);
  EXPECT_EQ(response.model().joints(1).effort(), 5.0);
  ASSERT_EQ(response.model().unsupported_size(), 1);
  EXPECT_EQ(response.model().unsupported(0).element(), "robot.transmission");
  EXPECT_EQ(response.model().unsupported(0).line(), 12);
  ASSERT_TRUE(Step("a", 200).ok());
  EXPECT_NE(StateHash("a"), response.scene().state_hash());
}

TEST_F(ImportModelTest, CreateSceneFromItIsTheSameScene) {
  ASSERT_TRUE(Import(*scenes_).Begin("scenes/a").File("arm.urdf", kArm).Finish().ok());
  const auto created = Create(Robot("b"));
  ASSERT_TRUE(created.ok()) << created.status.error_message();
  EXPECT_EQ(created.response.model().links_size(), 3);
  EXPECT_EQ(created.response.model().unsupported_count(), 1);
  EXPECT_EQ(created.response.layout().body_names(2), "upper");
  v1::GetStateRequest a;
  a.set_scene("scenes/a");
  v1::GetStateRequest b;
  b.set_scene("scenes/b");
  ASSERT_TRUE(Step("a", 100).ok());
  ASSERT_TRUE(Step("b", 100).ok());
  const auto in_a = Call(*queries_, &v1::QueryService::Stub::GetState, a);
  const auto in_b = Call(*queries_, &v1::QueryService::Stub::GetState, b);
  ASSERT_TRUE(in_a.ok() && in_b.ok());
  EXPECT_EQ(in_a.response.frame().bodies().SerializeAsString(),
            in_b.response.frame().bodies().SerializeAsString());
  // A repeat of the same request is the same scene.
  v1::CreateSceneRequest once = Robot("c");
  once.set_request_id("once");
  ASSERT_TRUE(Create(once).ok());
  const auto again = Create(once);
  ASSERT_TRUE(again.ok()) << again.status.error_message();
  EXPECT_EQ(again.response.model().links_size(), 3);
}

TEST_F(ImportModelTest, ABadRobotLeavesTheSceneAsItWas) {
  const uint64_t hash = StateHash("a");
  const int64_t layout = GetScene("a").layout_version();
  const auto import = [&](const std::string& urdf,
                          const std::function<void(v1::ModelImport&)>& edit = {}) {
    return Import(*scenes_).Begin("scenes/a", edit).File("arm.urdf", urdf).Finish();
  };
  EXPECT_TRUE(IsBadField(import("<robot><link name=''/></robot>"), "urdf.link.name"));
  EXPECT_TRUE(IsBadField(import("not XML"), "urdf"));
  EXPECT_TRUE(
      IsBadField(import(kArm, [](auto& model) { model.mutable_options()->set_strict(true); }),
                 "urdf.robot.transmission"));
  EXPECT_TRUE(
      IsBadField(import(kArm, [](auto& model) { model.mutable_options()->set_name("a/b"); }),
                 "model.options.name"));
  EXPECT_TRUE(IsBadField(
      import(kArm,
             [](auto& model) { model.mutable_options()->set_base(static_cast<v1::ModelBase>(7)); }),
      "model.options.base"));
  EXPECT_TRUE(
      IsBadField(import(kArm, [](auto& model) { model.mutable_options()->set_material("ice"); }),
                 "urdf.link[base].shapes[0].material"));
  const auto taken =
      import(R"(<robot><link name="ground"><inertial><mass value="1"/>
    <inertia ixx="1" iyy="1" izz="1"/></inertial></link></robot>)",
             [](auto& model) { model.mutable_options()->set_base(v1::MODEL_BASE_FREE); });
  EXPECT_TRUE(FailedWith(taken, grpc::StatusCode::ALREADY_EXISTS, v1::ERROR_REASON_DUPLICATE_NAME));
  EXPECT_EQ(taken.detail.field(), "urdf.link[ground].name");
  EXPECT_EQ(StateHash("a"), hash);
  EXPECT_EQ(GetScene("a").layout_version(), layout);
  // The material may come along.
  EXPECT_TRUE(import(kArm, [](auto& model) {
                model.mutable_options()->set_material("ice");
                model.add_materials()->set_name("ice");
              }).ok());
}

TEST_F(ImportModelTest, MessagesOutOfOrderAreRefused) {
  v1::ImportModelRequest again;
  again.mutable_model()->set_scene("scenes/a");
  EXPECT_TRUE(IsBadField(Import(*scenes_).Finish(), "model"));
  EXPECT_TRUE(IsBadField(Import(*scenes_).File("arm.urdf", kArm).Finish(), "model"));
  EXPECT_TRUE(IsBadField(Import(*scenes_).Begin("scenes/a").Send(again).Finish(), "model"));
  EXPECT_TRUE(IsBadField(Import(*scenes_).Begin("scenes/a").File("", "x").Finish(), "file_name"));
  EXPECT_TRUE(IsBadField(Import(*scenes_).Begin("a").Finish(), "model.scene"));
  EXPECT_TRUE(FailedWith(Import(*scenes_).Begin("scenes/nobody").Finish(),
                         grpc::StatusCode::NOT_FOUND, v1::ERROR_REASON_NOT_FOUND));
  EXPECT_TRUE(IsBadField(Import(*scenes_).Begin("scenes/a").Finish(), "model.urdf_file"));
  EXPECT_TRUE(IsBadField(
      Import(*scenes_).Begin("scenes/a").File("a.urdf", kArm).File("b.urdf", kArm).Finish(),
      "model.urdf_file"));
  EXPECT_TRUE(IsBadField(
      Import(*scenes_).Begin("scenes/a").File("a.urdf", kArm).File("m", "").File("m", "").Finish(),
      "files[2].name"));
  EXPECT_TRUE(IsBadField(Import(*scenes_)
                             .Begin("scenes/a", [](auto& m) { m.set_urdf_file("c.urdf"); })
                             .File("a.urdf", kArm)
                             .Finish(),
                         "model.urdf_file"));
  EXPECT_TRUE(Import(*scenes_)
                  .Begin("scenes/a", [](auto& m) { m.set_urdf_file("b.urdf"); })
                  .File("a.urdf", "")
                  .File("b.urdf", kArm)
                  .Finish()
                  .ok());
}

TEST_F(ImportModelTest, ASceneWithoutJointsMayHaveASolverThatTakesNone) {
  CreateScene("balls", TenBalls());
  EXPECT_TRUE(IsBadField(Import(*scenes_).Begin("scenes/balls").File("arm.urdf", kArm).Finish(),
                         "settings.solver.solver"));
}

TEST_F(ImportModelTest, OneThatIsCancelledOrSilentLeavesNothing) {
  const uint64_t hash = StateHash("a");
  Import cancelled(*scenes_);
  cancelled.Begin("scenes/a").File("arm.urdf", kArm);
  cancelled.Cancel();
  EXPECT_EQ(cancelled.Read().status.error_code(), grpc::StatusCode::CANCELLED);
  EXPECT_EQ(StateHash("a"), hash);
  ManualClock clock;
  StopServer();
  StartServer(DefaultOptions(), &clock);
  MakeScene("a");
  Import silent(*scenes_);
  silent.Begin("scenes/a").File("arm.urdf", "<robot>");
  auto ended = std::async(std::launch::async, [&] { return silent.Read(); });
  EXPECT_TRUE(WaitUntil([&] {
    clock.Advance(std::chrono::seconds(31));
    return ended.wait_for(milliseconds(2)) == std::future_status::ready;
  }));
  silent.Cancel();
  EXPECT_TRUE(
      FailedWith(ended.get(), grpc::StatusCode::DEADLINE_EXCEEDED, v1::ERROR_REASON_DEADLINE));
  StopServer();  // before the clock goes
}

TEST_F(ImportModelTest, ALeaseKeepsOthersOut) {
  grpc::ClientContext context;
  const auto control = simulation_->Control(&context);
  v1::ControlRequest open;
  open.mutable_open()->set_scene("scenes/a");
  open.mutable_open()->set_holder("arm");
  v1::ControlResponse opened;
  ASSERT_TRUE(control->Write(open) && control->Read(&opened));
  const auto refused = Import(*scenes_).Begin("scenes/a").File("arm.urdf", kArm).Finish();
  EXPECT_TRUE(
      FailedWith(refused, grpc::StatusCode::FAILED_PRECONDITION, v1::ERROR_REASON_LEASE_HELD));
  control->WritesDone();
  control->Finish();
}

TEST_F(ImportModelTest, TheEndOfTheServerEndsOneUnderWay) {
  SceneHostOptions options = DefaultOptions();
  options.limits.model_bytes = 1000;
  StopServer();
  StartServer(options);
  MakeScene("a");
  // It is under way once another of its size has no room beside it.
  std::unique_ptr<Import> waiting;
  EXPECT_TRUE(WaitUntil([&] {
    waiting = std::make_unique<Import>(*scenes_);
    waiting->Begin("scenes/a").File("x", std::string(600, ' '));
    const auto other = Import(*scenes_).Begin("scenes/a").File("x", std::string(600, ' ')).Finish();
    const bool held = other.detail.limit_name() == "model_bytes";
    if (!held) waiting->Finish();
    return held;
  }));
  std::thread ending([this] { server_->Shutdown(milliseconds(60'000)); });
  EXPECT_TRUE(
      FailedWith(waiting->Read(), grpc::StatusCode::UNAVAILABLE, v1::ERROR_REASON_DRAINING));
  ending.join();
}

TEST_F(ImportModelTest, CreateSceneNamesFieldsOfTheRequest) {
  const auto field_of = [&](const std::function<void(v1::UrdfScene&)>& edit) {
    v1::CreateSceneRequest request = Robot("bad");
    edit(*request.mutable_urdf());
    return Create(request);
  };
  EXPECT_TRUE(IsBadField(field_of([](auto& urdf) { urdf.set_urdf(""); }), "urdf"));
  EXPECT_TRUE(IsBadField(field_of([](auto& urdf) { urdf.mutable_options()->set_name("/"); }),
                         "urdf.options.name"));
  EXPECT_TRUE(IsBadField(
      field_of([](auto& urdf) { urdf.mutable_options()->set_stand_in(v1::ShapeStandIn(9)); }),
      "urdf.options.stand_in"));
  EXPECT_TRUE(IsBadField(field_of([](auto& urdf) { urdf.add_files(); }), "urdf.files[0].name"));
  EXPECT_TRUE(IsBadField(
      field_of([](auto& urdf) { urdf.mutable_scene()->mutable_bodies(0)->set_mass_kg(-1.0); }),
      "urdf.scene.bodies[0].mass_kg"));
  EXPECT_TRUE(IsBadField(field_of([](auto& urdf) { urdf.mutable_options()->set_material("ice"); }),
                         "urdf.link[base].shapes[0].material"));
  const auto taken =
      field_of([](auto& urdf) { urdf.mutable_scene()->mutable_bodies(0)->set_name("upper"); });
  EXPECT_TRUE(FailedWith(taken, grpc::StatusCode::ALREADY_EXISTS, v1::ERROR_REASON_DUPLICATE_NAME));
  EXPECT_EQ(taken.detail.field(), "urdf.link[upper].name");
}

TEST_F(RecordingTest, ARobotThatComesWhileRecordingComesInTheReplay) {
  v1::CreateSceneRequest request;
  request.set_scene_id("robots");
  request.mutable_spec()->mutable_settings()->mutable_solver()->set_solver(
      v1::CONTACT_SOLVER_NEWTON);
  ASSERT_TRUE(Call(*scenes_, &SceneStub::CreateScene, request).ok());
  v1::StartRecordingRequest start;
  start.set_scene("scenes/robots");
  start.set_recording_id("r");
  ASSERT_TRUE(Call(*recordings_, &v1::RecordingService::Stub::StartRecording, start).ok());
  ASSERT_TRUE(Import(*scenes_).Begin("scenes/robots").File("arm.urdf", kArm).Finish().ok());
  ASSERT_TRUE(Step("robots", 50).ok());
  ASSERT_TRUE(Stop("r").ok());
  const auto replayed = Replay("r", "again");
  ASSERT_TRUE(replayed.ok()) << replayed.status.error_message();
  EXPECT_FALSE(replayed.response.has_mismatch()) << replayed.response.DebugString();
  EXPECT_EQ(replayed.response.inputs_replayed(), 2);
  EXPECT_EQ(StateHash("again"), StateHash("robots"));
}

}  // namespace
}  // namespace talus::testing
