// Rays cast through a scene actor: one moment between two steps, also while it steps.
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <memory>
#include <string>
#include <utility>

#include "server/runtime/scene_actor.h"
#include "tests/support/ring.h"

namespace talus {
namespace {

using testing::Answer;
using testing::FallingBalls;
using testing::kEndless;
using testing::Stage;
using testing::Steps;
using Code = absl::StatusCode;

// Down onto the first of FallingBalls, and past it.
ReadCall TwoRaysDown() {
  RayQuery query;
  query.rays.push_back({Vec3(0, 0, 20), -Vec3::UnitZ()});
  query.rays.push_back({Vec3(0.5, 0, 20), -Vec3::UnitZ()});
  ReadCall call{.parts = {.positions = true}};
  call.rays = std::make_shared<const RayQuery>(std::move(query));
  return call;
}

TEST(RayReadTest, SeesTheMomentOfItsFrameWhileTheSceneSteps) {
  Stage stage(1);
  auto scene = stage.MakeActor(FallingBalls(1));
  auto control = std::make_shared<CallControl>();
  Answer<StepAnswer> steps;
  scene->Step(Steps(kEndless), control, steps.Done());
  for (int round = 0; round < 5; ++round) {
    Answer<ReadAnswer> read;
    scene->Read(TwoRaysDown(), nullptr, read.Done());
    const auto result = read.Get();
    ASSERT_TRUE(result.ok()) << result.status();
    ASSERT_EQ(result->ray_hits.size(), 2u);
    const double height = result->frame->positions_world_m[2];
    EXPECT_NEAR(result->ray_hits[0].contact.distance, 20.0 - 0.05 - height,
                1e-14 * (20.0 + std::abs(height)));
    EXPECT_EQ(result->ray_hits[0].body, BodyId{1});
    EXPECT_FALSE(result->ray_hits[1].hit);
  }
  control->Cancel();
  EXPECT_EQ(steps.GetError(Code::kCancelled).reason, ErrorReason::kCancelled);
}

TEST(RayReadTest, ABodyToIgnoreThatIsNotThereIsNamed) {
  Stage stage(1);
  auto scene = stage.MakeActor(FallingBalls(1));
  RayQuery query;
  query.rays.push_back({Vec3(0, 0, 20), -Vec3::UnitZ()});
  query.ignored = {BodyId{9}};
  ReadCall call;
  call.rays = std::make_shared<const RayQuery>(query);
  Answer<ReadAnswer> read;
  scene->Read(call, nullptr, read.Done());
  const auto result = read.Get();
  EXPECT_EQ(result.status().code(), Code::kNotFound);
  EXPECT_NE(result.status().message().find("ignored_body_ids[0]"), std::string::npos);
}

// The machine's clock, which cancels a call when it is looked at for the hundredth time.
class CancellingClock : public SystemClock {
 public:
  TimePoint Now() const override {
    if (++looks_ == 100) control->Cancel();
    return SystemClock::Now();
  }
  int looks() const { return looks_; }

  const CallControlPtr control = std::make_shared<CallControl>();

 private:
  mutable std::atomic<int> looks_{0};
};

TEST(RayReadTest, WhoNoLongerWaitsEndsTheWorkOnHisRays) {
  CancellingClock clock;
  Stage stage(1, &clock);
  auto scene = stage.MakeActor(FallingBalls(1));
  RayQuery query;
  query.rays.assign(10'000, {Vec3(0, 0, 20), -Vec3::UnitZ()});
  ReadCall call;
  call.rays = std::make_shared<const RayQuery>(std::move(query));
  Answer<ReadAnswer> read;
  scene->Read(call, clock.control, read.Done());
  EXPECT_EQ(read.GetError(Code::kCancelled).reason, ErrorReason::kCancelled);
  // It is asked for every sixteenth of the rays; all of them would be more than 600 looks.
  EXPECT_LT(clock.looks(), 300);
}

}  // namespace
}  // namespace talus
