#include "server/session/scene_names.h"

#include <utility>

#include "server/session/error.h"
#include "server/session/resource_name.h"

namespace talus {

absl::StatusOr<std::vector<std::string>> SceneNames::Reserve(const std::vector<std::string>& ids,
                                                             const std::string& field) {
  const int64_t wanted = count() + static_cast<int64_t>(ids.size());
  std::vector<std::string> reserved;
  absl::Status status;
  for (const std::string& id : ids) {
    if (id.empty()) continue;
    status = ValidateId(id, field);
    if (status.ok() && !scenes_.emplace(id, nullptr).second) {
      status = DuplicateNameError(field, FormatSceneName(id));
    }
    if (!status.ok()) break;
    reserved.push_back(id);
  }
  if (status.ok() && wanted > scene_limit_) status = LimitError("scenes", scene_limit_, wanted);
  if (!status.ok()) {
    for (const std::string& id : reserved) scenes_.erase(id);
    return status;
  }
  // Names are chosen last, so that a choice never takes a name this very call asks for.
  reserved = ids;
  for (std::string& id : reserved) {
    if (id.empty()) id = ChooseId();
  }
  return reserved;
}

std::string SceneNames::ChooseId() {
  while (true) {
    std::string id = "scene-" + std::to_string(++chosen_);
    if (scenes_.emplace(id, nullptr).second) return id;
  }
}

void SceneNames::Fill(const std::string& id, std::shared_ptr<SceneActor> actor) {
  scenes_[id] = std::move(actor);
}

std::shared_ptr<SceneActor> SceneNames::Release(const std::string& id) {
  const auto found = scenes_.find(id);
  if (found == scenes_.end()) return nullptr;
  std::shared_ptr<SceneActor> actor = std::move(found->second);
  scenes_.erase(found);
  return actor;
}

std::shared_ptr<SceneActor> SceneNames::Find(const std::string& id) const {
  const auto found = scenes_.find(id);
  return found == scenes_.end() ? nullptr : found->second;
}

std::vector<std::shared_ptr<SceneActor>> SceneNames::FindAll() const {
  std::vector<std::shared_ptr<SceneActor>> all;
  for (const auto& [id, actor] : scenes_) {
    if (actor != nullptr) all.push_back(actor);
  }
  return all;
}

}  // namespace talus
