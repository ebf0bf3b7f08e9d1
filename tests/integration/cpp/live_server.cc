#include "tests/integration/cpp/live_server.h"

#include <cstdlib>
#include <filesystem>
#include <random>

#include "tests/support/wait_until.h"

namespace talus::client::testing {

v1::SceneSpec FallingBall() {
  v1::SceneSpec spec;
  v1::BodySpec& ball = *spec.add_bodies();
  ball.set_name("ball");
  ball.mutable_position_world_m()->set_z(100);
  ball.add_shapes()->mutable_sphere()->set_radius_m(0.1);
  ball.set_mass_kg(2);
  spec.mutable_settings()->set_time_step_s(0.125);
  spec.mutable_settings()->mutable_gravity_world_m_s2()->set_z(-8);
  return spec;
}

v1::SceneSpec PouringStones(int64_t particles, uint64_t seed) {
  v1::SceneSpec spec;
  v1::NamedMaterial& stone = *spec.add_materials();
  stone.set_name("stone");
  stone.mutable_material()->set_sliding_friction(0.6);
  stone.mutable_material()->set_rolling_friction_m(0.005);
  stone.mutable_material()->set_spinning_friction_m(0.005);
  v1::BodySpec& tray = *spec.add_bodies();
  tray.set_name("tray");
  tray.set_kind(v1::BODY_KIND_STATIC);
  v1::ShapeSpec& shape = *tray.add_shapes();
  shape.set_material("stone");
  shape.mutable_container()->set_inner_length_x_m(1);
  shape.mutable_container()->set_inner_length_y_m(1);
  shape.mutable_container()->set_wall_height_m(0.3);
  shape.mutable_container()->set_thickness_m(0.1);
  v1::EmitterSpec& hopper = *spec.add_emitters();
  hopper.set_name("hopper");
  hopper.mutable_center_world_m()->set_z(0.6);
  hopper.set_nozzle_radius_m(0.1);
  hopper.set_nozzle_height_m(0.1);
  hopper.set_rate_per_s(200);
  hopper.set_particle_count(particles);
  hopper.set_seed(seed);
  hopper.set_radius_min_m(0.02);
  hopper.set_radius_max_m(0.03);
  hopper.set_density_kg_m3(2000);
  hopper.set_material("stone");
  return spec;
}

v1::SceneSpec PackedBox(int edge) {
  constexpr double kRadius = 0.05;
  // A hair less than touching, so that rounding cannot part them.
  constexpr double kPitch = 0.999 * 2 * kRadius;
  v1::SceneSpec spec = PouringStones(1);
  spec.clear_emitters();
  v1::Container& box = *spec.mutable_bodies(0)->mutable_shapes(0)->mutable_container();
  box.set_inner_length_x_m(2 * kRadius * edge);
  box.set_inner_length_y_m(2 * kRadius * edge);
  box.set_wall_height_m(3 * kRadius * edge);
  std::mt19937 random(1);
  const auto kick = [&random] {
    return 0.2 * (2.0 * random() / static_cast<double>(std::mt19937::max()) - 1);
  };
  const double middle = 0.5 * (edge - 1);
  for (int i = 0; i < edge * edge * edge; ++i) {
    v1::BodySpec& stone = *spec.add_bodies();
    stone.mutable_position_world_m()->set_x(kPitch * (i % edge - middle));
    stone.mutable_position_world_m()->set_y(kPitch * (i / edge % edge - middle));
    stone.mutable_position_world_m()->set_z(kPitch * (i / (edge * edge) + 0.5));
    stone.mutable_linear_velocity_world_m_s()->set_x(kick());
    stone.mutable_linear_velocity_world_m_s()->set_y(kick());
    stone.mutable_linear_velocity_world_m_s()->set_z(kick());
    stone.set_density_kg_m3(2000);
    v1::ShapeSpec& shape = *stone.add_shapes();
    shape.set_material("stone");
    shape.mutable_sphere()->set_radius_m(kRadius);
  }
  return spec;
}

void LiveServerTest::StartServer(const std::vector<std::string>& options) {
  if (data_directory_.empty()) {
    std::string pattern = ::testing::TempDir() + "/talus-data-XXXXXX";
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    data_directory_ = pattern;
  }
  ServerProcessOptions process;
  process.binary = TALUS_SERVER_BINARY;
  process.arguments = {"--data-dir", data_directory_, "--log-level", "error"};
  process.arguments.insert(process.arguments.end(), options.begin(), options.end());
  process.drain_timeout = milliseconds{60000};
  auto started = ServerProcess::Start(process);
  ASSERT_TRUE(started) << started.error().ToString();
  server_.emplace(std::move(*started));
  client_.emplace(server_->address());
}

int LiveServerTest::StopServer() { return server_->Terminate(); }

void LiveServerTest::KillServer() {
  (void)server_->Kill();
  server_.reset();
}

void LiveServerTest::TearDown() {
  if (server_) {
    client_.reset();  // the drain gives an open connection half a second to close
    EXPECT_EQ(server_->Terminate(), 0) << "the server did not end well (a wait status)";
  }
}

LiveServerTest::~LiveServerTest() {
  server_.reset();
  std::error_code ignored;
  if (!data_directory_.empty()) std::filesystem::remove_all(data_directory_, ignored);
}

Scene LiveServerTest::Create(const std::string& id, const v1::SceneSpec& spec) {
  auto scene = Scene::Create(client(), spec, id);
  EXPECT_TRUE(scene) << scene.error().ToString();
  return *scene;
}

void LiveServerTest::AwaitStep(Scene scene, int64_t step) {
  EXPECT_TRUE(talus::testing::WaitUntil([&] {
    auto info = scene.Info();
    EXPECT_TRUE(info) << info.error().ToString();
    return !info || info->step_index() > step;
  })) << "the scene did not get past step "
      << step;
}

uint64_t LiveServerTest::Hash(Scene scene) {
  auto info = scene.Info();
  EXPECT_TRUE(info);
  return info ? info->state_hash() : 0;
}

}  // namespace talus::client::testing
