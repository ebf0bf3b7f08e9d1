#include "tests/integration/server_fixture.h"

#include <unistd.h>

#include <filesystem>

#include "server/wire/scene_codec.h"
#include "tests/scenes/piles.h"

namespace talus::testing {

Outcome FinishCall(const grpc::Status& status, const grpc::ClientContext& context) {
  Outcome outcome{.status = status, .detail = {}, .request_id = {}};
  const auto& trailer = context.GetServerTrailingMetadata();
  if (const auto found = trailer.find("talus-error-bin"); found != trailer.end()) {
    EXPECT_TRUE(outcome.detail.ParseFromArray(found->second.data(),
                                              static_cast<int>(found->second.size())));
  }
  if (const auto found = trailer.find("talus-request-id"); found != trailer.end()) {
    outcome.request_id.assign(found->second.data(), found->second.size());
  }
  return outcome;
}

ServerTest::~ServerTest() {
  StopServer();
  if (!data_directory_.empty()) std::filesystem::remove_all(data_directory_);
}

SceneHostOptions ServerTest::DefaultOptions() {
  SceneHostOptions options;
  options.workers = 2;
  options.workers_per_scene = 2;
  return options;
}

std::string ServerTest::MakeDataDirectory() {
  const ::testing::TestInfo& test = *::testing::UnitTest::GetInstance()->current_test_info();
  data_directory_ = ::testing::TempDir() + "talus_" + test.name() + '_' + std::to_string(getpid());
  std::filesystem::remove_all(data_directory_);
  return data_directory_;
}

void ServerTest::StartServer(SceneHostOptions options, Clock* clock) {
  auto host = SceneHost::Open(options, clock);
  ASSERT_TRUE(host.ok()) << host.status();
  host_ = *std::move(host);
  auto server =
      rpc::GrpcServer::Start(*host_, {*rpc::ParseListenAddress("127.0.0.1:0")}, "0.0.0-test");
  ASSERT_TRUE(server.ok()) << server.status();
  server_ = *std::move(server);
  grpc::ChannelArguments arguments;
  arguments.SetMaxReceiveMessageSize(-1);
  // A channel of its own: gRPC would share the connection with other tests' channels.
  arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
  channel_ = grpc::CreateCustomChannel(server_->addresses()[0], grpc::InsecureChannelCredentials(),
                                       arguments);
  // gRPC 1.51 reads errno late: a connect in progress may count as failed once, and its calls with
  // it. The channel tries again by itself.
  ASSERT_TRUE(
      channel_->WaitForConnected(std::chrono::system_clock::now() + std::chrono::minutes(1)));
  scenes_ = v1::SceneService::NewStub(channel_);
  simulation_ = v1::SimulationService::NewStub(channel_);
  queries_ = v1::QueryService::NewStub(channel_);
  streams_ = v1::StreamService::NewStub(channel_);
  snapshots_ = v1::SnapshotService::NewStub(channel_);
  about_ = v1::ServerService::NewStub(channel_);
}

void ServerTest::StopServer() {
  server_.reset();
  host_.reset();
}

Reply<v1::CreateSceneResponse> ServerTest::CreateScene(const std::string& id,
                                                       const SceneDef& scene) {
  v1::CreateSceneRequest request;
  request.set_scene_id(id);
  wire::EncodeScene(scene, *request.mutable_spec());
  return Call(*scenes_, &v1::SceneService::Stub::CreateScene, request);
}

Reply<v1::StepResponse> ServerTest::Step(const v1::StepRequest& request, milliseconds patience) {
  return Call(*simulation_, &v1::SimulationService::Stub::Step, request, patience);
}

Reply<v1::StepResponse> ServerTest::Step(const std::string& id, int64_t count) {
  v1::StepRequest request;
  request.set_scene("scenes/" + id);
  request.set_step_count(count);
  return Step(request);
}

v1::SceneInfo ServerTest::GetScene(const std::string& id) {
  v1::GetSceneRequest request;
  request.set_scene("scenes/" + id);
  const auto reply = Call(*scenes_, &v1::SceneService::Stub::GetScene, request);
  EXPECT_TRUE(reply.ok()) << reply.status.error_message();
  return reply.response.scene();
}

::testing::AssertionResult FailedWith(const Outcome& outcome, grpc::StatusCode code,
                                      v1::ErrorReason reason) {
  if (outcome.status.error_code() == code && outcome.detail.reason() == reason) {
    return ::testing::AssertionSuccess() << outcome.status.error_message();
  }
  return ::testing::AssertionFailure()
         << "code " << outcome.status.error_code() << " (expected " << code << "), "
         << v1::ErrorReason_Name(outcome.detail.reason()) << " (expected "
         << v1::ErrorReason_Name(reason) << "): " << outcome.status.error_message();
}

SceneDef TenBalls() {
  SceneDef scene;
  scene.materials.push_back({"stone", {0.5, 0.01, 0.0, 0.0}});
  BodyDef ground;
  ground.name = "ground";
  ground.kind = BodyKind::kStatic;
  ground.shapes.push_back({Plane{}, Pose{}, "stone"});
  scene.bodies.push_back(ground);
  for (int i = 0; i < 10; ++i) {
    BodyDef ball;
    ball.name = std::string("ball").append(std::to_string(i));
    ball.pose_world.position = Vec3(0.7 * i, 0.1 * i, 0.5 + 0.05 * i);
    ball.shapes.push_back({Sphere{0.25}, Pose{}, "stone"});
    ball.density_kg_m3 = 1000.0;
    scene.bodies.push_back(ball);
  }
  return scene;
}

SceneDef SlowScene() { return scenes::PackedSpheres({.count = 100}); }

}  // namespace talus::testing
