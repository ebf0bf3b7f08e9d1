// Bodies that are set by hand have one result: the same bits for any number of workers, and after
// save and restore or a fork, before or after the update.
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "tests/scenes/heaps.h"
#include "tests/support/sleeping_worlds.h"

namespace talus {
namespace {

using testing::MakeSleepyWorld;

constexpr int kUpdatedSteps = 200;

// A heap on a ground, a static ball far from it, and one that is moved about.
SceneDef MakeHeapAndBalls() {
  SceneDef scene = scenes::Heap({.stones = 700});
  for (const char* const name : {"post", "plunger"}) {
    BodyDef ball = testing::MakeBall(Vec3(5.0, 0.0, 1.0), Vec3::Zero(), 0.1);
    ball.name = name;
    ball.kind = name == std::string("post") ? BodyKind::kStatic : BodyKind::kKinematic;
    ball.density_kg_m3.reset();
    scene.bodies.push_back(ball);
  }
  scene.settings.solver.max_sweeps = 60;  // unconverged steps must agree too
  return scene;
}

BodyUpdate PlaceNamed(const std::string& name, const Vec3& position) {
  BodyUpdate update;
  update.body = name;
  update.position_world_m = position;
  return update;
}

// What a user does before the step with this index; the heap sleeps before the first.
std::vector<BodyUpdate> UpdatesBefore(int64_t step_index) {
  if (step_index == 100) return {PlaceNamed("post", Vec3(0.0, 0.0, 0.1))};
  if (step_index == 110) {
    std::vector<BodyUpdate> updates(60);
    for (size_t k = 0; k < updates.size(); ++k) {
      updates[k].body = BodyId{5 + 7 * k};
      updates[k].position_world_m =
          Vec3(0.12 * static_cast<double>(k % 8), 0.0, 0.6 + 0.12 * static_cast<double>(k / 8));
      updates[k].orientation_world = Quat(0.6, 0.0, 0.8, 0.0);
      if (k % 2 == 0) updates[k].linear_velocity_world_m_s = Vec3(0.0, 0.0, -2.0);
      if (k % 3 == 0) updates[k].angular_velocity_world_rad_s = Vec3(3.0, 0.0, 1.0);
    }
    return updates;
  }
  if (step_index == 150) {
    std::vector<BodyUpdate> updates = {PlaceNamed("plunger", Vec3(0.05, 0.05, 0.3)),
                                       PlaceNamed("post", Vec3(5.0, 0.0, 1.0))};
    updates[0].linear_velocity_world_m_s = Vec3(0.0, 0.0, -0.5);
    return updates;
  }
  return {};
}

struct Course {
  std::vector<uint64_t> hashes;
  std::vector<int64_t> sleeping;
  bool operator==(const Course&) const = default;
};

// `between` may put another world in the place of this one before and after each update.
template <typename Between>
Course RunUpdates(int worker_count, const Between& between) {
  World world = MakeSleepyWorld(MakeHeapAndBalls(), {0.02, 0.1});
  WorkerArena workers(worker_count);
  Course course;
  for (int step = 0; step < kUpdatedSteps; ++step) {
    const std::vector<BodyUpdate> updates = UpdatesBefore(world.step_index());
    if (!updates.empty()) {
      between(world);
      const absl::Status status = world.UpdateBodies(updates);
      EXPECT_TRUE(status.ok()) << status;
      between(world);
      course.hashes.push_back(world.state_hash());
    }
    const absl::StatusOr<StepReport> report = world.Step(workers);
    EXPECT_TRUE(report.ok()) << report.status();
    course.hashes.push_back(report->state_hash);
    course.sleeping.push_back(report->sleeping_body_count);
  }
  return course;
}

TEST(UpdatedSteps, HaveTheSameBitsForAnyNumberOfWorkers) {
  const Course alone = RunUpdates(1, [](World&) {});
  EXPECT_EQ(alone.sleeping[99], 700);
  EXPECT_LT(alone.sleeping[100], 700);
  EXPECT_LT(alone.sleeping[110], 700);
  for (const int worker_count : {2, 3, 7}) {
    EXPECT_EQ(RunUpdates(worker_count, [](World&) {}), alone) << worker_count;
  }
}

TEST(UpdatedSteps, SaveRestoreAndForkChangeNothing) {
  const Course alone = RunUpdates(1, [](World&) {});
  EXPECT_EQ(RunUpdates(2, [](World& world) { world = world.Fork(); }), alone);
  EXPECT_EQ(RunUpdates(3,
                       [](World& world) {
                         absl::StatusOr<World> restored = World::Restore(world.SaveSnapshot());
                         ASSERT_TRUE(restored.ok()) << restored.status();
                         EXPECT_EQ(restored->state_hash(), world.state_hash());
                         world = *std::move(restored);
                       }),
            alone);
}

}  // namespace
}  // namespace talus
