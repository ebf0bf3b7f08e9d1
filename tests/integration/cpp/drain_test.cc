// SIGTERM through the C++ client: what runs ends at a step boundary and says so, and the process
// exits with 0.
#include <gtest/gtest.h>

#include <future>

#include "tests/integration/cpp/live_server.h"

namespace talus::client::testing {
namespace {

using Clock = std::chrono::steady_clock;

constexpr char kDraining[] = "UNAVAILABLE ERROR_REASON_DRAINING";

class Drain : public LiveServerTest {
 protected:
  void SetUp() override { StartServer(); }
};

TEST_F(Drain, EndsStepsAndStreamsWithTheReason) {
  Scene scene = Create("stones", PouringStones(60));
  StepOptions endless;
  endless.call.timeout = milliseconds{0};
  auto running = std::async(std::launch::async,
                            [scene, endless]() mutable { return scene.Step(kEndless, endless); });
  AwaitStep(scene, 5);
  v1::WatchStateRequest request;
  request.set_scene(scene.name());
  request.set_every_n_steps(1'000'000);
  auto stream = client().WatchState(request);
  ASSERT_TRUE(stream.Read());
  const Clock::time_point start = Clock::now();
  EXPECT_EQ(StopServer(), 0);
  EXPECT_LT(Clock::now() - start, std::chrono::seconds{10});
  auto ended = running.get();
  EXPECT_EQ(Outcome(ended), kDraining);
  EXPECT_GT(ended.error().detail.steps_done(), 5);
  EXPECT_FALSE(stream.Read());
  EXPECT_EQ(Outcome(stream.Finish()), kDraining);
  CallOptions brief;
  brief.timeout = milliseconds{2000};
  EXPECT_EQ(client().GetServerInfo({}, brief).code(), Code::kUnavailable);
}

TEST_F(Drain, IsImmediateWhenIdle) {
  ASSERT_TRUE(client().GetServerInfo());
  const Clock::time_point start = Clock::now();
  EXPECT_EQ(StopServer(), 0);
  EXPECT_LT(Clock::now() - start, std::chrono::seconds{5});
}

}  // namespace
}  // namespace talus::client::testing
