#include "server/session/scene_table.h"

namespace talus {

absl::Status SceneTable::Reserve(const std::string& id) {
  MutexLock lock(mutex_);
  return names_.Reserve({id}, "scene_id", "").status();
}

absl::StatusOr<SceneInfos> SceneTable::Place(const std::vector<std::string>& ids,
                                             std::vector<World> worlds, const SceneTerms& terms) {
  std::vector<std::shared_ptr<SceneActor>> actors;
  SceneInfos infos;
  for (size_t index = 0; index < ids.size(); ++index) {
    actors.push_back(SceneActor::Make(ids[index], std::move(worlds[index]), runtime_, terms));
    infos.push_back(actors.back()->info());
  }
  {
    MutexLock lock(mutex_);
    if (!draining_) {
      for (const auto& actor : actors) names_.Fill(actor->id(), actor);
      return infos;
    }
  }
  Release(ids);
  return DrainingError();
}

void SceneTable::Release(const std::vector<std::string>& ids) {
  MutexLock lock(mutex_);
  for (const std::string& id : ids) names_.Release(id);
}

bool SceneTable::Withhold(const std::shared_ptr<SceneActor>& scene) {
  MutexLock lock(mutex_);
  if (names_.Find(scene->id()) != scene) return false;
  names_.Fill(scene->id(), nullptr);
  ++pending_;
  return true;
}

std::shared_ptr<SceneActor> SceneTable::Find(const std::string& id) const {
  MutexLock lock(mutex_);
  return names_.Find(id);
}

std::vector<std::shared_ptr<SceneActor>> SceneTable::FindAll() const {
  MutexLock lock(mutex_);
  return names_.FindAll();
}

int64_t SceneTable::count() const {
  MutexLock lock(mutex_);
  return names_.count();
}

void SceneTable::EndPending() {
  {
    MutexLock lock(mutex_);
    --pending_;
  }
  changed_.notify_all();
}

std::vector<std::shared_ptr<SceneActor>> SceneTable::BeginDrain() {
  MutexLock lock(mutex_);
  if (draining_) return {};
  draining_ = true;
  std::vector<std::shared_ptr<SceneActor>> actors = names_.FindAll();
  pending_ += static_cast<int64_t>(actors.size());
  return actors;
}

bool SceneTable::WaitUntilNothingPends(std::chrono::milliseconds patience) {
  const auto until = std::chrono::steady_clock::now() + patience;
  MutexLock lock(mutex_);
  while (pending_ > 0) {
    if (changed_.wait_until(mutex_, until) == std::cv_status::timeout) return pending_ == 0;
  }
  return true;
}

}  // namespace talus
