// Falling asleep and waking have one result: the same bits for any number of workers, after save
// and restore, after a fork, with and without the steps that are repeated instead of computed.
#include <gtest/gtest.h>

#include <vector>

#include "tests/scenes/heaps.h"
#include "tests/support/sleeping_worlds.h"

namespace talus {
namespace {

using testing::MakeBall;
using testing::MakeSleepyWorld;

constexpr int kSleepingSteps = 260;

// Two heaps of more stones than one chunk holds, the second 3 m away.
SceneDef MakeHeaps(ContactLaw law) {
  SceneDef scene = scenes::Heap({.stones = 700});
  const std::vector<BodyDef> stones(scene.bodies.begin() + 1, scene.bodies.end());
  for (BodyDef stone : stones) {
    stone.pose_world.position.x() += 3.0;
    scene.bodies.push_back(stone);
  }
  scene.domain = Domain{Vec3::Constant(-8.0), Vec3::Constant(8.0)};
  scene.settings.solver.law = law;
  scene.settings.solver.max_sweeps = 60;  // unconverged steps must agree too
  return scene;
}

// What a user does before the step with this index; both heaps sleep long before the first.
void Disturb(World& world) {
  if (world.step_index() == 100) {
    BodyDef stone = MakeBall(Vec3(0.02, 0.01, 0.6), Vec3(0.0, 0.0, -4.0), 0.05);
    stone.name = "stone";
    ASSERT_EQ(world.last_report().sleeping_body_count, 1400);
    ASSERT_TRUE(world.AddBodies({&stone, 1}).ok());
  }
  if (world.step_index() == 220) {
    const std::string name = "stone";
    const BodyId second_heap = world.bodies().ids[900];
    ASSERT_TRUE(world.RemoveBodies({&second_heap, 1}, {&name, 1}).ok());
  }
}

struct History {
  std::vector<uint64_t> hashes;
  std::vector<int64_t> sleeping;
  bool operator==(const History&) const = default;
};

// `between` may put another world in the place of this one after each step.
template <typename Between>
History RunHeaps(ContactLaw law, int worker_count, const Between& between) {
  World world = MakeSleepyWorld(MakeHeaps(law), {0.02, 0.1});
  WorkerArena workers(worker_count);
  History history;
  for (int step = 0; step < kSleepingSteps; ++step) {
    Disturb(world);
    absl::StatusOr<StepReport> report = world.Step(workers);
    EXPECT_TRUE(report.ok()) << report.status();
    history.hashes.push_back(report->state_hash);
    history.sleeping.push_back(report->sleeping_body_count);
    EXPECT_GT(report->stage_times.Total(), 0.0);  // also of a step that was repeated
    between(world);
  }
  return history;
}

History RunHeaps(ContactLaw law, int worker_count) {
  return RunHeaps(law, worker_count, [](World&) {});
}

class SleepingTest : public ::testing::TestWithParam<ContactLaw> {};

TEST_P(SleepingTest, EveryStepHasTheSameBitsForAnyNumberOfWorkers) {
  const History alone = RunHeaps(GetParam(), 1);
  // All slept, some were woken by the stone, some slept on.
  EXPECT_EQ(alone.sleeping[99], 1400);
  EXPECT_GE(alone.sleeping[150], 700);
  EXPECT_LT(alone.sleeping[150], 1400);
  for (const int worker_count : {2, 3, 7}) EXPECT_EQ(RunHeaps(GetParam(), worker_count), alone);
}

TEST_P(SleepingTest, SaveRestoreAndForkChangeNothing) {
  const History undisturbed = RunHeaps(GetParam(), 2);
  EXPECT_EQ(RunHeaps(GetParam(), 1,
                     [](World& world) {
                       if (world.step_index() % 10 != 0) return;
                       absl::StatusOr<World> restored = World::Restore(world.SaveSnapshot());
                       ASSERT_TRUE(restored.ok()) << restored.status();
                       EXPECT_EQ(restored->state_hash(), world.state_hash());
                       EXPECT_EQ(restored->last_report().sleeping_body_count,
                                 world.last_report().sleeping_body_count);
                       world = *std::move(restored);
                     }),
            undisturbed);
  // A fork keeps no buffers: each of its first steps is computed.
  EXPECT_EQ(RunHeaps(GetParam(), 1, [](World& world) { world = world.Fork(); }), undisturbed);
}

INSTANTIATE_TEST_SUITE_P(Laws, SleepingTest, ::testing::Values(ContactLaw::kNcp, ContactLaw::kCcp),
                         [](const auto& law) {
                           return law.param == ContactLaw::kNcp ? "Ncp" : "Ccp";
                         });

}  // namespace
}  // namespace talus
