#include "server/session/scene_library.h"

#include <utility>

#include "server/session/error.h"
#include "server/session/page.h"
#include "server/session/resource_name.h"
#include "solver/base/status.h"
#include "solver/world/world.h"

namespace talus {
namespace {

NamedSceneInfo Describe(const std::string& name, const SceneDef& scene) {
  NamedSceneInfo info;
  info.name = name;
  info.body_count = static_cast<int64_t>(scene.bodies.size());
  for (const EmitterDef& emitter : scene.emitters) info.body_count += emitter.particle_count;
  info.joint_count = static_cast<int64_t>(scene.joints.size());
  info.time_step_s = scene.settings.time_step_s;
  return info;
}

absl::Status UnknownNameError(const std::string& name, const std::string& field) {
  ErrorInfo info;
  info.reason = ErrorReason::kNotFound;
  info.field = field;
  info.value = name;
  info.allowed = "must be a name that ListNamedScenes tells";
  return MakeError(absl::StatusCode::kNotFound,
                   field + " = " + name + " does not exist; " + info.allowed, info);
}

}  // namespace

absl::Status SceneLibrary::Add(const std::string& name, SceneDef scene) {
  TALUS_RETURN_IF_ERROR(ValidateId(name, "name"));
  if (scenes_.contains(name)) return DuplicateNameError("name", name);
  TALUS_RETURN_IF_ERROR(World::Create(scene).status());
  // As it was given and not as it was checked: what is normalised twice may differ in its last
  // bits from what a caller sends himself.
  scenes_.emplace(name, std::move(scene));
  return absl::OkStatus();
}

absl::StatusOr<const SceneDef*> SceneLibrary::Find(const std::string& name,
                                                   const std::string& field) const {
  TALUS_RETURN_IF_ERROR(ValidateId(name, field));
  const auto found = scenes_.find(name);
  if (found == scenes_.end()) return UnknownNameError(name, field);
  return &found->second;
}

absl::StatusOr<NamedScenePage> SceneLibrary::List(int64_t page_size,
                                                  const std::string& page_token) const {
  std::vector<std::string> names;
  names.reserve(scenes_.size());
  for (const auto& [name, scene] : scenes_) names.push_back(name);
  TALUS_ASSIGN_OR_RETURN(const PageRange range, FindPage(names, page_size, page_token));
  NamedScenePage page;
  for (size_t index = range.begin; index < range.end; ++index) {
    page.scenes.push_back(Describe(names[index], scenes_.at(names[index])));
  }
  page.next_page_token = range.next_token;
  return page;
}

}  // namespace talus
