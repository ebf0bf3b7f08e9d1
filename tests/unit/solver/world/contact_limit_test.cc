// A step that would have more contacts than the caller takes: not made, no fault, nothing changed.
#include <gtest/gtest.h>

#include <string>

#include "solver/base/field_error.h"
#include "solver/world/world.h"
#include "tests/scenes/rolling_scenes.h"
#include "tests/support/high_nozzle.h"

namespace talus {
namespace {

World MakeColumn(SceneDef scene) {
  auto world = World::Create(scene);
  EXPECT_TRUE(world.ok()) << world.status();
  return *std::move(world);
}

TEST(ContactLimit, TakesAsManyAsItSaysAndNotOneMore) {
  const SceneDef scene = scenes::SphereColumn(5, 1.0);
  WorkerArena workers(1);
  World free = MakeColumn(scene);
  const auto report = free.Step(workers);
  ASSERT_TRUE(report.ok()) << report.status();
  const int64_t count = report->contact_count;
  ASSERT_GT(count, 1);

  World bounded = MakeColumn(scene);
  StepOptions options;
  options.most_contacts = count;
  ASSERT_TRUE(bounded.Step(workers, options).ok());
  EXPECT_EQ(bounded.state_hash(), free.state_hash());

  World refused = MakeColumn(scene);
  const uint64_t hash = refused.state_hash();
  options.most_contacts = count - 1;
  for (int i = 0; i < 2; ++i) {
    const absl::Status status = refused.Step(workers, options).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted);
    EXPECT_EQ(std::string(status.message()), "contact_count = " + std::to_string(count) +
                                                 " must be <= " + std::to_string(count - 1));
    EXPECT_EQ(GetFieldError(status)->field, kContactCountField);
    EXPECT_EQ(refused.state_hash(), hash);
    EXPECT_EQ(refused.step_index(), 0);
    EXPECT_EQ(refused.fault(), "");
  }
  // Had it never been refused.
  ASSERT_TRUE(refused.Step(workers).ok());
  EXPECT_EQ(refused.state_hash(), free.state_hash());
}

TEST(ContactLimit, PutsBackTheParticlesOfAStepItRefuses) {
  SceneDef scene = scenes::SphereColumn(3, 1.0);
  scene.emitters.push_back(
      testing::MakeHighNozzle(scene.bodies.back().shapes.front().material, 1e6, 10));
  World world = MakeColumn(scene);
  const size_t bodies = world.body_count();
  const int64_t pending = world.particles_pending();
  WorkerArena workers(1);
  StepOptions options;
  options.most_contacts = 0;
  EXPECT_EQ(world.Step(workers, options).status().code(), absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(world.body_count(), bodies);
  EXPECT_EQ(world.particles_pending(), pending);
}

}  // namespace
}  // namespace talus
