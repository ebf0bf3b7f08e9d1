// SceneService and ServerService through the C++ client: what comes, goes, and is refused without a
// trace.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/integration/cpp/live_server.h"

namespace talus::client::testing {
namespace {

class Scenes : public LiveServerTest {
 protected:
  void SetUp() override { StartServer({"--max-scenes", "3", "--max-bodies", "50"}); }
};

TEST_F(Scenes, AreCreatedDescribedListedAndDeleted) {
  Scene scene = Create("a", FallingBall());
  EXPECT_EQ(scene.name(), "scenes/a");
  auto info = scene.Info();
  ASSERT_TRUE(info);
  EXPECT_EQ(info->body_count(), 1);
  EXPECT_EQ(info->settings().time_step_s(), 0.125);
  Create("b", v1::SceneSpec());
  auto list = client().ListScenes({});
  ASSERT_TRUE(list);
  ASSERT_EQ(list->scenes_size(), 2);
  EXPECT_EQ(list->scenes(1).scene(), "scenes/b");
  EXPECT_TRUE(scene.Delete());
  EXPECT_EQ(Outcome(scene.Delete()), kNotFound);
  EXPECT_EQ(Outcome(scene.Info()), kNotFound);
}

TEST_F(Scenes, AreMadeByTheNameOfAFileOfTheServer) {
  StopServer();
  StartServer({"--scenes", TALUS_SCENE_FOLDER});
  auto listed = client().ListNamedScenes({});
  ASSERT_TRUE(listed);
  ASSERT_EQ(listed->scenes_size(), 3);
  EXPECT_EQ(listed->scenes(1).name(), "gravel_pile");
  auto disk = Scene::CreateNamed(client(), "rolling_disk", "disk");
  ASSERT_TRUE(disk) << disk.error().ToString();
  EXPECT_EQ(disk->name(), "scenes/disk");
  EXPECT_EQ(disk->Info()->body_count(), listed->scenes(2).body_count());
  EXPECT_EQ(Outcome(Scene::CreateNamed(client(), "rolling_dice")), kNotFound);
  EXPECT_EQ(Outcome(Scene::CreateNamed(client(), "../rolling_disk")), kInvalidField);
}

TEST_F(Scenes, HaveOneNameEach) {
  Scene scene = Create("a", FallingBall());
  const uint64_t hash = Hash(scene);
  EXPECT_EQ(Outcome(Scene::Create(client(), v1::SceneSpec(), "a")), kDuplicate);
  EXPECT_EQ(Hash(scene), hash);
  auto chosen = Scene::Create(client(), v1::SceneSpec());
  ASSERT_TRUE(chosen);
  EXPECT_NE(chosen->name(), "scenes/a");
}

TEST_F(Scenes, MayHaveATimeOfTheirOwnToBeIdle) {
  CreateOptions options;
  options.idle_ttl_s = 3600;
  auto scene = Scene::Create(client(), FallingBall(), "a", options);
  ASSERT_TRUE(scene) << scene.error().ToString();
  EXPECT_EQ(scene->Info()->idle_ttl_s(), 3600);
  options.idle_ttl_s = 0.5;
  EXPECT_EQ(Outcome(Scene::Create(client(), FallingBall(), "b", options)), kInvalidField);
}

TEST_F(Scenes, AreLimited) {
  for (const char* id : {"a", "b", "c"}) Create(id, v1::SceneSpec());
  auto fourth = Scene::Create(client(), v1::SceneSpec(), "d");
  EXPECT_EQ(Outcome(fourth), kLimit);
  EXPECT_EQ(fourth.error().detail.limit_value(), 3);
  auto too_many = PouringStones(51);
  ASSERT_TRUE(Scene::Attach(client(), "c").Delete());
  EXPECT_EQ(Outcome(Scene::Create(client(), too_many, "c")), kLimit);
}

struct BadBody {
  const char* field;
  void (*spoil)(v1::BodySpec& body);
};

TEST_F(Scenes, RefuseBadBodiesAndStayAsTheyWere) {
  const BadBody cases[] = {
      {"bodies[1].mass_kg", [](v1::BodySpec& body) { body.set_mass_kg(-2); }},
      {"bodies[1].mass_kg", [](v1::BodySpec& body) { body.set_mass_kg(std::nan("")); }},
      {"bodies[1].position_world_m.x",
       [](v1::BodySpec& body) { body.mutable_position_world_m()->set_x(std::nan("")); }},
      {"bodies[1].position_world_m.z",
       [](v1::BodySpec& body) {
         body.mutable_position_world_m()->set_z(std::numeric_limits<double>::infinity());
       }},
      {"bodies[1].orientation_world",
       [](v1::BodySpec& body) { body.mutable_orientation_world()->set_w(1.1); }},
      {"bodies[1].orientation_world",
       [](v1::BodySpec& body) { body.mutable_orientation_world()->set_w(0); }},
      {"size(bodies[1].shapes)", [](v1::BodySpec& body) { body.clear_shapes(); }},
      {"bodies[1].shapes[0].geometry",
       [](v1::BodySpec& body) { body.mutable_shapes(0)->clear_sphere(); }},
      {"bodies[1].shapes[0].sphere.radius_m",
       [](v1::BodySpec& body) { body.mutable_shapes(0)->mutable_sphere()->set_radius_m(0); }},
      {"bodies[1].name", [](v1::BodySpec& body) { body.set_name("no spaces"); }},
  };
  Scene scene = Create("a", FallingBall());
  const uint64_t hash = Hash(scene);
  for (const BadBody& bad : cases) {
    v1::AddBodiesRequest request;
    request.set_scene(scene.name());
    *request.add_bodies() = FallingBall().bodies(0);
    *request.add_bodies() = FallingBall().bodies(0);
    request.mutable_bodies(0)->set_name("good");
    request.mutable_bodies(1)->set_name("bad");
    bad.spoil(*request.mutable_bodies(1));
    auto refused = client().AddBodies(request);
    ASSERT_EQ(Outcome(refused), kInvalidField) << bad.field;
    EXPECT_EQ(refused.error().detail.field(), bad.field);
    EXPECT_FALSE(refused.error().detail.allowed().empty());
    EXPECT_EQ(Hash(scene), hash) << bad.field;

    v1::SceneSpec spec;
    *spec.mutable_bodies() = request.bodies();
    EXPECT_EQ(Outcome(Scene::Create(client(), spec, "never")), kInvalidField) << bad.field;
  }
  EXPECT_EQ(client().ListScenes({})->scenes_size(), 1);
}

TEST_F(Scenes, TakeBodiesAndEmittersInAndOut) {
  Scene scene = Create("a", PouringStones(10));
  v1::AddBodiesRequest add;
  add.set_scene(scene.name());
  *add.add_bodies() = FallingBall().bodies(0);
  auto added = client().AddBodies(add);
  ASSERT_TRUE(added);
  EXPECT_EQ(added->body_ids(0), 2u);
  EXPECT_EQ(Outcome(client().AddBodies(add)), kDuplicate);
  v1::RemoveBodiesRequest remove;
  remove.set_scene(scene.name());
  remove.add_body_names("ball");
  remove.add_body_ids(99);
  EXPECT_EQ(Outcome(client().RemoveBodies(remove)), kNotFound);
  remove.clear_body_ids();
  auto removed = client().RemoveBodies(remove);
  ASSERT_TRUE(removed);
  EXPECT_EQ(removed->layout().body_ids_size(), 1);

  v1::AddEmittersRequest emitters;
  emitters.set_scene(scene.name());
  *emitters.add_emitters() = PouringStones(5).emitters(0);
  EXPECT_EQ(Outcome(client().AddEmitters(emitters)), kDuplicate);
  emitters.mutable_emitters(0)->set_name("second");
  auto with_second = client().AddEmitters(emitters);
  ASSERT_TRUE(with_second);
  EXPECT_EQ(with_second->scene().particles_pending(), 15);
  v1::RemoveEmittersRequest fewer;
  fewer.set_scene(scene.name());
  fewer.add_emitter_names("hopper");
  ASSERT_TRUE(client().RemoveEmitters(fewer));
  EXPECT_EQ(Outcome(client().RemoveEmitters(fewer)), kNotFound);
  EXPECT_EQ(scene.Info()->particles_pending(), 5);
}

TEST_F(Scenes, CreationIsIdempotentByRequestId) {
  v1::CreateSceneRequest request;
  request.set_scene_id("a");
  request.set_request_id("once");
  *request.mutable_spec() = FallingBall();
  auto first = client().CreateScene(request);
  auto second = client().CreateScene(request);
  ASSERT_TRUE(first && second);
  EXPECT_EQ(first->scene().state_hash(), second->scene().state_hash());
  request.mutable_spec()->mutable_settings()->set_time_step_s(0.25);
  EXPECT_EQ(Outcome(client().CreateScene(request)),
            "INVALID_ARGUMENT ERROR_REASON_REQUEST_ID_REUSED");
  auto third = Scene::Create(client(), FallingBall(), "a", {.request_id = "once", .call = {}});
  ASSERT_TRUE(third) << third.error().ToString();
  EXPECT_EQ(third->name(), "scenes/a");
  request.clear_source();
  request.set_request_id("");
  EXPECT_EQ(Outcome(client().CreateScene(request)), kInvalidField);
}

TEST_F(Scenes, ServerTellsItsLimits) {
  auto info = client().GetServerInfo();
  ASSERT_TRUE(info);
  EXPECT_EQ(info->limits().scenes(), 3);
  EXPECT_EQ(info->limits().bodies_per_scene(), 50);
  EXPECT_EQ(info->scene_count(), 0);
  EXPECT_EQ(info->version(), "0.1.0");
  auto features = client().GetFeatures();
  ASSERT_TRUE(features);
  EXPECT_GT(features->features_size(), 0);
}

}  // namespace
}  // namespace talus::client::testing
