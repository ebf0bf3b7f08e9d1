// Laws with flat sides: the same bits for any number of workers, after save and restore, and after
// a fork. Bristles also go on with what they remembered.
#include <gtest/gtest.h>

#include <vector>

#include "solver/world/world.h"
#include "tests/support/flat_law_scenes.h"
#include "tests/support/step_hashes.h"

namespace talus {
namespace {

using testing::StepHashes;

constexpr int kFlatLawsSteps = 40;

World MakeWorld(ContactLaw law) {
  absl::StatusOr<World> world = World::Create(testing::MakeFlatLawScene(law));
  EXPECT_TRUE(world.ok()) << world.status();
  return *std::move(world);
}

class FlatLawsTest : public ::testing::TestWithParam<ContactLaw> {};

TEST_P(FlatLawsTest, EveryStepHasTheSameBits) {
  World alone = MakeWorld(GetParam());
  const std::vector<uint64_t> hashes = StepHashes(alone, 1, kFlatLawsSteps);
  EXPECT_GT(alone.last_report().contact_count, 8);
  for (const int worker_count : {2, 7}) {
    World world = MakeWorld(GetParam());
    EXPECT_EQ(StepHashes(world, worker_count, kFlatLawsSteps), hashes)
        << worker_count << " workers";
  }
}

TEST_P(FlatLawsTest, SaveRestoreAndForkInMidRunChangeNothing) {
  World undisturbed = MakeWorld(GetParam());
  const std::vector<uint64_t> hashes = StepHashes(undisturbed, 2, kFlatLawsSteps);
  const std::vector<uint64_t> second_half(hashes.begin() + kFlatLawsSteps / 2, hashes.end());
  World world = MakeWorld(GetParam());
  StepHashes(world, 1, kFlatLawsSteps / 2);
  absl::StatusOr<World> restored = World::Restore(world.SaveSnapshot());
  ASSERT_TRUE(restored.ok()) << restored.status();
  World fork = world.Fork();
  EXPECT_EQ(StepHashes(*restored, 3, kFlatLawsSteps / 2), second_half);
  EXPECT_EQ(StepHashes(fork, 1, kFlatLawsSteps / 2), second_half);
  EXPECT_EQ(restored->SaveSnapshot(), undisturbed.SaveSnapshot());
}

INSTANTIATE_TEST_SUITE_P(Laws, FlatLawsTest,
                         ::testing::Values(ContactLaw::kBox, ContactLaw::kPolygonal,
                                           ContactLaw::kBristle));

}  // namespace
}  // namespace talus
