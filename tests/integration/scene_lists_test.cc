// ListBodies and ListJoints: what was put into a scene is read back, page by page, and makes the
// same scene again.
#include <gmock/gmock.h>

#include "server/wire/scene_codec.h"
#include "tests/integration/server_fixture.h"

namespace talus::testing {
namespace {

using SceneStub = v1::SceneService::Stub;

class SceneListsTest : public ServerTest {
 protected:
  void SetUp() override { StartServer(DefaultOptions()); }

  Reply<v1::ListBodiesResponse> ListBodies(const std::string& name, int32_t page_size = 0,
                                           const std::string& token = "") {
    v1::ListBodiesRequest request;
    request.set_scene(name);
    request.set_page_size(page_size);
    request.set_page_token(token);
    return Call(*scenes_, &SceneStub::ListBodies, request);
  }
  Reply<v1::ListJointsResponse> ListJoints(const std::string& name, int32_t page_size = 0,
                                           const std::string& token = "") {
    v1::ListJointsRequest request;
    request.set_scene(name);
    request.set_page_size(page_size);
    request.set_page_token(token);
    return Call(*scenes_, &SceneStub::ListJoints, request);
  }
  Reply<v1::CreateSceneResponse> Create(const std::string& id, const v1::SceneSpec& spec) {
    v1::CreateSceneRequest request;
    request.set_scene_id(id);
    *request.mutable_spec() = spec;
    return Call(*scenes_, &SceneStub::CreateScene, request);
  }
};

// Two bobs that hang from the world and from each other, over a tray.
v1::SceneSpec HangingBobs() {
  v1::SceneSpec spec;
  v1::NamedMaterial& rubber = *spec.add_materials();
  rubber.set_name("rubber");
  rubber.mutable_material()->set_sliding_friction(0.6);
  v1::BodySpec& tray = *spec.add_bodies();
  tray.set_name("tray");
  tray.set_kind(v1::BODY_KIND_STATIC);
  v1::Container& container = *tray.add_shapes()->mutable_container();
  container.set_inner_length_x_m(2.0);
  container.set_inner_length_y_m(2.0);
  container.set_thickness_m(0.1);
  tray.mutable_shapes(0)->set_material("rubber");
  for (const double z : {2.0, 1.5}) {
    v1::BodySpec& bob = *spec.add_bodies();
    bob.set_name(z == 2.0 ? "upper" : "lower");
    bob.mutable_position_world_m()->set_z(z);
    bob.set_density_kg_m3(800.0);
    bob.add_shapes()->mutable_sphere()->set_radius_m(0.1);
    bob.mutable_shapes(0)->set_material("rubber");
  }
  for (const char* const name : {"upper", "lower"}) {
    const bool lower = name == std::string("lower");
    v1::JointSpec& joint = *spec.add_joints();
    joint.set_name(std::string("to-") + name);
    if (lower) joint.set_body_a("upper");
    joint.set_body_b(name);
    joint.mutable_position_a_m()->set_z(lower ? 0.0 : 2.5);
    joint.mutable_position_b_m()->set_z(0.5);
    for (int k = 0; k < 3; ++k) joint.add_axes()->set_mode(v1::AXIS_MODE_LOCKED);
  }
  return spec;
}

TEST_F(SceneListsTest, MakeTheSameSceneAgain) {
  const v1::SceneSpec spec = HangingBobs();
  const auto first = Create("a", spec);
  ASSERT_TRUE(first.ok()) << first.status.error_message();
  const auto bodies = ListBodies("scenes/a");
  const auto joints = ListJoints("scenes/a");
  ASSERT_TRUE(bodies.ok()) << bodies.status.error_message();
  ASSERT_TRUE(joints.ok()) << joints.status.error_message();
  EXPECT_EQ(bodies.response.layout_version(), first.response.layout().layout_version());
  EXPECT_EQ(joints.response.layout_version(), bodies.response.layout_version());
  EXPECT_EQ(bodies.response.step_index(), 0);
  v1::SceneSpec told;
  *told.mutable_materials() = bodies.response.materials();
  for (const v1::ListedBody& body : bodies.response.bodies()) *told.add_bodies() = body.spec();
  for (const v1::ListedJoint& joint : joints.response.joints()) *told.add_joints() = joint.spec();
  const auto second = Create("b", told);
  ASSERT_TRUE(second.ok()) << second.status.error_message();
  EXPECT_EQ(second.response.scene().state_hash(), first.response.scene().state_hash());
  const auto a = Step("a", 100);
  const auto b = Step("b", 100);
  ASSERT_TRUE(a.ok() && b.ok());
  EXPECT_EQ(b.response.frame().state_hash(), a.response.frame().state_hash());
}

TEST_F(SceneListsTest, TellWhatBecameOfEachBodyAndJoint) {
  ASSERT_TRUE(Create("a", HangingBobs()).ok());
  ASSERT_TRUE(Step("a", 3).ok());
  const auto bodies = ListBodies("scenes/a");
  ASSERT_TRUE(bodies.ok());
  EXPECT_EQ(bodies.response.step_index(), 3);
  ASSERT_EQ(bodies.response.bodies_size(), 3);
  const v1::ListedBody& tray = bodies.response.bodies(0);
  EXPECT_EQ(tray.body_id(), 1u);
  EXPECT_EQ(tray.spec().kind(), v1::BODY_KIND_STATIC);
  EXPECT_TRUE(tray.spec().shapes(0).has_box());
  EXPECT_EQ(tray.spec().shapes(0).material(), "rubber");
  EXPECT_FALSE(tray.spec().has_mass_kg());
  const v1::BodySpec& upper = bodies.response.bodies(1).spec();
  EXPECT_EQ(upper.name(), "upper");
  EXPECT_NEAR(upper.mass_kg(), 800.0 * 4.0 / 3.0 * M_PI * 1e-3, 1e-12);
  EXPECT_NEAR(upper.inertia_body_kg_m2().xx(), 0.4 * upper.mass_kg() * 0.01, 1e-12);
  EXPECT_FALSE(upper.has_density_kg_m3());
  ASSERT_EQ(bodies.response.materials_size(), 1);
  EXPECT_EQ(bodies.response.materials(0).material().sliding_friction(), 0.6);
  const auto joints = ListJoints("scenes/a");
  ASSERT_TRUE(joints.ok());
  EXPECT_EQ(joints.response.step_index(), 3);
  ASSERT_EQ(joints.response.joints_size(), 2);
  const v1::ListedJoint& joint = joints.response.joints(1);
  EXPECT_EQ(joint.joint_id(), 2u);
  EXPECT_EQ(joint.spec().body_a(), "upper");
  EXPECT_EQ(joint.spec().axes_size(), 6);
  EXPECT_EQ(joint.spec().axes(0).mode(), v1::AXIS_MODE_LOCKED);
  EXPECT_EQ(joint.spec().axes(5).mode(), v1::AXIS_MODE_FREE);
}

TEST_F(SceneListsTest, HaveTheBodiesOfEmitters) {
  SceneDef scene = TenBalls();
  EmitterDef& emitter = scene.emitters.emplace_back();
  emitter.name = "hopper";
  emitter.center_world_m = Vec3(0, 0, 10);
  emitter.nozzle_radius_m = 1.0;
  emitter.rate_per_s = 1000.0;
  emitter.particle_count = 8;
  emitter.radius_min_m = emitter.radius_max_m = 0.02;
  emitter.density_kg_m3 = 1000.0;
  emitter.material = "stone";
  ASSERT_TRUE(CreateScene("a", scene).ok());
  ASSERT_TRUE(Step("a", 10).ok());
  const auto bodies = ListBodies("scenes/a");
  ASSERT_TRUE(bodies.ok());
  ASSERT_EQ(bodies.response.bodies_size(), 19);
  const v1::BodySpec& particle = bodies.response.bodies(18).spec();
  EXPECT_EQ(particle.name(), "");
  EXPECT_EQ(particle.shapes(0).sphere().radius_m(), 0.02);
  EXPECT_EQ(particle.shapes(0).material(), "stone");
  EXPECT_GT(particle.mass_kg(), 0.0);
}

TEST_F(SceneListsTest, GoByPagesWhileBodiesComeAndGo) {
  ASSERT_TRUE(CreateScene("a", TenBalls()).ok());
  const auto first = ListBodies("scenes/a", 4);
  ASSERT_TRUE(first.ok());
  ASSERT_EQ(first.response.bodies_size(), 4);
  EXPECT_EQ(first.response.next_page_token(), "4");
  v1::RemoveBodiesRequest remove;
  remove.set_scene("scenes/a");
  for (const uint64_t id : {2, 4, 6}) remove.add_body_ids(id);
  ASSERT_TRUE(Call(*scenes_, &SceneStub::RemoveBodies, remove).ok());
  std::vector<uint64_t> rest;
  std::string token = first.response.next_page_token();
  while (!token.empty() && rest.size() < 20) {
    const auto page = ListBodies("scenes/a", 3, token);
    ASSERT_TRUE(page.ok());
    EXPECT_GT(page.response.layout_version(), first.response.layout_version());
    for (const v1::ListedBody& body : page.response.bodies()) rest.push_back(body.body_id());
    token = page.response.next_page_token();
  }
  EXPECT_THAT(rest, ::testing::ElementsAre(5, 7, 8, 9, 10, 11));
}

TEST_F(SceneListsTest, RefuseBadPagesAndUnknownScenes) {
  ASSERT_TRUE(CreateScene("a", TenBalls()).ok());
  const auto expect = [](const auto& reply, const std::string& field, const std::string& value) {
    EXPECT_TRUE(
        FailedWith(reply, grpc::StatusCode::INVALID_ARGUMENT, v1::ERROR_REASON_INVALID_FIELD));
    EXPECT_EQ(reply.detail.field(), field);
    EXPECT_EQ(reply.detail.value(), value);
    EXPECT_FALSE(reply.detail.allowed().empty());
  };
  expect(ListBodies("scenes/a", 1001), "page_size", "1001");
  expect(ListJoints("scenes/a", -1), "page_size", "-1");
  expect(ListBodies("scenes/a", 1, "ball0"), "page_token", "\"ball0\"");
  expect(ListJoints("scenes/a", 1, "0"), "page_token", "\"0\"");
  EXPECT_TRUE(FailedWith(ListBodies("scenes/nobody"), grpc::StatusCode::NOT_FOUND,
                         v1::ERROR_REASON_NOT_FOUND));
  EXPECT_TRUE(FailedWith(ListJoints("scenes/nobody"), grpc::StatusCode::NOT_FOUND,
                         v1::ERROR_REASON_NOT_FOUND));
  expect(ListBodies("a"), "scene", "\"a\"");
  const auto none = ListJoints("scenes/a");
  ASSERT_TRUE(none.ok());
  EXPECT_EQ(none.response.joints_size(), 0);
  EXPECT_EQ(none.response.next_page_token(), "");
}

}  // namespace
}  // namespace talus::testing
