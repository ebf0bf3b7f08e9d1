// A snapshot comes back bit for bit, and nothing but a snapshot comes back at all.
#include "solver/state/snapshot.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "solver/base/random.h"
#include "solver/state/snapshot_features.h"
#include "solver/world/world.h"
#include "tests/scenes/piles.h"
#include "tests/scenes/single_body.h"
#include "tests/support/snapshot_seal.h"

namespace talus {
namespace {

using testing::Reseal;

// A scene with everything in it: emitter under way, contacts, names, a domain, every kind of shape
// and body.
World MakeBusyWorld() {
  scenes::GravelPileOptions options;
  options.particles = 100;
  options.walled = true;
  SceneDef scene = scenes::GravelPile(options);
  scene.emitters[0].center_world_m.z() = 0.2;
  BodyDef ground;
  ground.kind = BodyKind::kKinematic;
  ground.name = "ground";
  ground.shapes.resize(1);
  ground.shapes[0].geometry = Plane{Vec3(0, 0, 1)};
  ground.pose_world.position.z() = -0.3;
  scene.bodies.push_back(ground);
  BodyDef brick;
  brick.pose_world.position = Vec3(0.5, 0.5, 0.05);
  brick.shapes.resize(1);
  brick.shapes[0].geometry = Box{Vec3(0.05, 0.1, 0.05)};
  brick.mass_kg = 3.0;
  scene.bodies.push_back(brick);
  absl::StatusOr<World> world = World::Create(scene);
  EXPECT_TRUE(world.ok()) << world.status();
  WorkerArena workers(1);
  for (int step = 0; step < 20; ++step) EXPECT_TRUE(world->Step(workers).ok());
  EXPECT_GT(world->particles_pending(), 0);
  EXPECT_GT(world->last_report().contact_count, 10);
  return *std::move(world);
}

TEST(SnapshotTest, SaveRestoreSaveGivesTheSameBytes) {
  const World world = MakeBusyWorld();
  const std::string bytes = world.SaveSnapshot();
  const absl::StatusOr<World> restored = World::Restore(bytes);
  ASSERT_TRUE(restored.ok()) << restored.status();
  EXPECT_EQ(restored->SaveSnapshot(), bytes);
  EXPECT_EQ(restored->state_hash(), world.state_hash());
  EXPECT_EQ(restored->step_index(), world.step_index());
  EXPECT_EQ(restored->layout_version(), world.layout_version());
  EXPECT_EQ(restored->particles_pending(), world.particles_pending());
  EXPECT_EQ(restored->body_name(1), "ground");
  EXPECT_EQ(restored->settings().solver.solver, SolverKind::kAlartCurnier);
}

TEST(SnapshotTest, ARestoredWorldGoesOnWithTheSameHashes) {
  World world = MakeBusyWorld();
  absl::StatusOr<World> restored = World::Restore(world.SaveSnapshot());
  ASSERT_TRUE(restored.ok());
  WorkerArena workers(1);
  for (int step = 0; step < 60; ++step) {
    EXPECT_EQ(world.Step(workers)->state_hash, restored->Step(workers)->state_hash) << step;
  }
}

TEST(SnapshotTest, EveryTruncationIsRefused) {
  const std::string bytes = MakeBusyWorld().SaveSnapshot();
  for (size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_EQ(World::Restore(std::string_view(bytes).substr(0, size)).status().code(),
              absl::StatusCode::kInvalidArgument);
  }
  EXPECT_FALSE(World::Restore(bytes + '\0').ok());
}

TEST(SnapshotTest, EveryFlippedBitIsRefused) {
  const uint64_t seed = 7;
  SCOPED_TRACE(::testing::Message() << "seed " << seed);
  Random random(seed);
  const std::string bytes = MakeBusyWorld().SaveSnapshot();
  for (int round = 0; round < 3000; ++round) {
    std::string damaged = bytes;
    damaged[random.Next() % bytes.size()] ^= static_cast<char>(1 << random.Next() % 8);
    EXPECT_EQ(World::Restore(damaged).status().code(), absl::StatusCode::kInvalidArgument);
  }
}

TEST(SnapshotTest, AForgedSnapshotIsRefusedOrIsAStateThatSteps) {
  const uint64_t seed = 11;
  SCOPED_TRACE(::testing::Message() << "seed " << seed);
  Random random(seed);
  const std::string bytes = MakeBusyWorld().SaveSnapshot();
  WorkerArena workers(1);
  int accepted = 0;
  for (int round = 0; round < 3000; ++round) {
    std::string forged = bytes;
    const uint64_t changes = 1 + random.Next() % 3;
    for (uint64_t change = 0; change < changes; ++change) {
      forged[random.Next() % bytes.size()] = static_cast<char>(random.Next());
    }
    if (random.Next() % 4 == 0) forged.erase(forged.size() - random.Next() % 64);
    const uint64_t payload = forged.size() - 28;
    std::memcpy(forged.data() + 12, &payload, 8);
    Reseal(forged);
    absl::StatusOr<World> world = World::Restore(forged);
    if (!world.ok()) continue;
    ++accepted;
    EXPECT_EQ(world->SaveSnapshot(), forged);
    if (accepted % 20 == 0) (void)world->Step(workers);
  }
  // Most bytes are digits of positions and velocities, where any value will do.
  EXPECT_GT(accepted, 300);
}

TEST(SnapshotTest, ItSaysWhatIsWrong) {
  std::string bytes = World::Create(scenes::RollingDisk(0.01).Build())->SaveSnapshot();
  EXPECT_EQ(std::string(World::Restore("hello").status().message()),
            "snapshot: these bytes are no snapshot");
  std::string other = bytes;
  other[8] = 7;
  EXPECT_EQ(std::string(World::Restore(other).status().message()),
            "snapshot: version 7 must be in [1, 6]");
  other[8] = 0;
  EXPECT_EQ(std::string(World::Restore(other).status().message()),
            "snapshot: version 0 must be in [1, 6]");
  other = bytes;
  other[40] ^= 1;
  EXPECT_EQ(std::string(World::Restore(other).status().message()), "snapshot: its seal is broken");
  const double nan = std::nan("");
  std::memcpy(bytes.data() + 20, &nan, 8);
  Reseal(bytes);
  EXPECT_EQ(std::string(World::Restore(bytes).status().message()),
            "snapshot: settings.time_step_s = nan must be in [1e-06, 1]");
}

// Of a world in which body 2 sleeps and body 3, which slides, does not.
std::string SaveSleepingWorld() {
  SceneDef scene = scenes::RollingDisk(0.01).Build();
  scene.bodies[1].linear_velocity_world_m_s.setZero();
  scene.bodies[1].angular_velocity_world_rad_s.setZero();
  scene.bodies.push_back(scene.bodies[1]);
  scene.bodies[2].name = "sliding";
  scene.bodies[2].pose_world.position.x() = 9.0;
  scene.bodies[2].linear_velocity_world_m_s.x() = 1.0;
  scene.bodies[2].shapes[0].material = "";
  scene.settings.sleep = SleepSettings{0.005, 0.1};
  absl::StatusOr<World> world = World::Create(scene);
  EXPECT_TRUE(world.ok()) << world.status();
  WorkerArena workers(1);
  for (int step = 0; step < 30; ++step) EXPECT_TRUE(world->Step(workers).ok());
  EXPECT_EQ(world->last_report().sleeping_body_count, 1);
  return world->SaveSnapshot();
}

TEST(SnapshotTest, SleepIsSavedAndVersionOneHasNone) {
  const std::string bytes = SaveSleepingWorld();
  EXPECT_EQ(bytes[8], 2);
  const absl::StatusOr<World> restored = World::Restore(bytes);
  ASSERT_TRUE(restored.ok()) << restored.status();
  EXPECT_EQ(restored->SaveSnapshot(), bytes);
  EXPECT_EQ(restored->settings().sleep->speed_m_s, 0.005);
  EXPECT_EQ(restored->settings().sleep->time_s, 0.1);
  EXPECT_EQ(restored->last_report().sleeping_body_count, 1);
  EXPECT_EQ(MakeBusyWorld().SaveSnapshot()[8], 1);
  std::string other = bytes;
  other[8] = 1;
  Reseal(other);
  EXPECT_FALSE(World::Restore(other).ok());
}

TEST(SnapshotTest, SettingsOfFlatLawsAreSavedWhereTheyAreChosen) {
  SceneDef scene = scenes::RollingDisk(0.01).Build();
  scene.settings.solver.law = ContactLaw::kBristle;
  EXPECT_EQ(World::Create(scene)->SaveSnapshot()[8], 1);
  scene.settings.solver.bristle_stiffness_n_m = 1e7;
  scene.settings.solver.slip_threshold_m_s = 0.02;
  const std::string bytes = World::Create(scene)->SaveSnapshot();
  EXPECT_EQ(bytes[8], 5);
  const absl::StatusOr<World> restored = World::Restore(bytes);
  ASSERT_TRUE(restored.ok()) << restored.status();
  EXPECT_EQ(restored->SaveSnapshot(), bytes);
  const SolverSettings& solver = restored->settings().solver;
  EXPECT_EQ(solver.law, ContactLaw::kBristle);
  EXPECT_EQ(solver.solver, SolverKind::kBlockPivoting);
  EXPECT_EQ(solver.facet_count, 8);
  EXPECT_EQ(solver.bristle_stiffness_n_m, 1e7);
  EXPECT_EQ(solver.slip_threshold_m_s, 0.02);
  // What the door refuses is refused here, and so is a part that says nothing.
  SceneState state = *RestoreSnapshot(bytes);
  state.settings.solver.facet_count = 7;
  EXPECT_EQ(std::string(RestoreSnapshot(SaveSnapshot(state)).status().message()),
            "snapshot: settings.solver.facet_count = 7 must be even");
  std::string defaults = bytes;
  const SolverSettings chosen;
  // Header, features, time step, gravity, two speeds, law, solver, tolerance, sweeps, warm start,
  // facets; then the stiffness.
  constexpr size_t kStiffness = 20 + 1 + 8 + 24 + 8 + 8 + 1 + 1 + 8 + 4 + 1 + 4;
  std::memcpy(defaults.data() + kStiffness, &chosen.bristle_stiffness_n_m, 8);
  std::memcpy(defaults.data() + kStiffness + 8, &chosen.slip_threshold_m_s, 8);
  Reseal(defaults);
  EXPECT_EQ(std::string(RestoreSnapshot(defaults).status().message()),
            "snapshot: the settings do not parse");
}

SceneDef MakePsorScene(const PsorSettings& psor) {
  SceneDef scene = scenes::RollingDisk(0.01).Build();
  scene.settings.solver.law = ContactLaw::kCcp;
  scene.settings.solver.solver = SolverKind::kPsor;
  scene.settings.solver.psor = psor;
  return scene;
}

TEST(SnapshotTest, PsorIsSavedWhereItIsNotTheDefault) {
  EXPECT_EQ(World::Create(MakePsorScene({}))->SaveSnapshot()[8], 1);
  const PsorSettings chosen[] = {
      {.relaxation = 1.5}, {.averaging = 0.5}, {.sequential = false}, {0.25, 0.75, false}};
  for (const PsorSettings& psor : chosen) {
    const std::string bytes = World::Create(MakePsorScene(psor))->SaveSnapshot();
    EXPECT_EQ(bytes[8], 6);
    absl::StatusOr<World> restored = World::Restore(bytes);
    ASSERT_TRUE(restored.ok()) << restored.status();
    EXPECT_EQ(restored->SaveSnapshot(), bytes);
    EXPECT_EQ(restored->settings().solver.psor, psor);
    WorkerArena workers(1);
    EXPECT_TRUE(restored->Step(workers).ok());
  }
}

TEST(SnapshotTest, PsorThatNoSceneCanHaveIsRefused) {
  const std::string bytes = World::Create(MakePsorScene({.relaxation = 1.5}))->SaveSnapshot();
  const auto refusal = [&](auto change) {
    SceneState state = *RestoreSnapshot(bytes);
    change(state.settings.solver);
    return std::string(RestoreSnapshot(SaveSnapshot(state)).status().message());
  };
  EXPECT_EQ(refusal([](SolverSettings& solver) { solver.psor.relaxation = 2.0; }),
            "snapshot: settings.solver.psor.relaxation = 2 must be in (0, 2)");
  EXPECT_EQ(refusal([](SolverSettings& solver) { solver.psor.averaging = -0.5; }),
            "snapshot: settings.solver.psor.averaging = -0.5 must be in (0, 1]");
  EXPECT_EQ(refusal([](SolverSettings& solver) { solver.solver = SolverKind::kApgd; }),
            "snapshot: settings.solver.psor = given must be left out unless the solver is PSOR");
  // Header, features, time step, gravity, two speeds, law, solver, tolerance, sweeps, warm start.
  constexpr size_t kPsorPlace = 20 + 2 + 8 + 24 + 8 + 8 + 1 + 1 + 8 + 4 + 1;
  constexpr size_t kSequentialPlace = kPsorPlace + 16;
  const auto forge = [&](size_t place, const void* value, size_t size) {
    std::string forged = bytes;
    std::memcpy(forged.data() + place, value, size);
    Reseal(forged);
    return std::string(RestoreSnapshot(forged).status().message());
  };
  const double one = 1.0;
  EXPECT_EQ(forge(kPsorPlace, &one, 8), "snapshot: the settings do not parse");  // the defaults
  const double nan = std::nan("");
  EXPECT_EQ(forge(kPsorPlace, &nan, 8),
            "snapshot: settings.solver.psor.relaxation = nan must be in (0, 2)");
  const uint8_t two = 2;
  EXPECT_EQ(forge(kSequentialPlace, &two, 1), "snapshot: the settings do not parse");
  // Without the bit its bytes are taken for what comes next.
  const uint16_t none = kPsor << 1;
  EXPECT_NE(forge(20, &none, 2), "");
}

TEST(SnapshotTest, SleepThatNoBodyCanBeInIsRefused) {
  const std::string bytes = SaveSleepingWorld();
  const auto restore_with = [&](uint64_t id, auto change) {
    SceneState state = *RestoreSnapshot(bytes);
    std::vector<uint32_t> still_steps(state.bodies.still_steps().begin(),
                                      state.bodies.still_steps().end());
    EXPECT_EQ(still_steps.size(), 3u);
    still_steps[id - 1] = change;
    state.bodies.SwapStillSteps(still_steps);
    return std::string(RestoreSnapshot(SaveSnapshot(state)).status().message());
  };
  const auto refusal = [](uint64_t id) {
    return "snapshot: body " + std::to_string(id) + ": its sleep is none a body can be in";
  };
  // Awake after 11 steps of 10 ms at most; what moves or is not dynamic does not sleep.
  EXPECT_EQ(restore_with(2, 11), "");
  EXPECT_EQ(restore_with(2, 12), refusal(2));
  EXPECT_EQ(restore_with(3, 1), "");
  EXPECT_EQ(restore_with(3, BodyStore::kAsleep), refusal(3));
  EXPECT_EQ(restore_with(1, 0), "");
  EXPECT_EQ(restore_with(1, 1), refusal(1));
  EXPECT_EQ(restore_with(1, BodyStore::kAsleep), refusal(1));
}

// A zero with a sign where none is kept would be another hash for the same scene.
TEST(SnapshotTest, WhatIsNotKeptMustStandAsItIsWritten) {
  SceneDef scene;
  BodyDef ball;
  ball.kind = BodyKind::kStatic;
  ball.shapes.resize(1);
  ball.shapes[0].geometry = Sphere{0.1};
  scene.bodies = {ball};
  const absl::StatusOr<World> world = World::Create(scene);
  ASSERT_TRUE(world.ok());
  const std::string bytes = world->SaveSnapshot();
  // After the radius; and mass and inertia, which stand before the number of shapes and the shape's
  // kind, material and pose.
  const std::string radius = "\x9a\x99\x99\x99\x99\x99\xb9\x3f";
  const size_t at = bytes.find(radius);
  ASSERT_NE(at, std::string::npos);
  const size_t shape_head = 1 + 4 + 7 * 8;
  const size_t numbers = at - shape_head - 8 - 7 * 8;
  std::vector<size_t> places = {at + 8, at + 16};
  for (size_t number = 0; number < 7; ++number) places.push_back(numbers + 8 * number);
  for (const size_t place : places) {
    std::string forged = bytes;
    ASSERT_EQ(forged.substr(place, 8), std::string(8, '\0')) << place;
    forged[place + 7] = '\x80';
    Reseal(forged);
    EXPECT_FALSE(World::Restore(forged).ok()) << place;
  }
}

TEST(SnapshotTest, AHugeCountAllocatesNothing) {
  // The count of materials follows the settings; 2^60 of them cannot follow it.
  std::string bytes = World::Create(scenes::RollingDisk(0.01).Build())->SaveSnapshot();
  const size_t settings_bytes = 8 + 24 + 8 + 8 + 1 + 1 + 8 + 4 + 1 + 1;
  const uint64_t count = uint64_t{1} << 60;
  std::memcpy(bytes.data() + 20 + settings_bytes, &count, 8);
  Reseal(bytes);
  EXPECT_EQ(std::string(World::Restore(bytes).status().message()),
            "snapshot: the materials do not parse");
}

}  // namespace
}  // namespace talus
