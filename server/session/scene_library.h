// The scenes that whoever runs the server gave it, by name: what CreateScene makes by
// `named_scene`.
//
// Filled once before the first caller and never changed, so that reading it needs no lock. What is
// in it has been made once, so that a scene that cannot be is found when the server starts, not
// when it is asked for. It does not know where the scenes came from.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "solver/scene/scene_def.h"

namespace talus {

struct NamedSceneInfo {
  std::string name;
  int64_t body_count = 0;  // in the end: those described, and the particles of its emitters
  int64_t joint_count = 0;
  double time_step_s = 0.0;
};

struct NamedScenePage {
  std::vector<NamedSceneInfo> scenes;  // sorted by name
  std::string next_page_token;         // empty: the last page
};

class SceneLibrary {
 public:
  // INVALID_ARGUMENT: the name is no id, or names the field of the scene that is wrong;
  // RESOURCE_EXHAUSTED: it has more than any scene may; ALREADY_EXISTS.
  absl::Status Add(const std::string& name, SceneDef scene);

  // As it was given. Lives as long as the library. INVALID_ARGUMENT, NOT_FOUND: naming `field`.
  absl::StatusOr<const SceneDef*> Find(const std::string& name, const std::string& field) const;
  // INVALID_ARGUMENT: page_size is not in [0, 1000] (0: 100), or the token is not one of ours.
  absl::StatusOr<NamedScenePage> List(int64_t page_size, const std::string& page_token) const;
  size_t size() const { return scenes_.size(); }

 private:
  std::map<std::string, SceneDef> scenes_;
};

}  // namespace talus
