#include "server/session/scene_names.h"

#include <utility>

#include "server/session/error.h"
#include "server/session/resource_name.h"

namespace talus {

absl::Status SceneNames::CheckLimits(int64_t more, const std::string& client) const {
  if (count() + more > scene_limit_) return LimitError("scenes", scene_limit_, count() + more);
  if (client_limit_ == 0 || client.empty()) return absl::OkStatus();
  const auto found = held_.find(client);
  const int64_t wanted = (found == held_.end() ? 0 : found->second) + more;
  if (wanted <= client_limit_) return absl::OkStatus();
  return LimitError("scenes_per_client", client_limit_, wanted);
}

absl::StatusOr<std::vector<std::string>> SceneNames::Reserve(const std::vector<std::string>& ids,
                                                             const std::string& field,
                                                             const std::string& client) {
  const absl::Status room = CheckLimits(static_cast<int64_t>(ids.size()), client);
  std::vector<std::string> reserved;
  absl::Status status;
  for (const std::string& id : ids) {
    if (id.empty()) continue;
    status = ValidateId(id, field);
    if (status.ok() && !scenes_.emplace(id, Scene{nullptr, client}).second) {
      status = DuplicateNameError(field, FormatSceneName(id));
    }
    if (!status.ok()) break;
    reserved.push_back(id);
  }
  if (status.ok()) status = room;
  if (!status.ok()) {
    for (const std::string& id : reserved) scenes_.erase(id);
    return status;
  }
  // Names are chosen last, so that a choice never takes a name this very call asks for.
  reserved = ids;
  for (std::string& id : reserved) {
    if (id.empty()) id = ChooseId(client);
  }
  if (!client.empty()) held_[client] += static_cast<int64_t>(ids.size());
  return reserved;
}

std::string SceneNames::ChooseId(const std::string& client) {
  while (true) {
    std::string id = "scene-" + std::to_string(++chosen_);
    if (scenes_.emplace(id, Scene{nullptr, client}).second) return id;
  }
}

void SceneNames::Fill(const std::string& id, std::shared_ptr<SceneActor> actor) {
  scenes_[id].actor = std::move(actor);
}

std::shared_ptr<SceneActor> SceneNames::Release(const std::string& id) {
  const auto found = scenes_.find(id);
  if (found == scenes_.end()) return nullptr;
  const Scene scene = std::move(found->second);
  scenes_.erase(found);
  const auto held = held_.find(scene.client);
  if (held != held_.end() && --held->second == 0) held_.erase(held);
  return scene.actor;
}

std::shared_ptr<SceneActor> SceneNames::Find(const std::string& id) const {
  const auto found = scenes_.find(id);
  return found == scenes_.end() ? nullptr : found->second.actor;
}

std::vector<std::shared_ptr<SceneActor>> SceneNames::FindAll() const {
  std::vector<std::shared_ptr<SceneActor>> all;
  for (const auto& [id, scene] : scenes_) {
    if (scene.actor != nullptr) all.push_back(scene.actor);
  }
  return all;
}

}  // namespace talus
