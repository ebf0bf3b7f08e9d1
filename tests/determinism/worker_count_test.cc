// The same bits for any number of workers, after save and restore, after a fork, and again from the
// start.
#include <gtest/gtest.h>

#include <vector>

#include "solver/world/world.h"
#include "tests/scenes/piles.h"
#include "tests/support/step_hashes.h"

namespace talus {
namespace {

using testing::StepHashes;

SceneDef MakePile(ContactLaw law) {
  scenes::GravelPileOptions options;
  options.particles = 120;
  SceneDef scene = scenes::GravelPile(options);
  scene.emitters[0].center_world_m.z() = 0.5;
  scene.settings.solver.law = law;
  scene.settings.solver.max_sweeps = 60;  // unconverged steps must agree too
  // A second nozzle, smaller stones: sizes differ, emitters take turns.
  EmitterDef fine = scene.emitters[0];
  fine.name = "fine";
  fine.center_world_m.x() = 0.6;
  fine.radius_min_m = 0.008;
  fine.radius_max_m = 0.016;
  fine.seed = 99;
  scene.emitters.push_back(fine);
  // The near edge of the domain cuts the pile, so that bodies leave while others come.
  scene.domain->min_world_m.y() = -0.12;
  return scene;
}

constexpr int kWorkerCountSteps = 80;

std::vector<uint64_t> RunPile(ContactLaw law, int worker_count) {
  absl::StatusOr<World> world = World::Create(MakePile(law));
  EXPECT_TRUE(world.ok()) << world.status();
  std::vector<uint64_t> hashes = StepHashes(*world, worker_count, kWorkerCountSteps);
  EXPECT_GT(world->last_report().contact_count, 150);
  return hashes;
}

class WorkerCountTest : public ::testing::TestWithParam<ContactLaw> {};

TEST_P(WorkerCountTest, EveryStepHasTheSameBits) {
  const std::vector<uint64_t> alone = RunPile(GetParam(), 1);
  for (const int worker_count : {1, 2, 3, 4, 7, 16}) {
    EXPECT_EQ(RunPile(GetParam(), worker_count), alone) << worker_count << " workers";
  }
}

TEST_P(WorkerCountTest, SaveRestoreAndForkInMidRunChangeNothing) {
  const std::vector<uint64_t> undisturbed = RunPile(GetParam(), 2);
  absl::StatusOr<World> world = World::Create(MakePile(GetParam()));
  StepHashes(*world, 1, kWorkerCountSteps / 2);
  absl::StatusOr<World> restored = World::Restore(world->SaveSnapshot());
  ASSERT_TRUE(restored.ok()) << restored.status();
  World fork = world->Fork();
  const std::vector<uint64_t> second_half(undisturbed.begin() + kWorkerCountSteps / 2,
                                          undisturbed.end());
  EXPECT_EQ(StepHashes(*restored, 3, kWorkerCountSteps / 2), second_half);
  EXPECT_EQ(StepHashes(fork, 2, kWorkerCountSteps / 2), second_half);
  EXPECT_EQ(StepHashes(*world, 1, kWorkerCountSteps / 2), second_half);
}

TEST_P(WorkerCountTest, TheWorkersMayChangeFromStepToStep) {
  const std::vector<uint64_t> steady = RunPile(GetParam(), 1);
  absl::StatusOr<World> world = World::Create(MakePile(GetParam()));
  for (int step = 0; step < kWorkerCountSteps; ++step) {
    EXPECT_EQ(StepHashes(*world, 1 + step % 5, 1)[0], steady[static_cast<size_t>(step)]);
  }
}

// Sweeps are dealt in strands of some 1500 contacts, other work in chunks of 512 bodies and the
// like: below that, any number of workers is one. A heap of thousands falls into many.
TEST_P(WorkerCountTest, AHeapOfManyStrandsHasTheSameBits) {
  scenes::PackedSpheresOptions options;
  options.count = 3000;
  SceneDef scene = scenes::PackedSpheres(options);
  scene.settings.solver.law = GetParam();
  scene.settings.solver.max_sweeps = 20;
  const auto run = [&](int worker_count) {
    absl::StatusOr<World> world = World::Create(scene);
    EXPECT_TRUE(world.ok()) << world.status();
    std::vector<uint64_t> hashes = StepHashes(*world, worker_count, 25);
    const StepReport& report = world->last_report();
    EXPECT_GT(report.strand_count, 3);
    return hashes;
  };
  const std::vector<uint64_t> alone = run(1);
  for (const int worker_count : {2, 3, 7}) EXPECT_EQ(run(worker_count), alone) << worker_count;
}

INSTANTIATE_TEST_SUITE_P(Laws, WorkerCountTest,
                         ::testing::Values(ContactLaw::kNcp, ContactLaw::kCcp),
                         [](const auto& law) {
                           return law.param == ContactLaw::kNcp ? "Ncp" : "Ccp";
                         });

}  // namespace
}  // namespace talus
