// The materials of a snapshot, elastic and viscous ones and pairs of them, come back as they were.
#include "solver/state/material_snapshot.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>

#include "solver/base/random.h"
#include "solver/state/snapshot.h"
#include "solver/world/world.h"
#include "tests/scenes/single_body.h"
#include "tests/support/snapshot_seal.h"

namespace talus {
namespace {

using testing::Reseal;

// Two materials and what they are to each other.
SceneDef MakePairedScene() {
  SceneDef scene = scenes::RollingDisk(0.01).Build();
  scene.materials.push_back({"ice", {0.1, 0.0, 0.0, 0.0}});
  scene.bodies[1].shapes[0].material = "ice";
  scene.material_pairs = {{"ice", "surface", {0.3, 0.01, 0.02, 0.4}}, {"ice", "ice", {}}};
  return scene;
}

TEST(MaterialSnapshotTest, PairsOfMaterialsAreSavedAndHashed) {
  SceneDef scene = MakePairedScene();
  World world = *World::Create(scene);
  const std::string bytes = world.SaveSnapshot();
  EXPECT_EQ(bytes[8], 5);
  absl::StatusOr<World> restored = World::Restore(bytes);
  ASSERT_TRUE(restored.ok()) << restored.status();
  EXPECT_EQ(restored->SaveSnapshot(), bytes);
  WorkerArena workers(1);
  for (int step = 0; step < 20; ++step) {
    EXPECT_EQ(world.Step(workers)->state_hash, restored->Step(workers)->state_hash);
  }
  std::ranges::reverse(scene.material_pairs);
  std::swap(scene.material_pairs[1].material_a, scene.material_pairs[1].material_b);
  EXPECT_EQ(World::Create(scene)->SaveSnapshot(), bytes);
  const uint64_t hash = World::Create(scene)->state_hash();
  scene.material_pairs[0].material.sliding_friction = 0.31;
  EXPECT_NE(World::Create(scene)->state_hash(), hash);
  scene.material_pairs[0].material.elasticity.sliding_viscosity_n_s_per_m = 1.0;
  const uint64_t viscous = World::Create(scene)->state_hash();
  scene.material_pairs[0].material.elasticity.sliding_viscosity_n_s_per_m = 2.0;
  EXPECT_NE(World::Create(scene)->state_hash(), viscous);
}

TEST(MaterialSnapshotTest, PairsThatNoSceneCanHaveAreRefused) {
  const std::string bytes = World::Create(MakePairedScene())->SaveSnapshot();
  const auto refusal = [&](std::vector<PairedMaterial> pairs) {
    SceneState state = *RestoreSnapshot(bytes);
    state.materials.SetPairs(std::move(pairs));
    return std::string(RestoreSnapshot(SaveSnapshot(state)).status().message());
  };
  EXPECT_EQ(refusal({{1, 2, {}}, {2, 2, {}}}), "");
  for (const std::vector<PairedMaterial>& pairs : {std::vector<PairedMaterial>{{2, 1, {}}},
                                                   {{0, 1, {}}},
                                                   {{1, 3, {}}},
                                                   {{1, 2, {}}, {1, 2, {}}}}) {
    EXPECT_EQ(refusal(pairs), "snapshot: the pairs of materials do not parse");
  }
  EXPECT_EQ(refusal({{1, 2, {-1.0, 0.0, 0.0, 0.0}}}),
            "snapshot: material_pairs[0].material.sliding_friction = -1 must be >= 0");
}

// A ball on bristles, in touch: materials with elasticity, a cache with normals. A viscosity above
// 0 creeps.
SceneState MakeElasticState(double viscosity = 0.0) {
  SceneDef scene = scenes::RollingDisk(0.01).Build();
  scene.materials[0].material.elasticity.rolling_stiffness_n_m_per_rad = 10.0;
  scene.materials[0].material.elasticity.sliding_viscosity_n_s_per_m = viscosity;
  World world = *World::Create(scene);
  WorkerArena workers(1);
  for (int step = 0; step < 3; ++step) EXPECT_TRUE(world.Step(workers).ok());
  return *RestoreSnapshot(world.SaveSnapshot());
}

TEST(MaterialSnapshotTest, ElasticityAndTheNormalsOfContactsAreSaved) {
  const SceneState state = MakeElasticState();
  EXPECT_EQ(state.contact_cache.normals().size(), 1u);
  EXPECT_EQ(state.materials[1].material.elasticity.rolling_stiffness_n_m_per_rad, 10.0);
  EXPECT_EQ(SaveSnapshot(*RestoreSnapshot(SaveSnapshot(state))), SaveSnapshot(state));
  const auto refusal = [](const SceneState& changed) {
    return std::string(RestoreSnapshot(SaveSnapshot(changed)).status().message());
  };
  SceneState bent = state;
  bent.contact_cache.SetNormals({Vec3(0.0, 0.1, 1.0)});
  EXPECT_EQ(refusal(bent), "snapshot: the normals of the contacts do not parse");
  SceneState cold = state;
  cold.settings.solver.warm_start = false;
  EXPECT_EQ(refusal(cold).find("snapshot: settings.solver.warm_start = false must be true"), 0u);
  // Features must be those that the scene has: bit 3 is elasticity.
  std::string forged = SaveSnapshot(state);
  forged[20] ^= 8;
  Reseal(forged);
  EXPECT_FALSE(World::Restore(forged).ok());
}

TEST(MaterialSnapshotTest, ViscosityIsVersionSix) {
  const SceneState state = MakeElasticState(7.0);
  EXPECT_EQ(state.materials[1].material.elasticity.sliding_viscosity_n_s_per_m, 7.0);
  const std::string bytes = SaveSnapshot(state);
  EXPECT_EQ(bytes[8], 6);
  EXPECT_EQ(SaveSnapshot(*RestoreSnapshot(bytes)), bytes);
  EXPECT_EQ(SaveSnapshot(MakeElasticState())[8], 5);
  // Bit 8 is viscosity, bit 9 and those above are nothing.
  for (const char bits : {char{1}, char{2}, char{-128}}) {
    std::string forged = bytes;
    forged[21] ^= bits;
    Reseal(forged);
    EXPECT_FALSE(World::Restore(forged).ok());
  }
}

class ForgedElasticSnapshotTest : public ::testing::TestWithParam<double> {};

INSTANTIATE_TEST_SUITE_P(Viscosity, ForgedElasticSnapshotTest, ::testing::Values(0.0, 7.0));

TEST_P(ForgedElasticSnapshotTest, IsRefusedOrIsAStateThatSteps) {
  const uint64_t seed = 13;
  SCOPED_TRACE(::testing::Message() << "seed " << seed);
  Random random(seed);
  const std::string bytes = SaveSnapshot(MakeElasticState(GetParam()));
  WorkerArena workers(1);
  int accepted = 0;
  for (int round = 0; round < 2000; ++round) {
    std::string forged = bytes;
    forged[20 + random.Next() % (bytes.size() - 28)] = static_cast<char>(random.Next());
    Reseal(forged);
    absl::StatusOr<World> world = World::Restore(forged);
    if (!world.ok()) continue;
    ++accepted;
    EXPECT_EQ(world->SaveSnapshot(), forged);
    (void)world->Step(workers);
  }
  EXPECT_GT(accepted, 200);
}

}  // namespace
}  // namespace talus
