// The names of all scenes: which are taken, by whom, and which one comes next when the caller
// leaves the choice to us.
//
// A name is reserved while its scene is being made; a reserved name is taken but nobody finds it.
// Not thread-safe: the registry has the lock.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "server/runtime/scene_actor.h"

namespace talus {

class SceneNames {
 public:
  explicit SceneNames(int64_t scene_limit) : scene_limit_(scene_limit) {}

  // All or none; an empty id is replaced by a chosen one. ALREADY_EXISTS, RESOURCE_EXHAUSTED
  // (scenes). Duplicates within `ids` count as taken. `field` names the field in errors, as in
  // `scene_ids`.
  absl::StatusOr<std::vector<std::string>> Reserve(const std::vector<std::string>& ids,
                                                   const std::string& field);
  // The scene under a reserved name is made.
  void Fill(const std::string& id, std::shared_ptr<SceneActor> actor);
  // The name is free again. Returns the actor it had.
  std::shared_ptr<SceneActor> Release(const std::string& id);
  // Null when there is none.
  std::shared_ptr<SceneActor> Find(const std::string& id) const;
  // All scenes that are made, sorted by id.
  std::vector<std::shared_ptr<SceneActor>> FindAll() const;
  // Reserved names included.
  int64_t count() const { return static_cast<int64_t>(scenes_.size()); }

 private:
  std::string ChooseId();

  const int64_t scene_limit_;
  std::map<std::string, std::shared_ptr<SceneActor>> scenes_;  // null: reserved
  int64_t chosen_ = 0;                                         // numbers given so far
};

}  // namespace talus
