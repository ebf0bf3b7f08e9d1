// dm_env_rpc.v1.Environment over the wire: what the conformance runner does not ask for, because it
// is Talus's own: joints, bodies that go, snapshots as worlds, the end of the server.
#include <gmock/gmock.h>

#include <cmath>
#include <thread>

#include "clients/cli/conformance/environment_stream.h"
#include "tests/integration/server_fixture.h"

namespace talus::testing {
namespace {

using cli::conformance::EnvironmentStream;
using cli::conformance::Fill;
using cli::conformance::FindUid;
using cli::conformance::Ground;
using cli::conformance::Integer;
using cli::conformance::Number;
using cli::conformance::SettingsOf;
using cli::conformance::Text;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
namespace env = ::dm_env_rpc::v1;

class EnvironmentTest : public ServerTest {
 protected:
  void SetUp() override {
    StartServer();
    ground_ = std::make_unique<Ground>(server_->addresses()[0], client::ClientOptions{},
                                       client::CallOptions{});
  }
  void TearDown() override { ground_.reset(); }

  std::unique_ptr<Ground> ground_;
};

// A wheel on an axle that a motor turns, beside a ball without a name.
v1::SceneSpec Wheel() {
  v1::SceneSpec spec;
  v1::BodySpec& wheel = *spec.add_bodies();
  wheel.set_name("wheel.front");
  wheel.set_mass_kg(2.0);
  wheel.add_shapes()->mutable_sphere()->set_radius_m(0.1);
  v1::BodySpec& ball = *spec.add_bodies();
  ball = wheel;
  ball.clear_name();
  ball.mutable_position_world_m()->set_x(5.0);
  v1::JointSpec& axle = *spec.add_joints();
  axle.set_name("axle");
  axle.set_body_b("wheel.front");
  for (int axis = 0; axis < 5; ++axis) axle.add_axes()->set_mode(v1::AXIS_MODE_LOCKED);
  v1::JointAxis& motor = *axle.add_axes();
  motor.set_mode(v1::AXIS_MODE_MOTOR);
  spec.mutable_settings()->mutable_solver()->set_solver(v1::CONTACT_SOLVER_NEWTON);
  return spec;
}

TEST_F(EnvironmentTest, AMotorTurnsAsItIsToldAndTheJointTells) {
  EnvironmentStream stream(*ground_);
  const auto world = stream.Create(SettingsOf(Wheel()));
  ASSERT_TRUE(world) << world.error().ToString();
  const auto specs = stream.Join(*world);
  ASSERT_TRUE(specs) << specs.error().ToString();
  std::vector<std::string> names;
  for (uint64_t uid = 1; uid <= specs->actions().size(); ++uid)
    names.push_back(specs->actions().at(uid).name());
  EXPECT_THAT(names,
              ElementsAre("body.wheel.front.wrench", "body.#2.wrench", "joint.axle.rz.velocity"));
  const uint64_t motor = FindUid(specs->actions(), "joint.axle.rz.velocity");
  EXPECT_EQ(specs->actions().at(motor).shape_size(), 0);
  const uint64_t coordinates = FindUid(specs->observations(), "joints.coordinates");
  const uint64_t forces = FindUid(specs->observations(), "joints.forces");
  const uint64_t spin = FindUid(specs->observations(), "bodies.angular_velocity_world_rad_s");
  ASSERT_TRUE(stream.Step());
  for (int step = 1; step <= 4; ++step) {
    const auto stepped = stream.Step({{motor, Number(2.0)}}, {coordinates, forces, spin});
    ASSERT_TRUE(stepped) << stepped.error().ToString();
    EXPECT_NEAR(stepped->observations().at(spin).doubles().array(2), 2.0, 1e-6);
    EXPECT_NEAR(stepped->observations().at(coordinates).doubles().array(5), 0.01 * step, 1e-6);
    EXPECT_NEAR(stepped->observations().at(forces).doubles().array(2), 2.0 * 9.81, 1e-3);
    EXPECT_THAT(stepped->observations().at(forces).shape(), ElementsAre(1, 6));
  }
}

TEST_F(EnvironmentTest, ActionsAreChosenByName) {
  EnvironmentStream stream(*ground_);
  const auto world = stream.Create(SettingsOf(Wheel()));
  ASSERT_TRUE(world) << world.error().ToString();
  env::Tensor chosen = Text("joint.axle.rz.force");
  chosen.mutable_strings()->add_array("joint.axle.x.position");
  chosen.add_shape(2);
  const auto specs = stream.Join(*world, {{"actions", chosen}, {"force_limit", Number(7.0)}});
  ASSERT_TRUE(specs) << specs.error().ToString();
  ASSERT_EQ(specs->actions().size(), 2u);
  EXPECT_EQ(specs->actions().at(1).min().doubles().array(0), 0.0);
  EXPECT_EQ(specs->actions().at(1).max().doubles().array(0), 7.0);
  ASSERT_TRUE(stream.Leave());
  for (const char* bad :
       {"wheel", "body.wheel.front", "body.wheel.front.push", "joint.axle.velocity",
        "joint.axle.w.velocity", "body.#0.wrench", "body.#x.wrench", "body..wrench"}) {
    const auto refused = stream.Join(*world, {{"actions", Text(bad)}});
    ASSERT_FALSE(refused) << bad;
    EXPECT_EQ(refused.error().detail.field(), "settings[actions]") << bad;
  }
  EXPECT_EQ(stream.Join(*world, {{"actions", Text("body.nobody.wrench")}}).code(),
            client::Code::kNotFound);
  EXPECT_EQ(stream.Join(*world, {{"actions", Text("joint.axle.x.velocity")}}).code(),
            client::Code::kInvalidArgument)
      << "that axis has no motor";
  EXPECT_TRUE(stream.Join(*world)) << "a join that failed holds no lease";
}

TEST_F(EnvironmentTest, ABodyThatWentIsNotANumber) {
  v1::SceneSpec spec = cli::conformance::FallingBall();
  *spec.add_bodies() = spec.bodies(0);
  spec.mutable_bodies(1)->set_name("stays");
  spec.mutable_bodies(1)->mutable_position_world_m()->set_z(1e3);
  for (auto* corner : {spec.mutable_domain()->mutable_min_world_m(),
                       spec.mutable_domain()->mutable_max_world_m()}) {
    const double side = corner == spec.mutable_domain()->mutable_min_world_m() ? -1.0 : 1e4;
    corner->set_x(side);
    corner->set_y(side);
    corner->set_z(side);
  }
  EnvironmentStream stream(*ground_);
  const auto world = stream.Create(SettingsOf(spec));
  ASSERT_TRUE(world) << world.error().ToString();
  const auto specs = stream.Join(*world, {{"steps_per_action", Integer(200)}});
  ASSERT_TRUE(specs) << specs.error().ToString();
  const uint64_t positions = FindUid(specs->observations(), "bodies.position_world_m");
  ASSERT_TRUE(stream.Step());
  const auto stepped = stream.Step({}, {positions});  // 1 s: it falls 4.9 m
  ASSERT_TRUE(stepped) << stepped.error().ToString();
  const env::Tensor& tensor = stepped->observations().at(positions);
  EXPECT_THAT(tensor.shape(), ElementsAre(2, 3));
  EXPECT_TRUE(std::isnan(tensor.doubles().array(2)));
  EXPECT_NEAR(tensor.doubles().array(5), 1e3 - 4.9, 0.1);
}

TEST_F(EnvironmentTest, AFaultIsAnErrorAndTheStreamGoesOn) {
  EnvironmentStream stream(*ground_);
  v1::SceneSpec light = cli::conformance::FallingBall();
  light.mutable_bodies(0)->set_mass_kg(1e-6);
  const auto world = stream.Create(SettingsOf(light));
  ASSERT_TRUE(world) << world.error().ToString();
  const auto specs = stream.Join(*world, {{"force_limit", Number(1e12)}});
  ASSERT_TRUE(specs) << specs.error().ToString();
  ASSERT_TRUE(stream.Step());
  const auto stepped = stream.Step({{1, Fill(specs->actions().at(1), 1e12)}});
  ASSERT_FALSE(stepped);
  EXPECT_EQ(stepped.error().detail.reason(), v1::ERROR_REASON_SCENE_FAULTED);
  EXPECT_TRUE(stream.is_open());
  EXPECT_TRUE(stream.Leave());
  EXPECT_TRUE(stream.Destroy(*world));
}

TEST_F(EnvironmentTest, WhatIsRefusedIsNamedAsTheSettingItIs) {
  EnvironmentStream stream(*ground_);
  const auto refused = [&stream](const v1::SceneSpec& spec, const std::string& name,
                                 const env::Tensor& value) {
    auto settings = SettingsOf(spec);
    if (!name.empty()) settings[name] = value;
    const auto world = stream.Create(settings);
    if (world) return "made " + *world;
    EXPECT_EQ(world.error().message.rfind(world.error().detail.field(), 0), 0u)
        << world.error().ToString();
    return world.error().detail.field();
  };
  const v1::SceneSpec ball = cli::conformance::FallingBall();
  v1::SceneSpec light = ball;
  light.mutable_bodies(0)->set_mass_kg(-1.0);
  EXPECT_EQ(refused(light, "", {}), "settings[spec].bodies[0].mass_kg");
  v1::SceneSpec slow = ball;
  slow.mutable_settings()->set_time_step_s(5.0);
  EXPECT_EQ(refused(slow, "", {}), "settings[spec].settings.time_step_s");
  EXPECT_EQ(refused(ball, "time_step_s", Number(5.0)), "settings[time_step_s]");
  EXPECT_EQ(refused(ball, "tolerance", Number(-1.0)), "settings[tolerance]");
  EXPECT_EQ(refused(ball, "name", Text("a/b")), "settings[name]");
  // The parser quotes the text and ends the quotation within a letter.
  std::string japanese = "{";
  for (int i = 0; i < 40; ++i) japanese += "\u65E5";
  EXPECT_EQ(refused(ball, "spec", Text(japanese)), "settings[spec]");

  const auto world = stream.Create(SettingsOf(ball));
  ASSERT_TRUE(world) << world.error().ToString();
  const auto kept_out = [&](const std::string& name, const env::Tensor& value) {
    const auto joined = stream.Join(*world, {{name, value}});
    return joined ? "joined" : joined.error().detail.field();
  };
  EXPECT_EQ(kept_out("end_time_s", Number(-1.0)), "settings[end_time_s]");
  EXPECT_EQ(kept_out("end_on_contact", Text("nobody")), "settings[end_on_contact][0]");
  EXPECT_EQ(kept_out("end_on_contact", Text("a b")), "settings[end_on_contact][0]");
  EXPECT_EQ(kept_out("actions", Text("body.nobody.wrench")), "settings[actions][0].name");
  const auto nowhere = stream.Join("scenes/nowhere");
  ASSERT_FALSE(nowhere);
  EXPECT_EQ(nowhere.error().detail.field(), "world_name");
}

TEST_F(EnvironmentTest, AnySceneIsAWorldAndItsDeletionIsTold) {
  ASSERT_TRUE(CreateScene("mine", TenBalls()).ok());
  EnvironmentStream stream(*ground_);
  ASSERT_TRUE(stream.Join("scenes/mine"));
  ASSERT_TRUE(stream.Step());
  v1::DeleteSceneRequest request;
  request.set_scene("scenes/mine");
  ASSERT_TRUE(Call(*scenes_, &v1::SceneService::Stub::DeleteScene, request).ok());
  const auto stepped = stream.Step();
  ASSERT_FALSE(stepped);
  EXPECT_EQ(stepped.code(), client::Code::kAborted) << stepped.error().ToString();
  EXPECT_TRUE(stream.is_open());
  EXPECT_TRUE(stream.Leave());
}

TEST_F(EnvironmentTest, TheEndOfTheServerEndsStreamsThatAreInNoWorld) {
  EnvironmentStream idle(*ground_);
  ASSERT_TRUE(idle.Leave());  // it is there
  EnvironmentStream joined(*ground_);
  const auto world = joined.Create(SettingsOf(cli::conformance::FallingBall()));
  ASSERT_TRUE(world) << world.error().ToString();
  ASSERT_TRUE(joined.Join(*world));
  std::thread ending([this] { server_->Shutdown(milliseconds(60'000)); });
  const auto end = idle.Read();
  ASSERT_FALSE(end);
  EXPECT_EQ(end.error().detail.reason(), v1::ERROR_REASON_DRAINING) << end.error().ToString();
  EXPECT_FALSE(idle.is_open());
  EXPECT_EQ(joined.Read().code(), client::Code::kUnavailable);
  ending.join();
}

// SimulatorFeatures.msg of simulation_interfaces 2.1.
const std::map<std::string, int> kStandardFeatures = {{"SPAWNING", 0},
                                                      {"DELETING", 1},
                                                      {"NAMED_POSES", 2},
                                                      {"POSE_BOUNDS", 3},
                                                      {"ENTITY_TAGS", 4},
                                                      {"ENTITY_BOUNDS", 5},
                                                      {"ENTITY_BOUNDS_BOX", 6},
                                                      {"ENTITY_BOUNDS_CONVEX", 7},
                                                      {"ENTITY_CATEGORIES", 8},
                                                      {"SPAWNING_RESOURCE_STRING", 9},
                                                      {"ENTITY_STATE_GETTING", 10},
                                                      {"ENTITY_STATE_SETTING", 11},
                                                      {"ENTITY_INFO_GETTING", 12},
                                                      {"ENTITY_INFO_SETTING", 13},
                                                      {"SPAWNABLES", 14},
                                                      {"SIMULATION_RESET", 20},
                                                      {"SIMULATION_RESET_TIME", 21},
                                                      {"SIMULATION_RESET_STATE", 22},
                                                      {"SIMULATION_RESET_SPAWNED", 23},
                                                      {"SIMULATION_STATE_GETTING", 24},
                                                      {"SIMULATION_STATE_SETTING", 25},
                                                      {"SIMULATION_STATE_PAUSE", 26},
                                                      {"STEP_SIMULATION_SINGLE", 31},
                                                      {"STEP_SIMULATION_MULTIPLE", 32},
                                                      {"STEP_SIMULATION_ACTION", 33},
                                                      {"WORLD_LOADING", 40},
                                                      {"WORLD_RESOURCE_STRING", 41},
                                                      {"WORLD_TAGS", 42},
                                                      {"WORLD_UNLOADING", 43},
                                                      {"WORLD_INFO_GETTING", 44},
                                                      {"AVAILABLE_WORLDS", 45},
                                                      {"SPAWNING_ENTITIES", 50}};

TEST_F(EnvironmentTest, FeaturesAreThoseOfTheStandard) {
  const auto reply = Call(*about_, &v1::ServerService::Stub::GetFeatures, v1::GetFeaturesRequest());
  ASSERT_TRUE(reply.ok());
  std::map<std::string, int> told;
  std::map<std::string, bool> offered;
  for (const v1::Feature& feature : reply.response.features()) {
    EXPECT_TRUE(told.emplace(feature.name(), feature.number()).second) << feature.name();
    offered[feature.name()] = feature.offered();
  }
  EXPECT_EQ(told, kStandardFeatures);
  EXPECT_TRUE(offered["STEP_SIMULATION_MULTIPLE"]);
  EXPECT_TRUE(offered["ENTITY_STATE_SETTING"]);
  EXPECT_FALSE(offered["ENTITY_INFO_SETTING"]);
  EXPECT_FALSE(offered["AVAILABLE_WORLDS"]) << "without a data directory";
  EXPECT_THAT(reply.response.services(), ::testing::Contains("dm_env_rpc.v1.Environment"));
}

}  // namespace
}  // namespace talus::testing
