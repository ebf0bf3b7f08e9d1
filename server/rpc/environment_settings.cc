#include "server/rpc/environment_settings.h"

#include <algorithm>
#include <functional>
#include <map>
#include <string_view>
#include <utility>

#include "server/rpc/field_names.h"
#include "server/session/error.h"
#include "server/session/resource_name.h"
#include "server/wire/scene_text.h"
#include "server/wire/tensor_codec.h"
#include "solver/base/field_error.h"
#include "solver/base/status.h"

namespace talus::rpc {
namespace {

using wire::DecodeFlag;
using wire::DecodeInteger;
using wire::DecodeNumber;
using wire::DecodeText;
using wire::DecodeTexts;

// Takes one setting; `field` names it in errors.
using Taker = std::function<absl::Status(const env::Tensor& tensor, const std::string& field)>;
using Takers = std::map<std::string, Taker>;

std::string FieldOf(const std::string& name) {
  constexpr size_t kLongest = 64;
  return "settings[" + name.substr(0, kLongest) + ']';
}

// In the order of the table, so that of several faults the same one is told each time.
absl::Status Take(const Settings& settings, const Takers& takers) {
  for (const auto& [name, take] : takers) {
    const auto found = settings.find(name);
    if (found == settings.end()) continue;
    TALUS_RETURN_IF_ERROR(take(found->second, FieldOf(name)));
  }
  std::map<std::string, bool> unknown;
  for (const auto& [name, tensor] : settings) {
    if (takers.find(name) == takers.end()) unknown[name] = true;
  }
  if (unknown.empty()) return absl::OkStatus();
  std::string known;
  for (const auto& [name, take] : takers) known += (known.empty() ? "" : ", ") + name;
  return InvalidFieldError("settings", FormatValue(std::string_view(unknown.begin()->first)),
                           takers.empty() ? "must be empty" : "must be one of " + known);
}

template <typename Value, typename Decode>
Taker Into(Value& value, Decode decode) {
  return [&value, decode](const env::Tensor& tensor, const std::string& field) -> absl::Status {
    TALUS_ASSIGN_OR_RETURN(value, decode(tensor, field));
    return absl::OkStatus();
  };
}

absl::StatusOr<SceneDef> ParseSpec(const env::Tensor& tensor, const std::string& field) {
  TALUS_ASSIGN_OR_RETURN(const std::string text, DecodeText(tensor, field));
  return wire::DecodeSceneText(text, field.c_str());
}

// A world comes from one of these.
absl::Status CheckOneSource(const Settings& settings) {
  std::string given;
  int count = 0;
  for (const char* name : {"scene", "snapshot", "spec"}) {
    if (!settings.contains(name)) continue;
    given += (count++ == 0 ? "" : " and ") + std::string(name);
  }
  if (count == 1) return absl::OkStatus();
  return InvalidFieldError("settings", count == 0 ? "none of them" : given,
                           "must have one of scene, snapshot and spec");
}

absl::StatusOr<std::string> ParseHolder(const env::Tensor& tensor, const std::string& field) {
  TALUS_ASSIGN_OR_RETURN(std::string holder, DecodeText(tensor, field));
  if (!holder.empty() && holder.size() <= kLongestHolder) return holder;
  return InvalidFieldError(field, std::to_string(holder.size()) + " characters",
                           "must have 1 to " + std::to_string(kLongestHolder));
}

absl::StatusOr<std::vector<std::string>> ParseActions(const env::Tensor& tensor,
                                                      const std::string& field) {
  TALUS_ASSIGN_OR_RETURN(std::vector<std::string> actions, DecodeTexts(tensor, field));
  if (actions.size() <= kMostActions) return actions;
  return InvalidFieldError("size(" + field + ')', std::to_string(actions.size()),
                           "must be at most " + std::to_string(kMostActions));
}

absl::StatusOr<ContactCondition> ParseContact(const env::Tensor& tensor, const std::string& field) {
  TALUS_ASSIGN_OR_RETURN(const std::vector<std::string> bodies, DecodeTexts(tensor, field));
  if (bodies.size() == 1) return ContactCondition{bodies[0], ""};
  if (bodies.size() == 2) return ContactCondition{bodies[0], bodies[1]};
  return InvalidFieldError("size(" + field + ')', std::to_string(bodies.size()), "must be 1 or 2");
}

absl::StatusOr<int64_t> ParseSteps(const env::Tensor& tensor, const std::string& field,
                                   int64_t most) {
  TALUS_ASSIGN_OR_RETURN(const int64_t steps, DecodeInteger(tensor, field));
  if (steps >= 1 && steps <= most) return steps;
  return InvalidFieldError(field, std::to_string(steps),
                           "must be in [1, " + std::to_string(most) + ']');
}

}  // namespace

absl::StatusOr<WorldSettings> DecodeWorldSettings(const Settings& settings,
                                                  const SceneLibrary& library) {
  WorldSettings world;
  SceneDef scene;
  std::string named;
  std::string snapshot;
  double time_step_s = 0.0;
  double tolerance = 0.0;
  int64_t max_sweeps = 0;
  TALUS_RETURN_IF_ERROR(Take(settings, {{"max_sweeps", Into(max_sweeps, DecodeInteger)},
                                        {"name", Into(world.scene_id, DecodeText)},
                                        {"scene", Into(named, DecodeText)},
                                        {"snapshot", Into(snapshot, DecodeText)},
                                        {"spec", Into(scene, ParseSpec)},
                                        {"time_step_s", Into(time_step_s, DecodeNumber)},
                                        {"tolerance", Into(tolerance, DecodeNumber)}}));
  TALUS_RETURN_IF_ERROR(CheckOneSource(settings));
  for (const char* name : {"max_sweeps", "time_step_s", "tolerance"}) {
    if (settings.contains(name)) world.overrides.emplace_back(name);
  }
  if (settings.contains("snapshot")) {
    if (!world.overrides.empty()) {
      return InvalidFieldError("settings", "time_step_s, tolerance or max_sweeps",
                               "must not stand beside snapshot, which has its own");
    }
    TALUS_ASSIGN_OR_RETURN(world.source, ParseSnapshotName(snapshot, FieldOf("snapshot")));
    return world;
  }
  if (settings.contains("scene")) {
    TALUS_ASSIGN_OR_RETURN(const SceneDef* found, library.Find(named, FieldOf("scene")));
    scene = *found;
    world.origin = "scene";
  }
  if (settings.contains("time_step_s")) scene.settings.time_step_s = time_step_s;
  if (settings.contains("tolerance")) scene.settings.solver.tolerance = tolerance;
  if (settings.contains("max_sweeps")) {
    constexpr int64_t kMostSweeps = 1'000'000;
    if (max_sweeps < 1 || max_sweeps > kMostSweeps) {
      return InvalidFieldError(FieldOf("max_sweeps"), std::to_string(max_sweeps),
                               "must be in [1, 1000000]");
    }
    scene.settings.solver.max_sweeps = static_cast<int32_t>(max_sweeps);
  }
  world.source = std::move(scene);
  return world;
}

absl::StatusOr<EnvironmentOptions> DecodeJoinSettings(const Settings& settings,
                                                      const std::string& holder,
                                                      const Limits& limits) {
  EnvironmentOptions options;
  options.holder = holder;
  options.longest_wait_s = static_cast<double>(limits.lease_seconds);
  options.max_wait_s = std::min(options.max_wait_s, options.longest_wait_s);
  StopCondition end;
  bool end_at_rest = false;
  const auto parse_steps = [&limits](const env::Tensor& tensor, const std::string& field) {
    return ParseSteps(tensor, field, limits.steps_per_call);
  };
  TALUS_RETURN_IF_ERROR(
      Take(settings, {{"actions", Into(options.actions, ParseActions)},
                      {"end_at_rest", Into(end_at_rest, DecodeFlag)},
                      {"end_on_contact", Into(end.contact, ParseContact)},
                      {"end_time_s", Into(end.time_s, DecodeNumber)},
                      {"force_limit", Into(options.bounds.force, DecodeNumber)},
                      {"holder", Into(options.holder, ParseHolder)},
                      {"max_wait_s", Into(options.max_wait_s, DecodeNumber)},
                      {"sequence_steps", Into(options.sequence_steps, DecodeInteger)},
                      {"speed_limit", Into(options.bounds.speed, DecodeNumber)},
                      {"steps_per_action", Into(options.steps_per_action, parse_steps)}}));
  if (end_at_rest) end.rest.emplace();
  if (end.time_s.has_value() || end.rest.has_value() || end.contact.has_value()) options.end = end;
  return options;
}

absl::Status NameWorldSettings(const absl::Status& status, const char* origin,
                               std::span<const std::string> overrides) {
  static constexpr std::pair<std::string_view, std::string_view> kSolverFields[] = {
      {"settings.time_step_s", "time_step_s"},
      {"settings.solver.tolerance", "tolerance"},
      {"settings.solver.max_sweeps", "max_sweeps"}};
  const absl::Status named = RenameField(status, [overrides](std::string_view field) {
    if (field == "scene_id") return FieldOf("name");
    for (const auto& [solver_field, name] : kSolverFields) {
      if (field == solver_field && std::ranges::count(overrides, name) > 0) {
        return FieldOf(std::string(name));
      }
    }
    return std::string(field);
  });
  return PrefixField(named, FieldOf(origin));
}

absl::Status NameJoinSettings(const absl::Status& status) {
  static constexpr std::pair<std::string_view, std::string_view> kPrefixes[] = {
      {"until.time_s", "settings[end_time_s]"},
      {"until.contact.body_a", "settings[end_on_contact][0]"},
      {"until.contact.body_b", "settings[end_on_contact][1]"},
      {"actuators", "settings[actions]"}};
  return RenameField(status, [](std::string_view field) {
    for (const auto& [prefix, name] : kPrefixes) {
      if (field.starts_with(prefix)) {
        return std::string(name) + std::string(field.substr(prefix.size()));
      }
    }
    return std::string(field);
  });
}

absl::Status CheckNoSettings(const Settings& settings) { return Take(settings, {}); }

}  // namespace talus::rpc
