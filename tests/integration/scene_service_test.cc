// SceneService: every RPC and every error its comments list.
#include <gmock/gmock.h>

#include "server/wire/body_codec.h"
#include "server/wire/scene_codec.h"
#include "tests/integration/server_fixture.h"

namespace talus::testing {
namespace {

using SceneStub = v1::SceneService::Stub;

BodyDef Ball(const std::string& name) {
  BodyDef ball;
  ball.name = name;
  ball.pose_world.position = Vec3(0, 0, 5);
  ball.shapes.push_back({Sphere{0.1}, Pose{}, ""});
  ball.mass_kg = 1.0;
  return ball;
}

EmitterDef Nozzle(const std::string& name, int64_t particles = 8) {
  EmitterDef emitter;
  emitter.name = name;
  emitter.center_world_m = Vec3(0, 0, 10);
  emitter.nozzle_radius_m = 0.5;
  emitter.rate_per_s = 100.0;
  emitter.particle_count = particles;
  emitter.radius_min_m = emitter.radius_max_m = 0.02;
  emitter.density_kg_m3 = 1000.0;
  emitter.material = "stone";
  return emitter;
}

class SceneServiceTest : public ServerTest {
 protected:
  void SetUp() override {
    SceneHostOptions options = DefaultOptions();
    options.limits.scenes = 3;
    options.limits.bodies_per_scene = 40;
    StartServer(options);
  }

  Reply<v1::AddBodiesResponse> AddBodies(const std::string& id,
                                         const std::vector<BodyDef>& bodies) {
    v1::AddBodiesRequest request;
    request.set_scene("scenes/" + id);
    for (const BodyDef& body : bodies) wire::EncodeBody(body, *request.add_bodies());
    return Call(*scenes_, &SceneStub::AddBodies, request);
  }
  Reply<v1::RemoveBodiesResponse> RemoveBodies(const std::string& id, const std::string& name) {
    v1::RemoveBodiesRequest request;
    request.set_scene("scenes/" + id);
    request.add_body_names(name);
    return Call(*scenes_, &SceneStub::RemoveBodies, request);
  }
  Reply<v1::AddEmittersResponse> AddEmitter(const std::string& id, const EmitterDef& emitter) {
    v1::AddEmittersRequest request;
    request.set_scene("scenes/" + id);
    wire::EncodeEmitter(emitter, *request.add_emitters());
    return Call(*scenes_, &SceneStub::AddEmitters, request);
  }
  Reply<v1::DeleteSceneResponse> DeleteScene(const std::string& name) {
    v1::DeleteSceneRequest request;
    request.set_scene(name);
    return Call(*scenes_, &SceneStub::DeleteScene, request);
  }
};

TEST_F(SceneServiceTest, ACreatedSceneIsDescribedListedAndDeleted) {
  const auto created = CreateScene("pile", TenBalls());
  ASSERT_TRUE(created.ok()) << created.status.error_message();
  const v1::SceneInfo& info = created.response.scene();
  EXPECT_EQ(info.scene(), "scenes/pile");
  EXPECT_EQ(info.step_index(), 0);
  EXPECT_EQ(info.body_count(), 11);
  EXPECT_EQ(info.settings().time_step_s(), 0.005);
  EXPECT_EQ(info.settings().gravity_world_m_s2().z(), -9.81);
  EXPECT_EQ(created.response.layout().body_names(1), "ball0");
  EXPECT_EQ(created.response.layout().sphere_radii_m(1), 0.25);
  EXPECT_EQ(created.response.layout().body_kinds(0), v1::BODY_KIND_CODE_STATIC);
  EXPECT_EQ(GetScene("pile").SerializeAsString(), info.SerializeAsString());

  const auto unnamed = CreateScene("", TenBalls());
  ASSERT_TRUE(unnamed.ok());
  EXPECT_THAT(unnamed.response.scene().scene(), ::testing::StartsWith("scenes/"));
  EXPECT_EQ(unnamed.response.scene().state_hash(), info.state_hash());

  v1::ListScenesRequest list;
  list.set_page_size(1);
  std::vector<std::string> names;
  do {
    const auto page = Call(*scenes_, &SceneStub::ListScenes, list);
    ASSERT_TRUE(page.ok());
    ASSERT_EQ(page.response.scenes_size(), 1);
    names.push_back(page.response.scenes(0).scene());
    list.set_page_token(page.response.next_page_token());
  } while (!list.page_token().empty() && names.size() < 10);
  EXPECT_THAT(names,
              ::testing::UnorderedElementsAre("scenes/pile", unnamed.response.scene().scene()));
  EXPECT_TRUE(std::is_sorted(names.begin(), names.end()));

  EXPECT_TRUE(DeleteScene("scenes/pile").ok());
  EXPECT_TRUE(FailedWith(DeleteScene("scenes/pile"), grpc::StatusCode::NOT_FOUND,
                         v1::ERROR_REASON_NOT_FOUND));
}

TEST_F(SceneServiceTest, CreateReportsEachOfItsErrors) {
  ASSERT_TRUE(CreateScene("a", TenBalls()).ok());
  EXPECT_TRUE(FailedWith(CreateScene("a", TenBalls()), grpc::StatusCode::ALREADY_EXISTS,
                         v1::ERROR_REASON_DUPLICATE_NAME));
  const auto bad_id = CreateScene("no/slash", TenBalls());
  EXPECT_TRUE(
      FailedWith(bad_id, grpc::StatusCode::INVALID_ARGUMENT, v1::ERROR_REASON_INVALID_FIELD));
  EXPECT_EQ(bad_id.detail.field(), "scene_id");

  v1::CreateSceneRequest request;
  EXPECT_TRUE(FailedWith(Call(*scenes_, &SceneStub::CreateScene, request),
                         grpc::StatusCode::INVALID_ARGUMENT, v1::ERROR_REASON_INVALID_FIELD));
  request.set_snapshot_data("this is no snapshot");
  EXPECT_TRUE(FailedWith(Call(*scenes_, &SceneStub::CreateScene, request),
                         grpc::StatusCode::INVALID_ARGUMENT, v1::ERROR_REASON_BAD_SNAPSHOT));
  request.set_snapshot("snapshots/");
  EXPECT_TRUE(FailedWith(Call(*scenes_, &SceneStub::CreateScene, request),
                         grpc::StatusCode::INVALID_ARGUMENT, v1::ERROR_REASON_INVALID_FIELD));

  SceneDef too_big = TenBalls();
  for (int i = 0; i < 40; ++i) too_big.bodies.push_back(Ball("more" + std::to_string(i)));
  const auto over = CreateScene("big", too_big);
  EXPECT_TRUE(
      FailedWith(over, grpc::StatusCode::RESOURCE_EXHAUSTED, v1::ERROR_REASON_LIMIT_REACHED));
  EXPECT_EQ(over.detail.limit_name(), "bodies_per_scene");
  EXPECT_EQ(over.detail.limit_value(), 40);

  ASSERT_TRUE(CreateScene("b", TenBalls()).ok());
  ASSERT_TRUE(CreateScene("c", TenBalls()).ok());
  const auto full = CreateScene("d", TenBalls());
  EXPECT_TRUE(
      FailedWith(full, grpc::StatusCode::RESOURCE_EXHAUSTED, v1::ERROR_REASON_LIMIT_REACHED));
  EXPECT_EQ(full.detail.limit_name(), "scenes");
}

TEST_F(SceneServiceTest, ARepeatedCreateGetsTheFirstAnswer) {
  v1::CreateSceneRequest request;
  wire::EncodeScene(TenBalls(), *request.mutable_spec());
  request.set_request_id("once");
  const auto first = Call(*scenes_, &SceneStub::CreateScene, request);
  const auto again = Call(*scenes_, &SceneStub::CreateScene, request);
  ASSERT_TRUE(first.ok() && again.ok());
  EXPECT_EQ(first.response.SerializeAsString(), again.response.SerializeAsString());
  request.mutable_spec()->mutable_bodies(1)->set_name("other");
  EXPECT_TRUE(FailedWith(Call(*scenes_, &SceneStub::CreateScene, request),
                         grpc::StatusCode::INVALID_ARGUMENT, v1::ERROR_REASON_REQUEST_ID_REUSED));
}

TEST_F(SceneServiceTest, UnknownAndMalformedSceneNamesAreRefusedEverywhere) {
  v1::GetSceneRequest get;
  get.set_scene("scenes/nobody");
  EXPECT_TRUE(FailedWith(Call(*scenes_, &SceneStub::GetScene, get), grpc::StatusCode::NOT_FOUND,
                         v1::ERROR_REASON_NOT_FOUND));
  get.set_scene("nobody");
  const auto malformed = Call(*scenes_, &SceneStub::GetScene, get);
  EXPECT_TRUE(
      FailedWith(malformed, grpc::StatusCode::INVALID_ARGUMENT, v1::ERROR_REASON_INVALID_FIELD));
  EXPECT_EQ(malformed.detail.field(), "scene");
  EXPECT_TRUE(FailedWith(DeleteScene("scenes/a b"), grpc::StatusCode::INVALID_ARGUMENT,
                         v1::ERROR_REASON_INVALID_FIELD));
  EXPECT_TRUE(FailedWith(AddBodies("nobody", {Ball("x")}), grpc::StatusCode::NOT_FOUND,
                         v1::ERROR_REASON_NOT_FOUND));
  EXPECT_TRUE(FailedWith(RemoveBodies("nobody", "x"), grpc::StatusCode::NOT_FOUND,
                         v1::ERROR_REASON_NOT_FOUND));
  EXPECT_TRUE(FailedWith(AddEmitter("nobody", Nozzle("x")), grpc::StatusCode::NOT_FOUND,
                         v1::ERROR_REASON_NOT_FOUND));
  v1::RemoveEmittersRequest remove;
  remove.set_scene("scenes/nobody");
  EXPECT_TRUE(FailedWith(Call(*scenes_, &SceneStub::RemoveEmitters, remove),
                         grpc::StatusCode::NOT_FOUND, v1::ERROR_REASON_NOT_FOUND));
}

TEST_F(SceneServiceTest, ListRefusesBadPages) {
  v1::ListScenesRequest request;
  request.set_page_size(1001);
  const auto size = Call(*scenes_, &SceneStub::ListScenes, request);
  EXPECT_TRUE(FailedWith(size, grpc::StatusCode::INVALID_ARGUMENT, v1::ERROR_REASON_INVALID_FIELD));
  EXPECT_EQ(size.detail.field(), "page_size");
  request.set_page_size(0);
  request.set_page_token("not one of ours/");
  const auto token = Call(*scenes_, &SceneStub::ListScenes, request);
  EXPECT_TRUE(
      FailedWith(token, grpc::StatusCode::INVALID_ARGUMENT, v1::ERROR_REASON_INVALID_FIELD));
  EXPECT_EQ(token.detail.field(), "page_token");
}

TEST_F(SceneServiceTest, BodiesComeAndGo) {
  const auto created = CreateScene("a", TenBalls());
  const auto added = AddBodies("a", {Ball("x"), Ball("y")});
  ASSERT_TRUE(added.ok()) << added.status.error_message();
  ASSERT_EQ(added.response.body_ids_size(), 2);
  EXPECT_LT(added.response.body_ids(0), added.response.body_ids(1));
  EXPECT_EQ(added.response.layout().body_names(12), "y");
  EXPECT_GT(added.response.layout().layout_version(), created.response.layout().layout_version());

  const auto removed = RemoveBodies("a", "x");
  ASSERT_TRUE(removed.ok());
  EXPECT_EQ(removed.response.layout().body_ids_size(), 12);
  v1::RemoveBodiesRequest by_id;
  by_id.set_scene("scenes/a");
  by_id.add_body_ids(added.response.body_ids(1));
  EXPECT_TRUE(Call(*scenes_, &SceneStub::RemoveBodies, by_id).ok());
  EXPECT_TRUE(FailedWith(Call(*scenes_, &SceneStub::RemoveBodies, by_id),
                         grpc::StatusCode::NOT_FOUND, v1::ERROR_REASON_NOT_FOUND));
  EXPECT_EQ(GetScene("a").body_count(), 11);
}

TEST_F(SceneServiceTest, BodiesAreAddedAllOrNone) {
  CreateScene("a", TenBalls());
  const uint64_t hash = StateHash("a");
  EXPECT_TRUE(FailedWith(AddBodies("a", {Ball("x"), Ball("ball3")}),
                         grpc::StatusCode::ALREADY_EXISTS, v1::ERROR_REASON_DUPLICATE_NAME));
  BodyDef massless = Ball("y");
  massless.mass_kg = -2.0;
  const auto negative = AddBodies("a", {Ball("x"), massless});
  EXPECT_TRUE(
      FailedWith(negative, grpc::StatusCode::INVALID_ARGUMENT, v1::ERROR_REASON_INVALID_FIELD));
  EXPECT_EQ(negative.detail.field(), "bodies[1].mass_kg");
  EXPECT_EQ(negative.detail.value(), "-2");
  EXPECT_EQ(negative.detail.allowed(), "must be > 0");
  EXPECT_EQ(negative.status.error_message(), "bodies[1].mass_kg = -2 must be > 0");
  const auto over = AddBodies("a", std::vector<BodyDef>(30, Ball("")));
  EXPECT_TRUE(
      FailedWith(over, grpc::StatusCode::RESOURCE_EXHAUSTED, v1::ERROR_REASON_LIMIT_REACHED));
  EXPECT_TRUE(FailedWith(RemoveBodies("a", "nobody"), grpc::StatusCode::NOT_FOUND,
                         v1::ERROR_REASON_NOT_FOUND));
  v1::AddBodiesRequest material;
  material.set_scene("scenes/a");
  material.add_materials()->set_name("stone");
  EXPECT_TRUE(FailedWith(Call(*scenes_, &SceneStub::AddBodies, material),
                         grpc::StatusCode::ALREADY_EXISTS, v1::ERROR_REASON_DUPLICATE_NAME));
  EXPECT_EQ(StateHash("a"), hash);
}

TEST_F(SceneServiceTest, EmittersComeAndGo) {
  CreateScene("a", TenBalls());
  const auto added = AddEmitter("a", Nozzle("n"));
  ASSERT_TRUE(added.ok()) << added.status.error_message();
  EXPECT_EQ(added.response.scene().emitter_count(), 1);
  EXPECT_EQ(added.response.scene().particles_pending(), 8);
  EXPECT_TRUE(FailedWith(AddEmitter("a", Nozzle("n")), grpc::StatusCode::ALREADY_EXISTS,
                         v1::ERROR_REASON_DUPLICATE_NAME));
  EXPECT_TRUE(FailedWith(AddEmitter("a", Nozzle("over", 22)), grpc::StatusCode::RESOURCE_EXHAUSTED,
                         v1::ERROR_REASON_LIMIT_REACHED));
  EmitterDef bad = Nozzle("bad");
  bad.rate_per_s = 0.0;
  const auto refused = AddEmitter("a", bad);
  EXPECT_TRUE(
      FailedWith(refused, grpc::StatusCode::INVALID_ARGUMENT, v1::ERROR_REASON_INVALID_FIELD));
  EXPECT_EQ(refused.detail.field(), "emitters[0].rate_per_s");
  ASSERT_TRUE(Step("a", 20).ok());
  EXPECT_GT(GetScene("a").body_count(), 11);

  v1::RemoveEmittersRequest remove;
  remove.set_scene("scenes/a");
  remove.add_emitter_names("n");
  const auto removed = Call(*scenes_, &SceneStub::RemoveEmitters, remove);
  ASSERT_TRUE(removed.ok());
  EXPECT_EQ(removed.response.scene().emitter_count(), 0);
  EXPECT_EQ(removed.response.scene().particles_pending(), 0);
  EXPECT_GT(removed.response.scene().body_count(), 11);
  EXPECT_TRUE(FailedWith(Call(*scenes_, &SceneStub::RemoveEmitters, remove),
                         grpc::StatusCode::NOT_FOUND, v1::ERROR_REASON_NOT_FOUND));
}

}  // namespace
}  // namespace talus::testing
