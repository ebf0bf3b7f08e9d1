// SceneService.ImportModel and CreateScene from URDF: a robot comes whole or not at all, what it
// weighs on the server is bounded, and each error that the comments list.
#include <gmock/gmock.h>

#include <atomic>
#include <future>
#include <memory>
#include <thread>

#include "server/runtime/clock.h"
#include "tests/integration/recording_fixture.h"

namespace talus::testing {
namespace {

constexpr char kArm[] = R"(<robot name="arm">
<link name="base"><collision><geometry><box size="1 1 0.2"/></geometry></collision></link>
<link name="upper"><inertial><origin xyz="0.5 0 0"/><mass value="2"/>
  <inertia ixx="0.1" iyy="0.2" izz="0.2"/></inertial>
  <collision><origin xyz="0.9 0 0"/><geometry><sphere radius="0.1"/></geometry></collision></link>
<link name="lower"><inertial><origin xyz="0.25 0 0"/><mass value="1"/>
  <inertia ixx="0.05" iyy="0.1" izz="0.1"/></inertial></link>
<joint name="shoulder" type="continuous"><origin xyz="0 0 2"/><parent link="base"/><child link="upper"/>
  <axis xyz="0 1 0"/></joint>
<joint name="elbow" type="revolute"><origin xyz="1 0 0"/><parent link="upper"/><child link="lower"/>
  <axis xyz="0 1 0"/><limit lower="-1.5" upper="1.5" effort="5" velocity="2"/></joint>
<transmission name="unused"/>
</robot>)";

class Import {
 public:
  explicit Import(SceneStub& stub) : writer_(stub.ImportModel(&context_, &response_)) {}

  Import& Begin(const std::string& scene, const std::function<void(v1::ModelImport&)>& edit = {}) {
    v1::ImportModelRequest request;
    request.mutable_model()->set_scene(scene);
    request.mutable_model()->mutable_options()->set_base(v1::MODEL_BASE_FIXED);
    if (edit) edit(*request.mutable_model());
    return Send(request);
  }
  Import& File(const std::string& name, const std::string& bytes) {
    v1::ImportModelRequest request;
    request.set_file_name(name);
    request.set_chunk(bytes);
    return Send(request);
  }
  Import& Send(const v1::ImportModelRequest& request) {
    writer_->Write(request);
    return *this;
  }
  void Cancel() { context_.TryCancel(); }
  Reply<v1::ImportModelResponse> Read() {
    Reply<v1::ImportModelResponse> reply;
    static_cast<Outcome&>(reply) = FinishCall(writer_->Finish(), context_);
    reply.response = response_;
    return reply;
  }
  Reply<v1::ImportModelResponse> Finish() {
    writer_->WritesDone();
    return Read();
  }

 private:
  grpc::ClientContext context_;
  v1::ImportModelResponse response_;
  std::unique_ptr<grpc::ClientWriter<v1::ImportModelRequest>> writer_;
};

class ImportModelTest : public ServerTest {
 protected:
  void SetUp() override {
    StartServer(DefaultOptions());
    MakeScene("a");
  }

  void MakeScene(const std::string& id) {
    v1::CreateSceneRequest request;
    request.set_scene_id(id);
    v1::BodySpec& ground = *request.mutable_spec()->add_bodies();
    ground.set_name("ground");
    ground.set_kind(v1::BODY_KIND_STATIC);
    ground.add_shapes()->mutable_plane()->mutable_normal()->set_z(1.0);
    request.mutable_spec()->mutable_settings()->mutable_solver()->set_solver(
        v1::CONTACT_SOLVER_NEWTON);
    ASSERT_TRUE(Call(*scenes_, &SceneStub::CreateScene, request).ok());
  }
  v1::CreateSceneRequest Robot(const std::string& id) {
    v1::CreateSceneRequest request;
    request.set_scene_id(id);
    v1::UrdfScene& urdf = *request.mutable_urdf();
    urdf.set_urdf(kArm);
    urdf.mutable_options()->set_base(v1::MODEL_BASE_FIXED);
    v1::BodySpec& ground = *urdf.mutable_scene()->add_bodies();
    ground.set_name("ground");
    ground.set_kind(v1::BODY_KIND_STATIC);
    ground.add_shapes()->mutable_plane()->mutable_normal()->set_z(1.0);
    return request;
  }
  Reply<v1::CreateSceneResponse> Create(const v1::CreateSceneRequest& request) {
    return Call(*scenes_, &SceneStub::CreateScene, request);
  }
  ::testing::AssertionResult IsBadField(const Outcome& outcome, const std::string& field) {
    const auto failed =
        FailedWith(outcome, grpc::StatusCode::INVALID_ARGUMENT, v1::ERROR_REASON_INVALID_FIELD);
    if (!failed || outcome.detail.field() == field) return failed;
    return ::testing::AssertionFailure() << "field " << outcome.detail.field();
  }
};

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

TEST_F(ImportModelTest, TooManyFilesOrBytesAreRefused) {
  Import files(*scenes_);
  files.Begin("scenes/a");
  for (int count = 0; count < 257; ++count) files.File(std::to_string(count), "");
  EXPECT_TRUE(IsBadField(files.Finish(), "file_name"));
  const std::string large((size_t{1} << 20) + 1, ' ');
  EXPECT_TRUE(IsBadField(Import(*scenes_).Begin("scenes/a").File("x", large).Finish(), "chunk"));
  SceneHostOptions options = DefaultOptions();
  options.limits.model_bytes = 1000;
  StopServer();
  StartServer(options);
  MakeScene("a");
  const auto refused = Import(*scenes_)
                           .Begin("scenes/a")
                           .File("x", std::string(600, ' '))
                           .File("y", std::string(600, ' '))
                           .Finish();
  EXPECT_TRUE(
      FailedWith(refused, grpc::StatusCode::RESOURCE_EXHAUSTED, v1::ERROR_REASON_LIMIT_REACHED));
  EXPECT_EQ(refused.detail.limit_name(), "model_bytes");
  EXPECT_EQ(refused.detail.limit_value(), 1000);
}

TEST_F(ImportModelTest, LimitsOfTheSceneHold) {
  SceneHostOptions options = DefaultOptions();
  options.limits.bodies_per_scene = 3;
  StopServer();
  StartServer(options);
  MakeScene("a");
  const auto refused = Import(*scenes_).Begin("scenes/a").File("arm.urdf", kArm).Finish();
  EXPECT_TRUE(
      FailedWith(refused, grpc::StatusCode::RESOURCE_EXHAUSTED, v1::ERROR_REASON_LIMIT_REACHED));
  EXPECT_EQ(refused.detail.limit_name(), "bodies_per_scene");
  EXPECT_EQ(Create(Robot("b")).detail.limit_name(), "bodies_per_scene");
}

TEST_F(ImportModelTest, WaitsForOtherModelsButForNoAnalysis) {
  SceneHostOptions options = DefaultOptions();
  options.limits.analyses = 1;
  StopServer();
  StartServer(options);
  MakeScene("a");
  struct Held {
    std::promise<void> go_on;
    std::promise<void> ended;
  } analysis, model;
  const auto hold = [](AnalysisQueue& queue, Held& held) {
    queue.Submit<int>(
        nullptr,
        [&held](const AnalysisQueue::Stop&) {
          held.go_on.get_future().wait();
          return 1;
        },
        [&held](const auto&) { held.ended.set_value(); });
  };
  const auto import = [&](const std::string& name) {
    return Import(*scenes_)
        .Begin("scenes/a", [&](v1::ModelImport& it) { it.mutable_options()->set_name(name); })
        .File("arm.urdf", kArm)
        .Finish();
  };
  hold(host_->analyses(), analysis);
  EXPECT_TRUE(import("first").ok());
  EXPECT_TRUE(Create(Robot("b")).ok());
  hold(host_->conversions(), model);
  const auto refused = import("second");
  EXPECT_TRUE(
      FailedWith(refused, grpc::StatusCode::RESOURCE_EXHAUSTED, v1::ERROR_REASON_LIMIT_REACHED));
  EXPECT_EQ(refused.detail.limit_name(), "analyses");
  EXPECT_EQ(Create(Robot("c")).detail.limit_name(), "analyses");
  for (Held* held : {&model, &analysis}) {
    held->go_on.set_value();
    held->ended.get_future().wait();
  }
  EXPECT_TRUE(import("second").ok());
}

TEST_F(ImportModelTest, NothingComesInWhereMemoryIsShort) {
  std::atomic<int64_t> resident = 100;
  SceneHostOptions options = DefaultOptions();
  options.limits.memory_bytes = 1000;
  options.read_resident_bytes = [&resident] { return resident.load(); };
  StopServer();
  StartServer(options);
  MakeScene("a");
  resident = 2000;
  Reply<v1::ImportModelResponse> refused;
  // It is looked at every 0.1 s.
  EXPECT_TRUE(WaitUntil([&] {
    refused = Import(*scenes_)
                  .Begin("scenes/a", [](auto& model) { model.mutable_options()->set_strict(true); })
                  .File("arm.urdf", kArm)
                  .Finish();
    return refused.detail.limit_name() == "memory_bytes";
  }));
  EXPECT_TRUE(
      FailedWith(refused, grpc::StatusCode::RESOURCE_EXHAUSTED, v1::ERROR_REASON_LIMIT_REACHED));
  EXPECT_EQ(GetScene("a").body_count(), 1);
  StopServer();  // before what it reads goes
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
