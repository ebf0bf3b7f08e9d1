// Scenes that the operator gave: found by name and by nothing else, listed by pages, and none that
// cannot be made.
#include "server/session/scene_library.h"

#include <gmock/gmock.h>

#include "server/session/error.h"
#include "tests/support/worlds.h"

namespace talus {
namespace {

using ::testing::HasSubstr;

SceneDef OneBall() {
  SceneDef scene;
  BodyDef ball;
  ball.mass_kg = 1.0;
  ShapeDef shape;
  shape.geometry = Sphere{0.1};
  ball.shapes.push_back(shape);
  scene.bodies.push_back(ball);
  scene.settings.time_step_s = 0.004;
  return scene;
}

TEST(SceneLibrary, FindsBySameNameOnly) {
  SceneLibrary library;
  ASSERT_TRUE(library.Add("ball", OneBall()).ok());
  EXPECT_EQ(library.size(), 1u);
  const auto found = library.Find("ball", "named_scene");
  ASSERT_TRUE(found.ok()) << found.status();
  EXPECT_EQ((*found)->settings.time_step_s, 0.004);
  const absl::Status missing = library.Find("bal", "named_scene").status();
  EXPECT_EQ(missing.code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(std::string(missing.message()), HasSubstr("named_scene = bal does not exist"));
  EXPECT_THAT(std::string(missing.message()), HasSubstr("ListNamedScenes"));
  const ErrorInfo info = FindErrorInfo(missing);
  EXPECT_EQ(info.reason, ErrorReason::kNotFound);
  EXPECT_EQ(info.value, "bal");
  for (const char* name : {"", "../ball", "ball.json/", "a b"}) {
    const absl::Status refused = library.Find(name, "settings[scene]").status();
    EXPECT_EQ(refused.code(), absl::StatusCode::kInvalidArgument) << name;
    EXPECT_EQ(FindErrorInfo(refused).field, "settings[scene]");
  }
}

TEST(SceneLibrary, TakesNoSceneThatCannotBeMade) {
  SceneLibrary library;
  SceneDef heavy = OneBall();
  heavy.bodies[0].mass_kg = -2.0;
  const absl::Status bad = library.Add("heavy", heavy);
  EXPECT_EQ(bad.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(bad.message(), "bodies[0].mass_kg = -2 must be > 0");
  EXPECT_EQ(FindErrorInfo(library.Add("a/b", OneBall())).field, "name");
  ASSERT_TRUE(library.Add("ball", OneBall()).ok());
  EXPECT_EQ(library.Add("ball", OneBall()).code(), absl::StatusCode::kAlreadyExists);
  EXPECT_EQ(library.size(), 1u);
}

TEST(SceneLibrary, ListsByNameAndCountsWhatEmittersBring) {
  SceneLibrary library;
  SceneDef pile = OneBall();
  pile.emitters.push_back({});
  EmitterDef& emitter = pile.emitters.back();
  emitter.name = "nozzle";
  emitter.nozzle_radius_m = 1.0;
  emitter.nozzle_height_m = 1.0;
  emitter.rate_per_s = 100.0;
  emitter.particle_count = 41;
  emitter.radius_min_m = emitter.radius_max_m = 0.05;
  emitter.density_kg_m3 = 1000.0;
  ASSERT_TRUE(library.Add("pile", pile).ok()) << library.Add("pile", pile);
  for (const char* name : {"c", "a", "B"}) ASSERT_TRUE(library.Add(name, OneBall()).ok());
  std::vector<std::string> names;
  NamedScenePage page;
  do {
    const auto next = library.List(3, page.next_page_token);
    ASSERT_TRUE(next.ok()) << next.status();
    page = *next;
    for (const NamedSceneInfo& info : page.scenes) names.push_back(info.name);
  } while (!page.next_page_token.empty());
  EXPECT_THAT(names, ::testing::ElementsAre("B", "a", "c", "pile"));
  EXPECT_EQ(page.scenes.back().body_count, 42);
  EXPECT_EQ(page.scenes.back().joint_count, 0);
  EXPECT_EQ(page.scenes.back().time_step_s, 0.004);
  EXPECT_EQ(FindErrorInfo(library.List(1001, "").status()).field, "page_size");
  EXPECT_EQ(FindErrorInfo(library.List(1, "a/b").status()).field, "page_token");
}

}  // namespace
}  // namespace talus
