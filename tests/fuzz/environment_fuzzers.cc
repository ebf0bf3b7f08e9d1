// The environment face: settings of worlds and agents, and the actions of a step.
#include "dm_env_rpc/v1/dm_env_rpc.pb.h"
#include "server/rpc/environment_codec.h"
#include "server/rpc/environment_settings.h"
#include "solver/base/check.h"
#include "tests/fuzz/fuzz_world.h"
#include "tests/fuzz/fuzzers.h"

namespace talus::fuzz {
namespace {

constexpr Limits kLimits;

SceneLibrary MakeLibrary() {
  SceneLibrary library;
  TALUS_CHECK(library.Add("empty", {}).ok());
  return library;
}

EnvironmentWorld MakeEnvironment() {
  EnvironmentWorld world;
  auto layout = std::make_shared<Layout>();
  layout->version = 1;
  layout->body_ids = {1, 2, 3};
  layout->body_names = {"floor", "ball", ""};
  layout->body_kinds = {BodyKind::kStatic, BodyKind::kDynamic, BodyKind::kDynamic};
  layout->sphere_radii_m = {0.0, 0.1, 0.0};
  world.layout = layout;
  const auto actions = ListActions(*layout, {}, {}, {});
  TALUS_CHECK(actions.ok() && actions->size() == 2);
  world.actions = *actions;
  return world;
}

}  // namespace

void FeedEnvironmentSettings(std::string_view text) {
  static const SceneLibrary library = MakeLibrary();
  rpc::env::CreateWorldRequest message;
  if (!ReadText(text, message)) return;
  const auto join = rpc::DecodeJoinSettings(message.settings(), "somebody", kLimits);
  if (!join.ok()) CheckRefusal(join.status());
  absl::StatusOr<rpc::WorldSettings> world = rpc::DecodeWorldSettings(message.settings(), library);
  if (!world.ok()) return CheckRefusal(world.status());
  if (!std::holds_alternative<SceneDef>(world->source)) return;
  const absl::Status tried = TryScene(std::get<SceneDef>(std::move(world->source)));
  if (!tried.ok()) CheckRefusal(tried);
}

void FeedEnvironmentStep(std::string_view text) {
  static const EnvironmentWorld world = MakeEnvironment();
  rpc::env::StepRequest message;
  if (!ReadText(text, message)) return;
  const auto acts = rpc::DecodeActs(message, world);
  if (acts.ok()) {
    for (const EnvironmentAct& act : *acts) {
      TALUS_CHECK(act.action < world.actions.size() && act.values.size() == 6);
      for (const double value : act.values) {
        TALUS_CHECK(value >= world.actions[act.action].min &&
                    value <= world.actions[act.action].max);
      }
    }
  } else {
    CheckRefusal(acts.status());
  }
  const auto requested = rpc::DecodeRequested(message, world);
  if (!requested.ok()) CheckRefusal(requested.status());
}

}  // namespace talus::fuzz
