// A step of a scene at rest asks for no memory: what a step needs is kept from the ones before.
#include <gtest/gtest.h>

#include "solver/world/world.h"
#include "tests/scenes/piles.h"
#include "tests/support/allocation_counter.h"

namespace talus {
namespace {

size_t CountStepAllocations(World& world, WorkerArena& workers) {
  const size_t before = testing::AllocationCount();
  EXPECT_TRUE(world.Step(workers).ok());
  return testing::AllocationCount() - before;
}

class SteadyStepTest : public ::testing::TestWithParam<ContactLaw> {};

TEST_P(SteadyStepTest, ARestingPileAllocatesNothingOnceItsBuffersAreFull) {
  scenes::PackedSpheresOptions options;
  options.count = 300;
  SceneDef scene = scenes::PackedSpheres(options);
  scene.settings.solver.law = GetParam();
  scene.domain = Domain{Vec3::Constant(-10.0), Vec3::Constant(10.0)};
  absl::StatusOr<World> poured = World::Create(scene);
  ASSERT_TRUE(poured.ok()) << poured.status();
  WorkerArena workers(1);
  for (int step = 0; step < 200; ++step) ASSERT_TRUE(poured->Step(workers).ok());
  ASSERT_GT(poured->last_report().contact_count, 500);
  absl::StatusOr<World> restored = World::Restore(poured->SaveSnapshot());
  ASSERT_TRUE(restored.ok()) << restored.status();
  EXPECT_GT(CountStepAllocations(*restored, workers), 0u);
  // Two sets of contacts change places, and some steps take more sweeps than others.
  for (int step = 0; step < 10; ++step) {
    CountStepAllocations(*poured, workers);
    CountStepAllocations(*restored, workers);
  }
  for (int step = 0; step < 20; ++step) {
    EXPECT_EQ(CountStepAllocations(*poured, workers), 0u) << step;
    EXPECT_EQ(CountStepAllocations(*restored, workers), 0u) << step;
  }
}

INSTANTIATE_TEST_SUITE_P(Laws, SteadyStepTest,
                         ::testing::Values(ContactLaw::kNcp, ContactLaw::kCcp),
                         [](const auto& law) {
                           return law.param == ContactLaw::kNcp ? "Ncp" : "Ccp";
                         });

}  // namespace
}  // namespace talus
