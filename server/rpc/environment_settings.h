// The settings of create_world and join_world, by name: docs/PROTOCOL.md has the tables. A setting
// that is not known is an error, and so is one of another type.
#pragma once

#include <google/protobuf/map.h>

#include <span>
#include <string>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "dm_env_rpc/v1/dm_env_rpc.pb.h"
#include "server/runtime/environment_session.h"
#include "server/session/limits.h"
#include "server/session/scene_library.h"

namespace talus::rpc {

namespace env = ::dm_env_rpc::v1;

using Settings = google::protobuf::Map<std::string, env::Tensor>;

struct WorldSettings {
  std::string scene_id;                        // empty: the server chooses one
  std::variant<SceneDef, std::string> source;  // a description, or the id of a stored snapshot
  const char* origin = "spec";                 // the setting that the description came from
  std::vector<std::string> overrides;          // settings that replaced fields of the description
};

// INVALID_ARGUMENT, and NOT_FOUND of a scene that `library` has not, naming `settings[...]`.
absl::StatusOr<WorldSettings> DecodeWorldSettings(const Settings& settings,
                                                  const SceneLibrary& library);
// `holder`: who joins where the settings do not say.
absl::StatusOr<EnvironmentOptions> DecodeJoinSettings(const Settings& settings,
                                                      const std::string& holder,
                                                      const Limits& limits);
// A failure to make the world, or one of an agent's calls, in the names of the settings it came
// from: `settings[spec].bodies[3].mass_kg`, `settings[name]`, `settings[end_on_contact][0]`.
absl::Status NameWorldSettings(const absl::Status& status, const char* origin,
                               std::span<const std::string> overrides);
absl::Status NameJoinSettings(const absl::Status& status);
// Of reset and reset_world, which have none.
absl::Status CheckNoSettings(const Settings& settings);

}  // namespace talus::rpc
