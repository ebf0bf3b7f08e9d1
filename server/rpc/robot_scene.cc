#include "server/rpc/robot_scene.h"

#include <memory>
#include <string>
#include <utility>

#include "server/rpc/field_names.h"
#include "server/rpc/info_encoding.h"
#include "server/wire/frame_codec.h"
#include "server/wire/model_codec.h"
#include "server/wire/scene_codec.h"

namespace talus::rpc {
namespace {

// What a model is refused for, as a field of the request.
std::string NameInRequest(std::string_view field) {
  return (field.starts_with("urdf") ? "" : "urdf.") + std::string(field);
}

// The robot behind what stands around it.
struct RobotScene {
  SceneDef scene;
  model::ImportedModel model;
  size_t bodies_around = 0;
  size_t joints_around = 0;

  // What the scene is refused for.
  std::string NameInRequest(std::string_view field) const {
    std::string named = model::NameField(field, model, bodies_around, joints_around);
    return named == field ? "urdf.scene." + named : named;
  }
};

absl::StatusOr<RobotScene> ReadRobotScene(const v1::UrdfScene& source) {
  RobotScene result;
  auto scene = wire::DecodeScene(source.scene(), "urdf.scene");
  if (!scene.ok()) return scene.status();
  auto options = wire::DecodeModelOptions(source.options());
  if (!options.ok()) return PrefixField(options.status(), "urdf.options");
  auto model = model::ImportModel(source.urdf(), wire::DecodeModelFiles(source.files()), *options);
  if (!model.ok()) return RenameField(model.status(), NameInRequest);
  result.scene = *std::move(scene);
  result.model = *std::move(model);
  result.bodies_around = result.scene.bodies.size();
  result.joints_around = result.scene.joints.size();
  result.scene.bodies.insert(result.scene.bodies.end(), result.model.bodies.begin(),
                             result.model.bodies.end());
  result.scene.joints.insert(result.scene.joints.end(), result.model.joints.begin(),
                             result.model.joints.end());
  return result;
}

}  // namespace

void CreateFromUrdf(SceneHost& host, CreateSceneCall create, const v1::UrdfScene& source,
                    UnaryCall<v1::CreateSceneResponse>* call) {
  const std::string client = create.client;
  const auto add = [&host, call,
                    create = std::move(create)](absl::StatusOr<RobotScene> read) mutable {
    if (!read.ok()) return call->End(read.status());
    create.source = std::move(read->scene);
    auto robot = std::make_shared<const RobotScene>(*std::move(read));
    host.registry().Create(
        std::move(create), [call, robot](absl::StatusOr<CreateSceneAnswer> answer) {
          if (answer.ok()) {
            EncodeSceneInfo(answer->info, *call->response().mutable_scene());
            wire::EncodeLayout(*answer->layout, *call->response().mutable_layout());
            wire::EncodeModelReport(robot->model.report, *call->response().mutable_model());
          }
          call->End(RenameField(answer.status(), [&](std::string_view field) {
            return robot->NameInRequest(field);
          }));
        });
  };
  host.conversions().Submit<RobotScene>(
      client, nullptr, [&source](const AnalysisQueue::Stop&) { return ReadRobotScene(source); },
      add);
}

}  // namespace talus::rpc
