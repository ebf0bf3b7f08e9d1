// Every kind of bad description is refused with the path of the field, and changes nothing.
#include <grpcpp/generic/generic_stub.h>

#include <future>
#include <limits>

#include "server/wire/body_codec.h"
#include "server/wire/scene_codec.h"
#include "tests/integration/server_fixture.h"

namespace talus::testing {
namespace {

struct BadScene {
  std::string name;
  std::function<void(v1::SceneSpec&)> spoil;
  std::string field;
};

const std::vector<BadScene>& BadScenes() {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  using Spec = v1::SceneSpec;
  static const std::vector<BadScene> scenes = {
      {"NegativeMass",
       [](Spec& s) {
         s.mutable_bodies(3)->clear_density_kg_m3();
         s.mutable_bodies(3)->set_mass_kg(-2.0);
       },
       "spec.bodies[3].mass_kg"},
      {"NanPose", [](Spec& s) { s.mutable_bodies(2)->mutable_position_world_m()->set_y(kNan); },
       "spec.bodies[2].position_world_m.y"},
      {"InfiniteVelocity",
       [](Spec& s) { s.mutable_bodies(2)->mutable_linear_velocity_world_m_s()->set_x(kInfinity); },
       "spec.bodies[2].linear_velocity_world_m_s.x"},
      {"NonUnitQuaternion",
       [](Spec& s) { s.mutable_bodies(1)->mutable_orientation_world()->set_w(1.1); },
       "spec.bodies[1].orientation_world"},
      {"ZeroQuaternion",
       [](Spec& s) { *s.mutable_bodies(1)->mutable_orientation_world() = v1::Quaternion(); },
       "spec.bodies[1].orientation_world"},
      {"UnsetGeometry", [](Spec& s) { s.mutable_bodies(1)->mutable_shapes(0)->clear_geometry(); },
       "spec.bodies[1].shapes[0].geometry"},
      {"ZeroRadius",
       [](Spec& s) { s.mutable_bodies(1)->mutable_shapes(0)->mutable_sphere()->set_radius_m(0.0); },
       "spec.bodies[1].shapes[0].sphere.radius_m"},
      {"UnknownKind", [](Spec& s) { s.mutable_bodies(4)->set_kind(static_cast<v1::BodyKind>(9)); },
       "spec.bodies[4].kind"},
      {"UnknownMaterial",
       [](Spec& s) { s.mutable_bodies(1)->mutable_shapes(0)->set_material("cheese"); },
       "spec.bodies[1].shapes[0].material"},
      {"BadName", [](Spec& s) { s.mutable_bodies(1)->set_name("a b"); }, "spec.bodies[1].name"},
      {"MassAndDensity", [](Spec& s) { s.mutable_bodies(5)->set_mass_kg(1.0); },
       "spec.bodies[5].density_kg_m3"},
      {"TimeStep", [](Spec& s) { s.mutable_settings()->set_time_step_s(2.0); },
       "spec.settings.time_step_s"},
      {"WrongSolverForLaw",
       [](Spec& s) { s.mutable_settings()->mutable_solver()->set_solver(v1::CONTACT_SOLVER_PSOR); },
       "spec.settings.solver.solver"},
      {"NegativeFriction",
       [](Spec& s) { s.mutable_materials(0)->mutable_material()->set_sliding_friction(-0.1); },
       "spec.materials[0].material.sliding_friction"},
      {"Theta", [](Spec& s) { s.mutable_settings()->set_theta(0.4); }, "spec.settings.theta"},
      {"NegativeStiffness",
       [](Spec& s) {
         s.mutable_materials(0)
             ->mutable_material()
             ->mutable_elasticity()
             ->set_rolling_stiffness_n_m_per_rad(-1.0);
       },
       "spec.materials[0].material.elasticity.rolling_stiffness_n_m_per_rad"},
      {"UnknownPair",
       [](Spec& s) {
         v1::MaterialPair& pair = *s.add_material_pairs();
         pair.set_material_a(s.materials(0).name());
         pair.set_material_b("nothing");
       },
       "spec.material_pairs[0].material_b"},
      {"EmptyDomain", [](Spec& s) { s.mutable_domain(); }, "spec.domain.max_world_m.x"}};
  return scenes;
}

class BadSceneTest : public ServerTest, public ::testing::WithParamInterface<size_t> {
 protected:
  void SetUp() override { StartServer(); }
};

TEST_P(BadSceneTest, IsRefusedByItsFieldAndMakesNoScene) {
  const BadScene& bad = BadScenes()[GetParam()];
  v1::CreateSceneRequest request;
  request.set_scene_id("bad");
  wire::EncodeScene(TenBalls(), *request.mutable_spec());
  bad.spoil(*request.mutable_spec());
  const auto reply = Call(*scenes_, &v1::SceneService::Stub::CreateScene, request);
  EXPECT_TRUE(FailedWith(reply, grpc::StatusCode::INVALID_ARGUMENT, v1::ERROR_REASON_INVALID_FIELD))
      << bad.name;
  EXPECT_EQ(reply.detail.field(), bad.field);
  EXPECT_FALSE(reply.detail.value().empty());
  EXPECT_FALSE(reply.detail.allowed().empty());
  EXPECT_EQ(reply.status.error_message().rfind(bad.field, 0), 0u) << reply.status.error_message();
  EXPECT_FALSE(reply.request_id.empty());
  EXPECT_EQ(host_->registry().scene_count(), 0);
}

INSTANTIATE_TEST_SUITE_P(All, BadSceneTest, ::testing::Range(size_t{0}, BadScenes().size()),
                         [](const auto& test) { return BadScenes()[test.param].name; });

class BadInputTest : public ServerTest {
 protected:
  void SetUp() override { StartServer(); }
};

TEST_F(BadInputTest, ABadChangeLeavesTheStateAsItWas) {
  CreateScene("a", TenBalls());
  ASSERT_TRUE(Step("a", 50).ok());
  const uint64_t hash = StateHash("a");
  for (const BadScene& bad : BadScenes()) {
    if (bad.field.rfind("spec.bodies", 0) != 0) continue;
    v1::SceneSpec spec;
    SceneDef scene = TenBalls();
    for (BodyDef& body : scene.bodies) body.name.clear();
    wire::EncodeScene(scene, spec);
    bad.spoil(spec);
    v1::AddBodiesRequest request;
    request.set_scene("scenes/a");
    *request.mutable_bodies() = spec.bodies();
    const auto reply = Call(*scenes_, &v1::SceneService::Stub::AddBodies, request);
    EXPECT_EQ(reply.status.error_code(), grpc::StatusCode::INVALID_ARGUMENT) << bad.name;
    EXPECT_EQ("spec." + reply.detail.field(), bad.field);
    EXPECT_EQ(StateHash("a"), hash) << bad.name;
  }
}

TEST_F(BadInputTest, DuplicateNamesInADescriptionAreNamed) {
  SceneDef scene = TenBalls();
  scene.bodies[4].name = "ball0";
  const auto reply = CreateScene("a", scene);
  EXPECT_TRUE(FailedWith(reply, grpc::StatusCode::ALREADY_EXISTS, v1::ERROR_REASON_DUPLICATE_NAME));
  EXPECT_EQ(reply.detail.field(), "spec.bodies[4].name");
}

TEST_F(BadInputTest, AnEndlessNameIsRefusedWithAShortMessage) {
  CreateScene("a", TenBalls());
  const uint64_t hash = StateHash("a");
  v1::StepRequest endless;
  endless.set_scene(std::string(5'000'000, 'x'));
  const auto reply = Step(endless);
  EXPECT_TRUE(
      FailedWith(reply, grpc::StatusCode::INVALID_ARGUMENT, v1::ERROR_REASON_INVALID_FIELD));
  EXPECT_LT(reply.status.error_message().size(), 2000u);
  EXPECT_EQ(StateHash("a"), hash);
}

TEST_F(BadInputTest, BytesThatAreNoMessageAreRefusedByEveryMethod) {
  CreateScene("a", TenBalls());
  const uint64_t hash = StateHash("a");
  grpc::GenericStub stub(channel_);
  for (const char* method :
       {"SceneService/CreateScene", "SceneService/AddBodies", "SimulationService/Step",
        "QueryService/GetState", "StreamService/WatchState", "SnapshotService/DownloadSnapshot"}) {
    grpc::ClientContext context;
    const grpc::Slice garbage(std::string("\xFF\xFF\xFF\xFF\xFF garbage"));
    const grpc::ByteBuffer request(&garbage, 1);
    grpc::ByteBuffer response;
    std::promise<grpc::Status> finished;
    stub.UnaryCall(&context, std::string("/talus.v1.").append(method), grpc::StubOptions(),
                   &request, &response,
                   [&](grpc::Status status) { finished.set_value(std::move(status)); });
    EXPECT_FALSE(finished.get_future().get().ok()) << method;
  }
  EXPECT_EQ(StateHash("a"), hash);
}

// A few kilobytes that unpack to gigabytes would pass every bound on messages.
TEST_F(BadInputTest, PackedMessagesAreRefusedUnread) {
  for (const auto algorithm : {GRPC_COMPRESS_GZIP, GRPC_COMPRESS_DEFLATE}) {
    v1::StepRequest request;
    request.set_scene(std::string(1'000'000, 'x'));
    grpc::ClientContext context;
    context.set_compression_algorithm(algorithm);
    v1::StepResponse response;
    const grpc::Status status = simulation_->Step(&context, request, &response);
    EXPECT_EQ(status.error_code(), grpc::StatusCode::UNIMPLEMENTED) << status.error_message();
  }
  EXPECT_TRUE(CreateScene("a", TenBalls()).ok());
}

}  // namespace
}  // namespace talus::testing
