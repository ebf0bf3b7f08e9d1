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

// Steps a pile of this elasticity to rest and counts what steps ask for from then on.
void ExpectSteady(ContactLaw law, const Elasticity& elasticity) {
  scenes::PackedSpheresOptions options;
  options.count = 300;
  SceneDef scene = scenes::PackedSpheres(options);
  scene.settings.solver.law = law;
  for (NamedMaterial& named : scene.materials) {
    named.material.elasticity = elasticity;
    named.material.restitution = 0.0;
  }
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

class SteadyStepTest : public ::testing::TestWithParam<ContactLaw> {};

TEST_P(SteadyStepTest, ARestingPileAllocatesNothingOnceItsBuffersAreFull) {
  ExpectSteady(GetParam(), {});
}

TEST_P(SteadyStepTest, NorDoesAnElasticOneThatRemembers) {
  ExpectSteady(GetParam(), {.normal_damping_n_s_per_m = 5.0,
                            .youngs_modulus_pa = 1e7,
                            .poisson_ratio = 0.3,
                            .rolling_stiffness_n_m_per_rad = 5.0});
}

INSTANTIATE_TEST_SUITE_P(Laws, SteadyStepTest,
                         ::testing::Values(ContactLaw::kNcp, ContactLaw::kCcp),
                         [](const auto& law) {
                           return law.param == ContactLaw::kNcp ? "Ncp" : "Ccp";
                         });

}  // namespace
}  // namespace talus
