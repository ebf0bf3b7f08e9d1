// StreamService through the C++ client: the LATEST policy, late joiners, slow watchers, and why a
// stream ends.
#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "tests/integration/cpp/live_server.h"

namespace talus::client::testing {
namespace {

class Watching : public LiveServerTest {
 protected:
  void SetUp() override { StartServer({"--workers", "1", "--max-watchers", "3"}); }

  v1::WatchStateRequest Every(const Scene& scene, int64_t steps) {
    v1::WatchStateRequest request;
    request.set_scene(scene.name());
    request.set_every_n_steps(steps);
    return request;
  }
};

TEST_F(Watching, StartsWithLayoutAndLatestFrame) {
  Scene scene = Create("ball", FallingBall());
  ASSERT_TRUE(scene.Step(7));
  auto stream = client().WatchState(Every(scene, 5));
  auto first = stream.Read();
  ASSERT_TRUE(first);
  EXPECT_EQ(first->frame().step_index(), 7);
  EXPECT_EQ(first->frame().layout().body_names(0), "ball");
  ASSERT_TRUE(scene.Step(3));
  auto second = stream.Read();
  ASSERT_TRUE(second);
  EXPECT_EQ(second->frame().step_index(), 10);
  EXPECT_FALSE(second->frame().has_layout());
  EXPECT_EQ(second->frame().state_hash(), Hash(scene));
}

TEST_F(Watching, EndsAtItsFrameLimit) {
  Scene scene = Create("ball", FallingBall());
  v1::WatchStateRequest request = Every(scene, 1);
  request.set_frame_limit(1);
  int frames = 0;
  EXPECT_TRUE(scene.Watch(request, [&frames](const auto&) { return ++frames > 0; }));
  EXPECT_EQ(frames, 1);
}

TEST_F(Watching, RefusesBadPacesAndTooManyWatchers) {
  Scene scene = Create("ball", FallingBall());
  for (const double rate_hz : {0.0, -1.0, 10001.0}) {
    v1::WatchStateRequest request;
    request.set_rate_hz(rate_hz);
    EXPECT_EQ(Outcome(scene.Watch(request, [](const auto&) { return true; })), kInvalidField);
  }
  EXPECT_EQ(Outcome(scene.Watch(Every(scene, 0), [](const auto&) { return true; })), kInvalidField);
  std::vector<Stream<v1::WatchStateResponse>> streams;
  for (int i = 0; i < 3; ++i) {
    streams.push_back(client().WatchState(Every(scene, 1)));
    ASSERT_TRUE(streams.back().Read());
  }
  auto fourth = client().WatchState(Every(scene, 1));
  EXPECT_FALSE(fourth.Read());
  EXPECT_EQ(Outcome(fourth.Finish()), kLimit);
}

TEST_F(Watching, SaysThatTheSceneWasDeleted) {
  Scene scene = Create("ball", FallingBall());
  auto stream = client().WatchState(Every(scene, 1));
  ASSERT_TRUE(stream.Read());
  ASSERT_TRUE(scene.Delete());
  EXPECT_FALSE(stream.Read());
  EXPECT_EQ(Outcome(stream.Finish()), "ABORTED ERROR_REASON_SCENE_DELETED");
}

TEST_F(Watching, SlowlyNeitherHoldsTheSceneNorHidesWhatItMissed) {
  // Frames of 200 bodies fill the transport long before 4000 of them have gone out.
  v1::SceneSpec spec = FallingBall();
  for (int i = 0; i < 200; ++i) {
    v1::BodySpec& ball = *spec.add_bodies();
    ball = FallingBall().bodies(0);
    ball.set_name("ball-" + std::to_string(i));
    ball.mutable_position_world_m()->set_x(i + 1);
  }
  Scene scene = Create("balls", spec);
  constexpr int64_t kSteps = 4000;
  auto stream = client().WatchState(Every(scene, 1));
  auto first = stream.Read();
  ASSERT_TRUE(first);
  // The watcher sleeps while the scene steps; were it waited for, this would not end.
  ASSERT_TRUE(scene.Step(kSteps));
  int64_t frames = 0;
  int64_t dropped = 0;
  int64_t last = first->frame().step_index();
  while (last < kSteps) {
    auto response = stream.Read();
    ASSERT_TRUE(response);
    ++frames;
    dropped += response->dropped_since_last();
    EXPECT_EQ(response->frame().step_index(), last + 1 + response->dropped_since_last());
    last = response->frame().step_index();
  }
  EXPECT_GT(dropped, 0);
  EXPECT_EQ(frames + dropped, kSteps);
  EXPECT_EQ(last, kSteps) << "the latest frame is never lost";
}

// Frames that end just as the next one comes: whoever writes next must find nothing of the last.
TEST_F(Watching, ByManyAtOnceTellsEachOfEveryFrame) {
  Scene scene = Create("ball", FallingBall());
  constexpr int64_t kSteps = 3000;
  std::vector<std::thread> watchers;
  std::vector<int64_t> told(3, 0);
  std::vector<Stream<v1::WatchStateResponse>> streams;
  for (size_t i = 0; i < told.size(); ++i) {
    streams.push_back(client().WatchState(Every(scene, 1)));
    ASSERT_TRUE(streams.back().Read());
  }
  for (size_t i = 0; i < told.size(); ++i) {
    watchers.emplace_back([&streams, &told, i] {
      int64_t last = 0;
      while (last < kSteps) {
        auto response = streams[i].Read();
        if (!response) return;
        told[i] += 1 + response->dropped_since_last();
        last = response->frame().step_index();
      }
    });
  }
  EXPECT_TRUE(scene.Step(kSteps));
  for (std::thread& watcher : watchers) watcher.join();
  for (const int64_t count : told) EXPECT_EQ(count, kSteps);
}

}  // namespace
}  // namespace talus::client::testing
