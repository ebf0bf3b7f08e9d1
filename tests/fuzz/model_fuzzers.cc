// Robots: URDF files, the meshes they name, and how they are asked to stand in a scene.
#include "server/model/mesh_extents.h"
#include "server/model/model_import.h"
#include "server/wire/model_codec.h"
#include "server/wire/scene_codec.h"
#include "solver/base/check.h"
#include "talus/v1/scene_service.pb.h"
#include "tests/fuzz/fuzz_world.h"
#include "tests/fuzz/fuzzers.h"

namespace talus::fuzz {
namespace {

// What an import gives makes a scene, unless that would be too large; how a step of it failed does
// not matter.
void TryModel(const model::ImportedModel& model, SceneDef scene) {
  TALUS_CHECK(model.report.unsupported.first().size() <= model::kMostUnsupportedTold);
  v1::ModelReport report;
  wire::EncodeModelReport(model.report, report);
  TALUS_CHECK(report.links_size() > 0 && !report.SerializeAsString().empty());
  scene.bodies.insert(scene.bodies.end(), model.bodies.begin(), model.bodies.end());
  scene.joints.insert(scene.joints.end(), model.joints.begin(), model.joints.end());
  const absl::Status status = TryScene(std::move(scene));
  if (!status.ok()) CheckRefusal(status);
}

}  // namespace

void FeedUrdf(std::string_view text) {
  model::ModelOptions options;
  options.stand_in = model::ShapeStandIn::kBoundingBox;
  options.motors = true;
  const std::vector<model::ModelFile> files = {{"box.obj", "v 0 0 0\nv 1 2 3\n"}};
  const auto model = model::ImportModel(text, files, options);
  if (!model.ok()) return CheckRefusal(model.status());
  SceneDef scene;
  // Whatever the model is, it has passed every check but those of the scene.
  const absl::StatusOr<World> world = [&] {
    scene.bodies = model->bodies;
    scene.joints = model->joints;
    return World::Create(scene);
  }();
  TALUS_CHECK(world.ok() || world.status().code() == absl::StatusCode::kResourceExhausted);
  TryModel(*model, SceneDef{});
}

void FeedMesh(std::string_view bytes) {
  if (bytes.empty()) return;
  const char* name = bytes[0] % 2 == 0 ? "m.stl" : "m.obj";
  const absl::StatusOr<model::Extents> extents = model::FindExtents(name, bytes.substr(1));
  if (!extents.ok()) return CheckRefusal(extents.status());
  TALUS_CHECK(IsFinite(extents->low) && IsFinite(extents->high));
  TALUS_CHECK((extents->low.array() <= extents->high.array()).all());
}

void FeedUrdfScene(std::string_view text) {
  v1::UrdfScene message;
  if (!ReadText(text, message)) return;
  const auto options = wire::DecodeModelOptions(message.options());
  if (!options.ok()) return CheckRefusal(options.status());
  absl::StatusOr<SceneDef> scene = wire::DecodeScene(message.scene(), "scene");
  if (!scene.ok()) return CheckRefusal(scene.status());
  const auto model =
      model::ImportModel(message.urdf(), wire::DecodeModelFiles(message.files()), *options);
  if (!model.ok()) return CheckRefusal(model.status());
  TALUS_CHECK(!options->strict || model->report.unsupported.count() == 0);
  TryModel(*model, *std::move(scene));
}

}  // namespace talus::fuzz
