#include "clients/cli/conformance/ground.h"

#include <algorithm>
#include <random>
#include <utility>

#include "clients/cpp/channel.h"

namespace talus::cli::conformance {
namespace {

bool Begins(const std::string& text, const char* prefix) { return text.rfind(prefix, 0) == 0; }

v1::BodySpec& AddBall(v1::SceneSpec& spec, const std::string& name, double x, double y, double z) {
  v1::BodySpec& ball = *spec.add_bodies();
  ball.set_name(name);
  ball.set_kind(v1::BODY_KIND_DYNAMIC);
  ball.set_mass_kg(1.0);
  ball.mutable_position_world_m()->set_x(x);
  ball.mutable_position_world_m()->set_y(y);
  ball.mutable_position_world_m()->set_z(z);
  ball.add_shapes()->mutable_sphere()->set_radius_m(0.1);
  return ball;
}

void AddFloor(v1::SceneSpec& spec) {
  v1::NamedMaterial& stone = *spec.add_materials();
  stone.set_name("stone");
  stone.mutable_material()->set_sliding_friction(0.5);
  v1::BodySpec& floor = *spec.add_bodies();
  floor.set_name("floor");
  floor.set_kind(v1::BODY_KIND_STATIC);
  v1::ShapeSpec& plane = *floor.add_shapes();
  plane.mutable_plane()->mutable_normal()->set_z(1.0);
  plane.set_material("stone");
}

}  // namespace

Ground::Ground(const std::string& address, const client::ClientOptions& options,
               const client::CallOptions& call)
    : address_(address),
      options_(options),
      client_(address, options),
      channel_(client::OpenChannel(address, options)),
      call_(call),
      prefix_("conformance-" + std::to_string(std::random_device{}())) {}

client::Result<client::Done> Ground::Greet() {
  auto info = client_.GetServerInfo({}, call_);
  if (!info) return info.error();
  auto features = client_.GetFeatures({}, call_);
  if (!features) return features.error();
  info_ = *info;
  features_ = *features;
  return client::Done{};
}

client::CallOptions Ground::Within(std::chrono::milliseconds patience) const {
  client::CallOptions options = call_;
  options.timeout = patience;
  return options;
}

bool Ground::Offers(const std::string& name) const {
  return std::ranges::any_of(features_.features(), [&](const v1::Feature& feature) {
    return feature.name() == name && feature.offered();
  });
}

bool Ground::HasService(const std::string& name) const {
  return std::ranges::find(features_.services(), name) != features_.services().end();
}

std::string Ground::NewId() { return prefix_ + '-' + std::to_string(++made_); }

client::Result<std::string> Ground::MakeScene(const v1::SceneSpec& spec) {
  v1::CreateSceneRequest request;
  request.set_scene_id(NewId());
  *request.mutable_spec() = spec;
  auto made = client_.CreateScene(request, call_);
  if (!made) return made.error();
  Own(made->scene().scene());
  return made->scene().scene();
}

int Ground::Clean() {
  int left = 0;
  // What was made last goes first: recordings before their scenes.
  for (auto name = owned_.rbegin(); name != owned_.rend(); ++name) {
    client::Code code = client::Code::kOk;
    if (Begins(*name, "scenes/")) {
      v1::DeleteSceneRequest request;
      request.set_scene(*name);
      code = client_.DeleteScene(request, call_).code();
    } else if (Begins(*name, "snapshots/")) {
      v1::DeleteSnapshotRequest request;
      request.set_snapshot(*name);
      code = client_.DeleteSnapshot(request, call_).code();
    } else {
      v1::DeleteRecordingRequest request;
      request.set_recording(*name);
      code = client_.DeleteRecording(request, call_).code();
    }
    if (code != client::Code::kOk && code != client::Code::kNotFound) ++left;
  }
  owned_.clear();
  return left;
}

client::Result<v1::SceneInfo> Ground::Scene(const std::string& name) {
  v1::GetSceneRequest request;
  request.set_scene(name);
  auto response = client_.GetScene(request, call_);
  if (!response) return response.error();
  return response->scene();
}

client::Result<v1::StepResponse> Ground::Step(const std::string& name, int64_t count) {
  v1::StepRequest request;
  request.set_scene(name);
  request.set_step_count(count);
  return client_.Step(request, call_);
}

v1::SceneSpec FallingBall() {
  v1::SceneSpec spec;
  AddBall(spec, "ball", 0.0, 0.0, 1.0);
  return spec;
}

v1::SceneSpec BallAboveFloor() {
  v1::SceneSpec spec;
  AddFloor(spec);
  AddBall(spec, "ball", 0.0, 0.0, 1.0).mutable_shapes(0)->set_material("stone");
  return spec;
}

v1::SceneSpec BallHeap() {
  v1::SceneSpec spec;
  AddFloor(spec);
  constexpr int kSide = 5;
  for (int i = 0; i < kSide * kSide * kSide; ++i) {
    const double x = 0.19 * (i % kSide);
    const double y = 0.19 * (i / kSide % kSide);
    const double z = 0.1 + 0.19 * (i / (kSide * kSide));
    AddBall(spec, "ball" + std::to_string(i), x, y, z).mutable_shapes(0)->set_material("stone");
  }
  spec.mutable_settings()->mutable_solver()->set_tolerance(1e-9);
  return spec;
}

v1::Actuator PushBall() {
  v1::Actuator push;
  push.set_kind(v1::ACTUATOR_KIND_BODY_WRENCH);
  push.set_name("ball");
  return push;
}

v1::StepRequest StepsOf(const std::string& scene, int64_t count) {
  v1::StepRequest request;
  request.set_scene(scene);
  request.set_step_count(count);
  return request;
}

}  // namespace talus::cli::conformance
