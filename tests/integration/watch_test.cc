// StreamService.WatchState: what a watcher gets, what a slow one misses, and that nobody else
// notices.
#include <gmock/gmock.h>

#include <limits>
#include <thread>

#include "server/wire/body_codec.h"
#include "tests/integration/server_fixture.h"
#include "tests/scenes/piles.h"

namespace talus::testing {
namespace {

// One stream and the context it needs; cancelled at the end.
class Watch {
 public:
  Watch(v1::StreamService::Stub& stub, const v1::WatchStateRequest& request)
      : reader_(stub.WatchState(&context_, request)) {}
  ~Watch() {
    if (finished_) return;
    context_.TryCancel();
    Finish();
  }
  bool Read(v1::WatchStateResponse& response) { return reader_->Read(&response); }
  Outcome Finish() {
    v1::WatchStateResponse rest;
    while (reader_->Read(&rest)) {
    }
    finished_ = true;
    return FinishCall(reader_->Finish(), context_);
  }
  void Cancel() { context_.TryCancel(); }

 private:
  grpc::ClientContext context_;
  std::unique_ptr<grpc::ClientReader<v1::WatchStateResponse>> reader_;
  bool finished_ = false;
};

v1::WatchStateRequest For(const std::string& id) {
  v1::WatchStateRequest request;
  request.set_scene("scenes/" + id);
  return request;
}

class WatchTest : public ServerTest {
 protected:
  void SetUp() override {
    SceneHostOptions options = DefaultOptions();
    options.limits.watchers_per_scene = 4;
    StartServer(options);
    CreateScene("a", TenBalls());
  }
  int WatcherCount(const std::string& id) {
    v1::GetDiagnosticsRequest look;
    look.set_scene("scenes/" + id);
    return Call(*queries_, &v1::QueryService::Stub::GetDiagnostics, look).response.watcher_count();
  }
};

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
  EXPECT_LE(frames, 20.0 * spent.count() + 1.0);
  EXPECT_LT(frames, 60);
}

// Frames of 110 kB and steps that cost next to nothing: bodies that stand still far apart.
SceneDef WideScene() {
  SceneDef scene;
  for (int i = 0; i < 2000; ++i) {
    BodyDef pillar;
    pillar.kind = BodyKind::kStatic;
    pillar.pose_world.position = Vec3(3.0 * (i % 50), 3.0 * (i / 50), 0.0);
    pillar.shapes.push_back({Sphere{0.5}, Pose{}, ""});
    scene.bodies.push_back(pillar);
  }
  return scene;
}

TEST_F(WatchTest, ASlowWatcherIsToldWhatItMissed) {
  ASSERT_TRUE(CreateScene("wide", WideScene()).ok());
  Watch watch(*streams_, For("wide"));
  v1::WatchStateResponse response;
  ASSERT_TRUE(watch.Read(response));
  ASSERT_EQ(response.frame().step_index(), 0);
  // 40 MB that nobody reads: more than the windows and buffers of a connection take.
  constexpr int64_t kSteps = 400;
  ASSERT_TRUE(Step("wide", kSteps).ok());
  int64_t received = 0;
  int64_t dropped = 0;
  do {
    ASSERT_TRUE(watch.Read(response));
    ++received;
    dropped += response.dropped_since_last();
  } while (response.frame().step_index() < kSteps);
  EXPECT_EQ(received + dropped, kSteps);
  EXPECT_GT(dropped, 0);
}

TEST_F(WatchTest, AWatcherThatNeverReadsDoesNotSlowTheScene) {
  ASSERT_TRUE(CreateScene("pile", scenes::PackedSpheres({.count = 150})).ok());
  const auto time_steps = [&] {
    const auto start = std::chrono::steady_clock::now();
    EXPECT_TRUE(Step("pile", 10).ok());
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  time_steps();
  // The fastest rounds are compared, because a shared machine only ever adds time; alternating,
  // because the pile settles meanwhile.
  double alone = std::numeric_limits<double>::infinity();
  double watched = std::numeric_limits<double>::infinity();
  for (int i = 0; i < 6; ++i) {
    alone = std::min(alone, time_steps());
    Watch stalled(*streams_, For("pile"));
    ASSERT_TRUE(WaitUntil([&] { return WatcherCount("pile") == 1; }));
    watched = std::min(watched, time_steps());
    stalled.Cancel();
    stalled.Finish();
    ASSERT_TRUE(WaitUntil([&] { return WatcherCount("pile") == 0; }));
  }
  EXPECT_LT(watched, 1.5 * alone);
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
  EXPECT_TRUE(host_->Drain(std::chrono::seconds(30)));
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
