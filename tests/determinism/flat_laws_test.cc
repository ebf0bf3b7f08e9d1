// Laws with flat sides: the same bits for any number of workers, after save and restore, and after
// a fork. Bristles also go on with what they remembered.
#include <gtest/gtest.h>

#include <vector>

#include "solver/world/world.h"
#include "tests/support/flat_law_scenes.h"

namespace talus {
namespace {

constexpr int kSteps = 40;

std::vector<uint64_t> StepHashes(World& world, int worker_count, int steps) {
  WorkerArena workers(worker_count);
  std::vector<uint64_t> hashes;
  for (int step = 0; step < steps; ++step) {
    absl::StatusOr<StepReport> report = world.Step(workers);
    EXPECT_TRUE(report.ok()) << report.status();
    if (!report.ok()) break;
    hashes.push_back(report->state_hash);
  }
  return hashes;
}

World MakeWorld(ContactLaw law) {
  absl::StatusOr<World> world = World::Create(testing::MakeFlatLawScene(law));
  EXPECT_TRUE(world.ok()) << world.status();
  return *std::move(world);
}

class FlatLawsTest : public ::testing::TestWithParam<ContactLaw> {};

TEST_P(FlatLawsTest, EveryStepHasTheSameBits) {
  World alone = MakeWorld(GetParam());
  const std::vector<uint64_t> hashes = StepHashes(alone, 1, kSteps);
  EXPECT_GT(alone.last_report().contact_count, 8);
  for (const int worker_count : {2, 7}) {
    World world = MakeWorld(GetParam());
    EXPECT_EQ(StepHashes(world, worker_count, kSteps), hashes) << worker_count << " workers";
  }
}

TEST_P(FlatLawsTest, SaveRestoreAndForkInMidRunChangeNothing) {
  World undisturbed = MakeWorld(GetParam());
  const std::vector<uint64_t> hashes = StepHashes(undisturbed, 2, kSteps);
  const std::vector<uint64_t> second_half(hashes.begin() + kSteps / 2, hashes.end());
  World world = MakeWorld(GetParam());
  StepHashes(world, 1, kSteps / 2);
  absl::StatusOr<World> restored = World::Restore(world.SaveSnapshot());
  ASSERT_TRUE(restored.ok()) << restored.status();
  World fork = world.Fork();
  EXPECT_EQ(StepHashes(*restored, 3, kSteps / 2), second_half);
  EXPECT_EQ(StepHashes(fork, 1, kSteps / 2), second_half);
  EXPECT_EQ(restored->SaveSnapshot(), undisturbed.SaveSnapshot());
}

INSTANTIATE_TEST_SUITE_P(Laws, FlatLawsTest,
                         ::testing::Values(ContactLaw::kBox, ContactLaw::kPolygonal,
                                           ContactLaw::kBristle));

}  // namespace
}  // namespace talus
