// The names of all scenes: which are taken, by whom, and which one comes next when the caller
// leaves the choice to us.
//
// A name is reserved while its scene is being made; a reserved name is taken but nobody finds it.
// It counts for the client who asked for it until it is free again; one that nobody asked for
// counts for none.
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
  // `client_limit` 0: a client may have any number.
  SceneNames(int64_t scene_limit, int64_t client_limit)
      : scene_limit_(scene_limit), client_limit_(client_limit) {}

  // All or none; an empty id is replaced by a chosen one. ALREADY_EXISTS, RESOURCE_EXHAUSTED
  // (scenes, scenes_per_client). Duplicates within `ids` count as taken. `field` names the field in
  // errors, as in `scene_ids`; `client` is who asks, empty: nobody.
  absl::StatusOr<std::vector<std::string>> Reserve(const std::vector<std::string>& ids,
                                                   const std::string& field,
                                                   const std::string& client);
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
  struct Scene {
    std::shared_ptr<SceneActor> actor;  // null: reserved
    std::string client;
  };

  std::string ChooseId(const std::string& client);
  absl::Status CheckLimits(int64_t more, const std::string& client) const;

  const int64_t scene_limit_;
  const int64_t client_limit_;
  std::map<std::string, Scene> scenes_;
  std::map<std::string, int64_t> held_;  // scenes by client; none of nobody
  int64_t chosen_ = 0;                   // numbers given so far
};

}  // namespace talus
