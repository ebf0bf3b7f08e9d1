// Worlds in which bodies may sleep, for tests of who does: made, stepped and compared to the bit.
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "solver/world/world.h"
#include "tests/scenes/gravel.h"
#include "tests/scenes/piles.h"

namespace talus::testing {

// Asleep after 0.1 s, so that tests are short.
inline constexpr SleepSettings kShortSleep{0.005, 0.1};

inline World MakeSleepyWorld(SceneDef scene, const SleepSettings& sleep = kShortSleep) {
  scene.settings.sleep = sleep;
  absl::StatusOr<World> world = World::Create(scene);
  EXPECT_TRUE(world.ok()) << world.status();
  return *std::move(world);
}

inline StepReport StepOnce(World& world, int worker_count = 1) {
  WorkerArena workers(worker_count);
  absl::StatusOr<StepReport> report = world.Step(workers);
  EXPECT_TRUE(report.ok()) << report.status();
  return *std::move(report);
}

// Steps until `count` bodies sleep; fails the test when that takes more than `most` steps.
inline void StepUntilAsleep(World& world, int64_t count, int most = 2000) {
  WorkerArena workers(1);
  for (int step = 0; step < most; ++step) {
    ASSERT_TRUE(world.Step(workers).ok());
    if (world.last_report().sleeping_body_count == count) return;
  }
  FAIL() << world.last_report().sleeping_body_count << " bodies sleep, not " << count;
}

// The bits of the poses of the rows [begin, end).
inline std::string PoseBits(const World& world, size_t begin, size_t end) {
  const BodyStateView bodies = world.bodies();
  std::string bits((end - begin) * (sizeof(Vec3) + sizeof(Quat)), '\0');
  char* out = bits.data();
  for (size_t row = begin; row < end; ++row) {
    std::memcpy(out, bodies.positions[row].data(), sizeof(Vec3));
    std::memcpy(out + sizeof(Vec3), bodies.orientations[row].coeffs().data(), sizeof(Quat));
    out += sizeof(Vec3) + sizeof(Quat);
  }
  return bits;
}

// Towers of three cubes of a metre, `distance` apart along x: rows 1 to 3, 4 to 6, and so on, each
// from the bottom up. Row 0 is the ground.
inline SceneDef Towers(int count, double distance) {
  scenes::StackOptions options;
  options.count = 3;
  SceneDef scene = scenes::Stack(options);
  const std::vector<BodyDef> cubes(scene.bodies.begin() + 1, scene.bodies.end());
  for (int tower = 1; tower < count; ++tower) {
    for (BodyDef cube : cubes) {
      cube.pose_world.position.x() += tower * distance;
      scene.bodies.push_back(cube);
    }
  }
  return scene;
}

// A cube at rest on a floor that slides below it without friction: it is still, and for the floor's
// sake awake. Steps are so short that one of free fall is slower than what may sleep.
inline SceneDef CubeOnABelt() {
  SceneDef scene = Towers(1, 0.0);
  scene.bodies.resize(2);
  for (BodyDef& body : scene.bodies) body.shapes[0].material = "";
  scene.bodies[0].kind = BodyKind::kKinematic;
  scene.bodies[0].linear_velocity_world_m_s = Vec3(0.1, 0.0, 0.0);
  scene.settings.time_step_s = 1e-4;
  return scene;
}
inline constexpr SleepSettings kSleepOfShortSteps{0.005, 0.01};

inline BodyDef MakeBall(const Vec3& position, const Vec3& velocity = Vec3::Zero(),
                        double radius = 0.25) {
  BodyDef ball;
  ball.pose_world.position = position;
  ball.linear_velocity_world_m_s = velocity;
  ball.shapes.resize(1);
  ball.shapes[0].geometry = Sphere{radius};
  ball.density_kg_m3 = 1000.0;
  return ball;
}

}  // namespace talus::testing
