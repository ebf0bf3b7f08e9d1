// Scenes that the server was given as files: listed, made by name, and no other file reached so.
#include "clients/cli/conformance/check.h"
#include "clients/cli/conformance/environment_stream.h"
#include "clients/cli/conformance/ground.h"

namespace talus::cli::conformance {
namespace {

constexpr char kNoScenes[] = "the server has no named scenes (--scenes)";
// Of a server with large ones; what holds for a few holds for the others.
constexpr size_t kMostMade = 3;

client::Result<std::vector<v1::NamedSceneInfo>> ListAll(Ground& ground, int page_size) {
  std::vector<v1::NamedSceneInfo> all;
  v1::ListNamedScenesRequest request;
  request.set_page_size(page_size);
  do {
    auto page = ground.client().ListNamedScenes(request, ground.call());
    if (!page) return page.error();
    all.insert(all.end(), page->scenes().begin(), page->scenes().end());
    request.set_page_token(page->next_page_token());
  } while (!request.page_token().empty());
  return all;
}

client::Result<v1::CreateSceneResponse> MakeNamed(Ground& ground, const std::string& named_scene) {
  v1::CreateSceneRequest request;
  request.set_scene_id(ground.NewId());
  request.set_named_scene(named_scene);
  auto made = ground.client().CreateScene(request, ground.call());
  if (made) ground.Own(made->scene().scene());
  return made;
}

Verdict NamedScenesAreListed(Ground& ground) {
  auto all = ListAll(ground, 0);
  TALUS_DEMAND_OK(all);
  auto one_by_one = ListAll(ground, 1);
  TALUS_DEMAND_OK(one_by_one);
  TALUS_DEMAND(all->size() == one_by_one->size(), "pages of one do not have as many scenes");
  for (size_t k = 0; k < all->size(); ++k) {
    TALUS_DEMAND((*all)[k].name() == (*one_by_one)[k].name(), "pages of one have other scenes");
    TALUS_DEMAND(k == 0 || (*all)[k - 1].name() < (*all)[k].name(), "the names are not sorted");
  }
  v1::ListNamedScenesRequest request;
  request.set_page_size(1001);
  TALUS_DEMAND_ERROR(ground.client().ListNamedScenes(request, ground.call()), kInvalidArgument,
                     v1::ERROR_REASON_INVALID_FIELD);
  request.set_page_size(1);
  request.set_page_token("no/token");
  TALUS_DEMAND_ERROR(ground.client().ListNamedScenes(request, ground.call()), kInvalidArgument,
                     v1::ERROR_REASON_INVALID_FIELD);
  return all->empty() ? Verdict::Skip(kNoScenes) : Verdict::Pass();
}

Verdict NamedScenesAreMade(Ground& ground) {
  auto all = ListAll(ground, 0);
  TALUS_DEMAND_OK(all);
  for (size_t k = 0; k < all->size() && k < kMostMade; ++k) {
    const v1::NamedSceneInfo& named = (*all)[k];
    auto made = MakeNamed(ground, named.name());
    TALUS_DEMAND_OK(made);
    const v1::SceneInfo& scene = made->scene();
    TALUS_DEMAND(scene.body_count() + scene.particles_pending() == named.body_count() &&
                     scene.joint_count() == named.joint_count() &&
                     scene.settings().time_step_s() == named.time_step_s(),
                 named.name() + " is not as it is listed");
  }
  return all->empty() ? Verdict::Skip(kNoScenes) : Verdict::Pass();
}

Verdict OtherNamesAreRefused(Ground& ground) {
  const std::string nobody = ground.NewId();
  TALUS_DEMAND_ERROR(MakeNamed(ground, nobody), kNotFound, v1::ERROR_REASON_NOT_FOUND);
  for (const char* name : {"", "../scenes/gravel_pile", "/etc/passwd", "gravel pile"}) {
    TALUS_DEMAND_ERROR(MakeNamed(ground, name), kInvalidArgument, v1::ERROR_REASON_INVALID_FIELD);
  }
  return Verdict::Pass();
}

// As any other scene: the same name makes the same world of the environment face.
Verdict NamedScenesAreWorlds(Ground& ground) {
  if (!ground.HasService(kEnvironment)) return Verdict::Skip("the server has no such service");
  auto all = ListAll(ground, 1);
  TALUS_DEMAND_OK(all);
  EnvironmentStream stream(ground);
  auto nowhere = stream.Create({{"scene", Text(ground.NewId())}});
  TALUS_DEMAND_ERROR(nowhere, kNotFound, v1::ERROR_REASON_NOT_FOUND);
  if (all->empty()) return Verdict::Skip(kNoScenes);
  auto world = stream.Create({{"scene", Text(all->front().name())}});
  TALUS_DEMAND_OK(world);
  ground.Own(*world);
  auto made = MakeNamed(ground, all->front().name());
  TALUS_DEMAND_OK(made);
  auto scene = ground.Scene(*world);
  TALUS_DEMAND_OK(scene);
  TALUS_DEMAND(scene->state_hash() == made->scene().state_hash(), "the world is another scene");
  return Verdict::Pass();
}

}  // namespace

std::vector<Check> ListNamedSceneChecks() {
  return {{"named", "scenes_are_listed", NamedScenesAreListed, {"AVAILABLE_WORLDS"}},
          {"named", "scenes_are_made", NamedScenesAreMade, {"WORLD_LOADING"}},
          {"named", "other_names_are_refused", OtherNamesAreRefused},
          {"named", "scenes_are_worlds", NamedScenesAreWorlds}};
}

}  // namespace talus::cli::conformance
