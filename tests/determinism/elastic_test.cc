// Elastic heaps with memory have the same bits for any number of workers, after save and restore,
// in a fork, asleep and awake.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "solver/base/random.h"
#include "solver/world/world.h"
#include "tests/support/step_hashes.h"

namespace talus {
namespace {

using testing::StepHashes;

// Balls and bricks falling on each other, with a rigid one among them; `law` of the normals.
SceneDef MakeHeap(ContactLaw law, bool hertz, bool sleeps = false, bool creeps = false) {
  SceneDef scene;
  Elasticity soft{.rolling_stiffness_n_m_per_rad = 5.0, .spinning_stiffness_n_m_per_rad = 5.0};
  if (hertz) {
    soft.youngs_modulus_pa = 1e7;
    soft.poisson_ratio = 0.3;
    soft.normal_damping_n_s_per_m = 20.0;
  } else {
    soft.normal_stiffness_n_per_m = 5e4;
    soft.normal_damping_n_s_per_m = 50.0;
    soft.sliding_stiffness_n_per_m = 3e4;
  }
  if (creeps) {
    soft.sliding_viscosity_n_s_per_m = 1e3;
    soft.rolling_viscosity_n_m_s_per_rad = 5.0;
  }
  scene.materials = {{"soft", {0.5, 2e-3, 1e-3, 0.0, soft}}, {"stone", {0.6, 1e-3, 1e-3, 0.3}}};
  scene.material_pairs = {{"soft", "stone", {0.4, 1e-3, 1e-3, 0.0, soft}}};
  scene.settings.solver.law = law;
  scene.settings.solver.max_sweeps = 60;  // unconverged steps must agree too
  scene.settings.time_step_s = 2e-3;
  if (sleeps) scene.settings.sleep = SleepSettings{0.05, 0.05};
  BodyDef tray;
  tray.kind = BodyKind::kStatic;
  tray.shapes.push_back({Container{0.5, 0.5, 0.5, 0.1}, Pose{}, "stone"});
  scene.bodies.push_back(tray);
  Random random(3);
  for (int i = 0; i < 90; ++i) {
    BodyDef body;
    body.pose_world.position =
        Vec3(-0.18 + 0.12 * (i % 4), -0.18 + 0.12 * (i / 4 % 4), 0.06 + 0.11 * (i / 16));
    body.pose_world.position.x() += random.Uniform(-0.01, 0.01);
    const Geometry ball = Sphere{0.04 + random.Uniform(0.0, 0.01)};
    const Geometry brick = Box{Vec3(0.05, 0.03, 0.04)};
    body.shapes.push_back({i % 3 == 0 ? brick : ball, Pose{}, i % 5 == 0 ? "stone" : "soft"});
    body.density_kg_m3 = 1500.0;
    scene.bodies.push_back(body);
  }
  return scene;
}

class ElasticHeapTest : public ::testing::TestWithParam<std::pair<ContactLaw, bool>> {};

TEST_P(ElasticHeapTest, EveryStepHasTheSameBits) {
  const auto [law, hertz] = GetParam();
  std::vector<uint64_t> alone;
  for (const int worker_count : {1, 2, 3, 7}) {
    World world = *World::Create(MakeHeap(law, hertz));
    const std::vector<uint64_t> hashes = StepHashes(world, worker_count, 150);
    EXPECT_GT(world.last_report().contact_count, 80);
    if (alone.empty()) alone = hashes;
    EXPECT_EQ(hashes, alone) << worker_count << " workers";
  }
}

void ExpectRestoredAndForkGoOn(World world, int version) {
  StepHashes(world, 1, 120);
  const std::string bytes = world.SaveSnapshot();
  EXPECT_EQ(bytes[8], version);
  absl::StatusOr<World> restored = World::Restore(bytes);
  ASSERT_TRUE(restored.ok()) << restored.status();
  EXPECT_EQ(restored->SaveSnapshot(), bytes);
  World fork = world.Fork();
  const std::vector<uint64_t> expected = StepHashes(world, 1, 60);
  EXPECT_EQ(StepHashes(*restored, 2, 60), expected);
  EXPECT_EQ(StepHashes(fork, 3, 60), expected);
}

TEST_P(ElasticHeapTest, ARestoredOneAndAForkGoOnWithTheSameBits) {
  const auto [law, hertz] = GetParam();
  ExpectRestoredAndForkGoOn(*World::Create(MakeHeap(law, hertz)), 5);
}

TEST_P(ElasticHeapTest, SoDoesOneThatCreeps) {
  const auto [law, hertz] = GetParam();
  ExpectRestoredAndForkGoOn(*World::Create(MakeHeap(law, hertz, false, true)), 6);
}

INSTANTIATE_TEST_SUITE_P(Laws, ElasticHeapTest,
                         ::testing::Values(std::pair(ContactLaw::kNcp, false),
                                           std::pair(ContactLaw::kCcp, false),
                                           std::pair(ContactLaw::kNcp, true),
                                           std::pair(ContactLaw::kCcp, true)));

// What sleeps keeps what it carried and along which normals.
TEST(ElasticHeapTest, SleepsAndIsRestoredAsleep) {
  World world = *World::Create(MakeHeap(ContactLaw::kNcp, false, true));
  StepHashes(world, 2, 700);
  ASSERT_GT(world.last_report().sleeping_body_count, 0);
  absl::StatusOr<World> restored = World::Restore(world.SaveSnapshot());
  ASSERT_TRUE(restored.ok()) << restored.status();
  BodyDef hammer;
  hammer.shapes.push_back({Sphere{0.05}, Pose{}, "stone"});
  hammer.mass_kg = 3.0;
  hammer.pose_world.position.z() = 1.0;
  for (World* each : {&world, &*restored}) ASSERT_TRUE(each->AddBodies({&hammer, 1}).ok());
  EXPECT_EQ(StepHashes(*restored, 3, 300), StepHashes(world, 1, 300));
}

}  // namespace
}  // namespace talus
