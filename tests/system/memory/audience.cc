#include "tests/system/memory/audience.h"

#include "talus/v1/scene_service.grpc.pb.h"
#include "talus/v1/simulation_service.grpc.pb.h"

namespace talus::memory {
namespace {

constexpr int kSide = 100;
constexpr double kRadius = 0.1;
constexpr double kRateHz = 60.0;
constexpr char kScene[] = "field";

v1::SceneSpec DescribeField() {
  v1::SceneSpec spec;
  v1::NamedMaterial& stone = *spec.add_materials();
  stone.set_name("stone");
  stone.mutable_material()->set_sliding_friction(0.6);
  v1::BodySpec& ground = *spec.add_bodies();
  ground.set_kind(v1::BODY_KIND_STATIC);
  ground.add_shapes()->mutable_plane()->mutable_normal()->set_z(1.0);
  ground.mutable_shapes(0)->set_material("stone");
  for (int k = 0; k < kSide * kSide; ++k) {
    v1::BodySpec& ball = *spec.add_bodies();
    ball.set_kind(v1::BODY_KIND_DYNAMIC);
    ball.mutable_position_world_m()->set_x(2.5 * kRadius * (k % kSide));
    ball.mutable_position_world_m()->set_y(2.5 * kRadius * (k / kSide));
    ball.mutable_position_world_m()->set_z(kRadius);
    ball.set_mass_kg(1.0);
    ball.add_shapes()->mutable_sphere()->set_radius_m(kRadius);
    ball.mutable_shapes(0)->set_material("stone");
  }
  spec.mutable_settings()->set_time_step_s(1.0 / kRateHz);
  return spec;
}

}  // namespace

std::shared_ptr<grpc::Channel> OpenChannel(const std::string& address) {
  grpc::ChannelArguments arguments;
  arguments.SetMaxReceiveMessageSize(64 << 20);
  arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
  arguments.SetInt(GRPC_ARG_ENABLE_HTTP_PROXY, 0);
  return grpc::CreateCustomChannel(address, grpc::InsecureChannelCredentials(), arguments);
}

std::string StartScene(const std::string& address) {
  const std::shared_ptr<grpc::Channel> channel = OpenChannel(address);
  v1::CreateSceneRequest create;
  create.set_scene_id(kScene);
  *create.mutable_spec() = DescribeField();
  v1::CreateSceneResponse created;
  grpc::ClientContext creating;
  grpc::Status status =
      v1::SceneService::NewStub(channel)->CreateScene(&creating, create, &created);
  if (!status.ok()) return "CreateScene: " + status.error_message();
  v1::RunRequest run;
  run.set_scene(created.scene().scene());
  run.set_real_time_factor(1.0);
  v1::RunResponse running;
  grpc::ClientContext starting;
  status = v1::SimulationService::NewStub(channel)->Run(&starting, run, &running);
  return status.ok() ? "" : "Run: " + status.error_message();
}

Audience::Audience(const std::string& address, int count) {
  v1::WatchStateRequest request;
  request.set_scene(std::string("scenes/") + kScene);
  request.set_rate_hz(kRateHz);
  v1::WatchStateResponse first;
  for (int k = 0; k < count; ++k) {
    watchers_.push_back(std::make_unique<Watcher>());
    Watcher& watcher = *watchers_.back();
    watcher.stub = v1::StreamService::NewStub(OpenChannel(address));
    watcher.stream = watcher.stub->WatchState(&watcher.context, request);
    complete_ = watcher.stream->Read(&first) && complete_;
  }
  reader_ = std::thread([this] {
    v1::WatchStateResponse response;
    while (watchers_[0]->stream->Read(&response)) ++frames_;
  });
}

Audience::~Audience() {
  for (const std::unique_ptr<Watcher>& watcher : watchers_) watcher->context.TryCancel();
  reader_.join();
  v1::WatchStateResponse response;
  for (const std::unique_ptr<Watcher>& watcher : watchers_) {
    while (watcher->stream->Read(&response)) {
    }
    watcher->stream->Finish();
  }
}

}  // namespace talus::memory
