// StreamService through the C++ client: the LATEST policy, late joiners, slow watchers, and why a
// stream ends.
#include <gtest/gtest.h>

#include <algorithm>
#include <future>
#include <thread>

#include "tests/integration/cpp/live_server.h"

namespace talus::client::testing {
namespace {

using Clock = std::chrono::steady_clock;

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

TEST_F(Watching, SlowlyCostsTheSceneNoTime) {
  // The same steps in two scenes; one has a watcher that takes a first frame and then none.
  constexpr int64_t kTimed = 100;
  constexpr int64_t kRepeats = 5;
  Scene alone = Create("alone", PackedBox(5));
  Scene watched = Create("watched", PackedBox(5));
  v1::WatchStateRequest request = Every(watched, 1);
  *request.mutable_selection() = SelectAll();
  auto stream = client().WatchState(request);
  ASSERT_TRUE(stream.Read());
  // The transport takes some 4 MB before it stalls, and a frame has nearly 100 kB. Few steps a
  // call, so that frames get out between them on a busy machine too.
  int64_t filled = 0;
  for (int call = 0; call < 150; ++call) {
    constexpr int64_t kFew = 3;
    ASSERT_TRUE(alone.Step(kFew));
    ASSERT_TRUE(watched.Step(kFew)) << "a scene that waits for its watcher steps no further";
    filled += kFew;
  }
  std::chrono::duration<double> free = Clock::duration::max();
  std::chrono::duration<double> slow = Clock::duration::max();
  // The best of several, in turns, since other programs run too.
  for (int repeat = 0; repeat < kRepeats; ++repeat) {
    const Clock::time_point start = Clock::now();
    ASSERT_TRUE(alone.Step(kTimed));
    const Clock::time_point middle = Clock::now();
    ASSERT_TRUE(watched.Step(kTimed));
    free = std::min<std::chrono::duration<double>>(free, middle - start);
    slow = std::min<std::chrono::duration<double>>(slow, Clock::now() - middle);
  }
  EXPECT_LT(slow.count(), 3 * free.count() + 0.3);
  EXPECT_EQ(Hash(watched), Hash(alone)) << "not the same steps";

  // Nothing went out while the clocks ran: one gap in the watcher's frames spans them.
  int64_t widest = 0;
  for (int64_t step = 0; step < filled + kRepeats * kTimed;) {
    auto response = stream.Read();
    ASSERT_TRUE(response);
    step = response->frame().step_index();
    widest = std::max(widest, response->dropped_since_last());
  }
  EXPECT_GE(widest, kRepeats * kTimed) << "the watcher had not stalled yet";
}

}  // namespace
}  // namespace talus::client::testing
