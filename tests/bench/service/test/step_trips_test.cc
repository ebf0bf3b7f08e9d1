// That a wrong answer fails the benchmark, whoever gave it.
#include "tests/bench/service/step_trips.h"

#include <gtest/gtest.h>

#include "tests/bench/service/bench_scene.h"
#include "tests/bench/service/service_plan.h"

namespace talus::bench {
namespace {

TEST(CheckTenBalls, TakesTheLibrarysHashAndNoOther) {
  const auto hash = FindHash(DescribeTenBalls(), 5);
  ASSERT_TRUE(hash.ok()) << hash.status();
  EXPECT_TRUE(CheckTenBalls({5, *hash}).ok());
  EXPECT_EQ(CheckTenBalls({5, *hash + 1}).code(), absl::StatusCode::kInternal);
  EXPECT_EQ(CheckTenBalls({6, *hash}).code(), absl::StatusCode::kInternal);
}

TEST(BenchScene, TenBallsTouchAndStayAwake) {
  auto world = MakeWorld(DescribeTenBalls());
  ASSERT_TRUE(world.ok()) << world.status();
  WorkerArena worker(1);
  for (int step = 0; step < 200; ++step) ASSERT_TRUE(world->Step(worker).ok());
  EXPECT_EQ(world->body_count(), 11u);
  EXPECT_GE(world->last_report().contact_count, 10);
  EXPECT_EQ(world->last_report().sleeping_contact_count, 0);
}

TEST(LocalTrips, ReachTheLibrarysState) {
  for (const auto make : {MakeLibraryStep, MakeRingStep}) {
    auto trip = make();
    ASSERT_TRUE(trip.ok()) << trip.status();
    for (int step = 0; step < 10; ++step) ASSERT_TRUE((*trip)->Make().ok());
    EXPECT_TRUE((*trip)->Check().ok());
  }
}

TEST(ListCases, IdsAreNamedByWhatTheyContain) {
  EXPECT_TRUE(IsNamedBy("cpp/step/tcp", "step/tcp"));
  EXPECT_TRUE(IsNamedBy("cpp/step/tcp", "cpp*tcp"));
  EXPECT_FALSE(IsNamedBy("cpp/step/tcp", "unix"));
  EXPECT_FALSE(IsNamedBy("cpp/step/tcp", "step/?ip"));
}

}  // namespace
}  // namespace talus::bench
