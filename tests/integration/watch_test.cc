// StreamService.WatchState: what a watcher gets, and how its stream ends.
#include <limits>
#include <thread>

#include "tests/integration/watch_fixture.h"

namespace talus::testing {
namespace {

TEST_F(WatchTest, ALateJoinerGetsTheLayoutAndTheStateAtOnce) {
  const auto stepped = Step("a", 30);
  Watch watch(*streams_, For("a"));
  v1::WatchStateResponse first;
  ASSERT_TRUE(watch.Read(first));
  EXPECT_EQ(first.frame().step_index(), 30);
  EXPECT_EQ(first.frame().state_hash(), stepped.response.frame().state_hash());
  EXPECT_EQ(first.frame().layout().body_ids_size(), 11);
  EXPECT_EQ(first.dropped_since_last(), 0);
  // Unset selection: positions and orientations.
  EXPECT_EQ(first.frame().bodies().positions_world_m_size(), 33);
  EXPECT_EQ(first.frame().bodies().orientations_wxyz_size(), 44);
  EXPECT_EQ(first.frame().bodies().linear_velocities_world_m_s_size(), 0);
  EXPECT_FALSE(first.frame().has_contacts());
}

TEST_F(WatchTest, EveryStepArrivesInOrderAtAWatcherThatKeepsUp) {
  Watch watch(*streams_, For("a"));
  v1::WatchStateResponse response;
  ASSERT_TRUE(watch.Read(response));
  for (int i = 1; i <= 20; ++i) {
    const auto stepped = Step("a", 1);
    ASSERT_TRUE(watch.Read(response));
    EXPECT_EQ(response.frame().step_index(), i);
    EXPECT_EQ(response.frame().state_hash(), stepped.response.frame().state_hash());
    EXPECT_FALSE(response.frame().has_layout());
    EXPECT_EQ(response.dropped_since_last(), 0);
  }
}

TEST_F(WatchTest, EveryNthStepArrivesAndNoOther) {
  v1::WatchStateRequest request = For("a");
  request.set_every_n_steps(5);
  request.mutable_selection()->set_report(true);
  Watch watch(*streams_, request);
  v1::WatchStateResponse response;
  ASSERT_TRUE(watch.Read(response));
  int64_t received = 0;
  int64_t dropped = 0;
  ASSERT_TRUE(Step("a", 22).ok());
  do {
    ASSERT_TRUE(watch.Read(response));
    EXPECT_EQ(response.frame().step_index() % 5, 0);
    EXPECT_EQ(response.frame().report().step_index(), response.frame().step_index());
    EXPECT_FALSE(response.frame().has_bodies());
    ++received;
    dropped += response.dropped_since_last();
  } while (response.frame().step_index() < 20);
  EXPECT_EQ(received + dropped, 4);
}

TEST_F(WatchTest, TheLayoutComesAgainWhenItChanged) {
  Watch watch(*streams_, For("a"));
  v1::WatchStateResponse response;
  ASSERT_TRUE(watch.Read(response));
  const int64_t version = response.frame().layout_version();
  v1::RemoveBodiesRequest remove;
  remove.set_scene("scenes/a");
  remove.add_body_names("ball4");
  ASSERT_TRUE(Call(*scenes_, &v1::SceneService::Stub::RemoveBodies, remove).ok());
  ASSERT_TRUE(watch.Read(response));
  EXPECT_GT(response.frame().layout_version(), version);
  EXPECT_EQ(response.frame().layout().body_ids_size(), 10);
  EXPECT_EQ(response.frame().bodies().positions_world_m_size(), 30);
}

TEST_F(WatchTest, ALimitedStreamEndsWell) {
  v1::WatchStateRequest request = For("a");
  request.set_frame_limit(3);
  Watch watch(*streams_, request);
  v1::WatchStateResponse response;
  ASSERT_TRUE(watch.Read(response));
  ASSERT_TRUE(Step("a", 1).ok());
  ASSERT_TRUE(watch.Read(response));
  ASSERT_TRUE(Step("a", 1).ok());
  ASSERT_TRUE(watch.Read(response));
  EXPECT_FALSE(watch.Read(response));
  EXPECT_TRUE(watch.Finish().ok());
  EXPECT_TRUE(WaitUntil([&] { return WatcherCount("a") == 0; }));
}

TEST_F(WatchTest, ARateIsNotExceededAndTheLastStateArrives) {
  v1::WatchStateRequest request = For("a");
  request.set_rate_hz(20.0);
  Watch watch(*streams_, request);
  v1::WatchStateResponse response;
  ASSERT_TRUE(watch.Read(response));
  const auto start = std::chrono::steady_clock::now();
  std::thread stepping([&] {
    for (int i = 0; i < 60; ++i) {
      Step("a", 1);
      std::this_thread::sleep_for(milliseconds(5));
    }
  });
  int frames = 0;
  do {
    ASSERT_TRUE(watch.Read(response));
    ++frames;
  } while (response.frame().step_index() < 60);
  const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start;
  stepping.join();
  // In the mean: a frame that came late moves none that follow, so one more may fit in.
  EXPECT_LE(frames, 20.0 * spent.count() + 2.0);
}

TEST_F(WatchTest, WatchersWithOneViewGetTheSameBytes) {
  v1::WatchStateRequest request = For("a");
  for (auto set : {&v1::FrameSelection::set_positions, &v1::FrameSelection::set_contacts,
                   &v1::FrameSelection::set_report}) {
    (request.mutable_selection()->*set)(true);
  }
  ASSERT_TRUE(Step("a", 100).ok());
  Watch one(*streams_, request);
  Watch two(*streams_, request);
  v1::WatchStateResponse from_one;
  v1::WatchStateResponse from_two;
  ASSERT_TRUE(one.Read(from_one));
  ASSERT_TRUE(two.Read(from_two));
  EXPECT_EQ(from_one.SerializeAsString(), from_two.SerializeAsString());
  const auto stepped = Step("a", 1);
  ASSERT_TRUE(one.Read(from_one));
  ASSERT_TRUE(two.Read(from_two));
  EXPECT_EQ(from_one.SerializeAsString(), from_two.SerializeAsString());
  EXPECT_EQ(from_one.frame().state_hash(), stepped.response.frame().state_hash());
}

TEST_F(WatchTest, BadRequestsAreRefused) {
  const auto refused = [&](const v1::WatchStateRequest& request) {
    return Watch(*streams_, request).Finish();
  };
  EXPECT_TRUE(
      FailedWith(refused(For("none")), grpc::StatusCode::NOT_FOUND, v1::ERROR_REASON_NOT_FOUND));
  v1::WatchStateRequest malformed;
  malformed.set_scene("a");
  EXPECT_TRUE(FailedWith(refused(malformed), grpc::StatusCode::INVALID_ARGUMENT,
                         v1::ERROR_REASON_INVALID_FIELD));
  for (const double rate : {0.0, -1.0, 10'001.0, std::numeric_limits<double>::quiet_NaN()}) {
    v1::WatchStateRequest request = For("a");
    request.set_rate_hz(rate);
    const Outcome outcome = refused(request);
    EXPECT_TRUE(
        FailedWith(outcome, grpc::StatusCode::INVALID_ARGUMENT, v1::ERROR_REASON_INVALID_FIELD))
        << rate;
    EXPECT_EQ(outcome.detail.field(), "rate_hz");
  }
  for (const int64_t stride : {int64_t{0}, int64_t{-1}, int64_t{1'000'001}}) {
    v1::WatchStateRequest request = For("a");
    request.set_every_n_steps(stride);
    EXPECT_TRUE(FailedWith(refused(request), grpc::StatusCode::INVALID_ARGUMENT,
                           v1::ERROR_REASON_INVALID_FIELD))
        << stride;
  }
  v1::WatchStateRequest limit = For("a");
  limit.set_frame_limit(-1);
  EXPECT_TRUE(FailedWith(refused(limit), grpc::StatusCode::INVALID_ARGUMENT,
                         v1::ERROR_REASON_INVALID_FIELD));
}

TEST_F(WatchTest, TooManyWatchersAreRefusedUntilOneLeaves) {
  std::vector<std::unique_ptr<Watch>> watches;
  v1::WatchStateResponse response;
  for (int i = 0; i < 4; ++i) {
    watches.push_back(std::make_unique<Watch>(*streams_, For("a")));
    ASSERT_TRUE(watches.back()->Read(response));
  }
  EXPECT_EQ(WatcherCount("a"), 4);
  const Outcome refused = Watch(*streams_, For("a")).Finish();
  EXPECT_TRUE(
      FailedWith(refused, grpc::StatusCode::RESOURCE_EXHAUSTED, v1::ERROR_REASON_LIMIT_REACHED));
  EXPECT_EQ(refused.detail.limit_name(), "watchers_per_scene");
  watches.pop_back();  // cancels
  EXPECT_TRUE(WaitUntil([&] { return WatcherCount("a") == 3; }));
  EXPECT_TRUE(Watch(*streams_, For("a")).Read(response));
}

TEST_F(WatchTest, WhoHasReadAStreamToItsEndFindsItsPlaceFree) {
  v1::WatchStateRequest request = For("a");
  request.set_policy(v1::SLOW_WATCHER_POLICY_BLOCK);  // there may be one
  request.set_frame_limit(1);
  for (int turn = 0; turn < 500; ++turn) {
    const Outcome end = Watch(*streams_, request).Finish();
    ASSERT_TRUE(end.ok()) << turn << ": " << end.status.error_message();
  }
}

TEST_F(WatchTest, ADeletedSceneEndsItsStreams) {
  Watch watch(*streams_, For("a"));
  v1::WatchStateResponse response;
  ASSERT_TRUE(watch.Read(response));
  v1::DeleteSceneRequest request;
  request.set_scene("scenes/a");
  ASSERT_TRUE(Call(*scenes_, &v1::SceneService::Stub::DeleteScene, request).ok());
  EXPECT_TRUE(
      FailedWith(watch.Finish(), grpc::StatusCode::ABORTED, v1::ERROR_REASON_SCENE_DELETED));
}

TEST_F(WatchTest, ADrainEndsTheStreamsWithAReason) {
  Watch watch(*streams_, For("a"));
  v1::WatchStateResponse response;
  ASSERT_TRUE(watch.Read(response));
  EXPECT_TRUE(host_->Drain(std::chrono::minutes(1)));
  EXPECT_TRUE(FailedWith(watch.Finish(), grpc::StatusCode::UNAVAILABLE, v1::ERROR_REASON_DRAINING));
}

TEST_F(WatchTest, AServerThatEndsTakesItsStreamsAlong) {
  Watch watch(*streams_, For("a"));
  v1::WatchStateResponse response;
  ASSERT_TRUE(watch.Read(response));
  StopServer();
  EXPECT_FALSE(watch.Finish().ok());
}

}  // namespace
}  // namespace talus::testing
