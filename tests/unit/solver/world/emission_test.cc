#include "solver/world/emission.h"

#include <gtest/gtest.h>

#include "solver/world/scene_assembly.h"

namespace talus {
namespace {

EmitterDef MakeNozzle() {
  EmitterDef def;
  def.name = "nozzle";
  def.nozzle_radius_m = 0.5;
  def.nozzle_height_m = 0.4;
  def.rate_per_s = 100.0;
  def.particle_count = 50;
  def.seed = 3;
  def.radius_min_m = 0.01;
  def.radius_max_m = 0.03;
  def.density_kg_m3 = 1000.0;
  def.speed_m_s = 2.0;
  return def;
}

SceneState MakeState(const EmitterDef& def) {
  SceneDef scene;
  scene.settings.time_step_s = 0.01;
  scene.emitters.push_back(def);
  return AssembleScene(scene);
}

TEST(EmissionTest, ParticlesFallDueAtTheRate) {
  SceneState state = MakeState(MakeNozzle());
  for (state.step_index = 0; state.step_index < 100; ++state.step_index) {
    EXPECT_EQ(CountDue(state, state.emitters[0]), std::min<int64_t>(state.step_index + 1, 50))
        << state.step_index;
  }
}

TEST(EmissionTest, TimeCountsFromTheStepTheEmitterCame) {
  EmitterDef def = MakeNozzle();
  def.start_time_s = 0.05;
  SceneState state = MakeState(def);
  state.emitters.clear();
  state.step_index = 1000;
  AddEmitter(def, state);
  EXPECT_EQ(CountDue(state, state.emitters[0]), 0);
  state.step_index = 1004;
  EXPECT_EQ(CountDue(state, state.emitters[0]), 0);
  state.step_index = 1005;
  EXPECT_EQ(CountDue(state, state.emitters[0]), 1);
}

TEST(EmissionTest, ParticlesAreBornInTheNozzleApartFromEachOther) {
  SceneState state = MakeState(MakeNozzle());
  state.step_index = 100;
  Emission emission;
  EXPECT_EQ(emission.EmitParticles(state), 50);
  EXPECT_EQ(state.bodies.size(), 50u);
  EXPECT_EQ(state.layout_version, 2);
  const auto radius = [&](size_t row) { return state.bodies.shapes().ball_radius(row); };
  for (size_t row = 0; row < 50; ++row) {
    const Vec3& x = state.bodies.positions()[row];
    EXPECT_LE(std::hypot(x.x(), x.y()), 0.5);
    EXPECT_LE(std::abs(x.z()), 0.2);
    EXPECT_GE(radius(row), 0.01);
    EXPECT_LE(radius(row), 0.03);
    EXPECT_EQ(state.bodies.linear_velocities()[row], Vec3(0, 0, -2.0));
    EXPECT_NEAR(state.bodies.masses()[row], 1000.0 * 4.18879020478639 * std::pow(radius(row), 3),
                1e-9);
    for (size_t other = 0; other < row; ++other) {
      EXPECT_GE((state.bodies.positions()[other] - x).norm(), radius(other) + radius(row));
    }
  }
}

TEST(EmissionTest, ACrowdedNozzleMakesParticlesWaitAndNoneIsLost) {
  EmitterDef def = MakeNozzle();
  def.nozzle_radius_m = 0.03;
  def.nozzle_height_m = 0.0;
  SceneState state = MakeState(def);
  state.step_index = 100;
  Emission emission;
  const int64_t born = emission.EmitParticles(state);
  EXPECT_GE(born, 1);
  EXPECT_LT(born, 10);
  EXPECT_EQ(state.emitters[0].emitted_count, born);
  EXPECT_EQ(CountDue(state, state.emitters[0]), 50 - born);
  // Nothing moves, so hardly anything more fits; without a birth the layout stays what it was.
  const int64_t version = state.layout_version;
  int64_t more = 0;
  for (int round = 0; round < 20; ++round) more += emission.EmitParticles(state);
  EXPECT_LT(more, 10);
  EXPECT_LE(state.layout_version, version + more);
}

TEST(EmissionTest, TheRadiusDependsOnTheParticleNotOnTheWaiting) {
  EmitterDef def = MakeNozzle();
  SceneState at_once = MakeState(def);
  at_once.step_index = 100;
  Emission emission;
  emission.EmitParticles(at_once);
  SceneState one_by_one = MakeState(def);
  for (; one_by_one.step_index < 60; ++one_by_one.step_index) emission.EmitParticles(one_by_one);
  ASSERT_EQ(one_by_one.bodies.size(), 50u);
  for (size_t row = 0; row < 50; ++row) {
    EXPECT_EQ(at_once.bodies.shapes().ball_radius(row),
              one_by_one.bodies.shapes().ball_radius(row));
  }
}

TEST(EmissionTest, AnotherSeedIsAnotherStream) {
  EmitterDef def = MakeNozzle();
  SceneState a = MakeState(def);
  def.seed = 4;
  SceneState b = MakeState(def);
  Emission emission;
  emission.EmitParticles(a);
  emission.EmitParticles(b);
  EXPECT_NE(a.bodies.positions()[0], b.bodies.positions()[0]);
  EXPECT_NE(HashSceneState(a), HashSceneState(b));
}

TEST(EmissionTest, PlacesAreUniformInTheDisc) {
  EmitterDef def = MakeNozzle();
  def.particle_count = 4000;
  def.rate_per_s = 1e6;
  def.radius_min_m = def.radius_max_m = 1e-5;
  SceneState state = MakeState(def);
  state.step_index = 1;
  Emission emission;
  ASSERT_EQ(emission.EmitParticles(state), 4000);
  int inner = 0;
  int upper = 0;
  for (const Vec3& x : state.bodies.positions()) {
    if (std::hypot(x.x(), x.y()) < 0.5 * std::sqrt(0.5)) ++inner;
    if (x.z() > 0.0) ++upper;
  }
  // Half the area, half the height; 2000 +- 4 sigma of sqrt(1000).
  EXPECT_NEAR(inner, 2000, 127);
  EXPECT_NEAR(upper, 2000, 127);
}

}  // namespace
}  // namespace talus
