// WatchState with the policies, selections and profiles a watcher may ask for, and WatchEvents.
#include <atomic>
#include <cmath>
#include <set>
#include <thread>

#include "clients/cpp/frame_decoder.h"
#include "server/stream/watch_options.h"
#include "server/telemetry/stream_counts.h"
#include "tests/integration/watch_fixture.h"

namespace talus::testing {
namespace {

// Bodies that stand still far apart: frames of 110 kB and steps that cost next to nothing.
SceneDef PlainAndPillar() {
  SceneDef scene;
  for (int i = 0; i < 2000; ++i) {
    BodyDef pillar;
    pillar.name = "pillar" + std::to_string(i);
    pillar.kind = BodyKind::kStatic;
    pillar.pose_world.position = Vec3(3.0 * (i % 50), 3.0 * (i / 50), 0.0);
    pillar.shapes.push_back({Sphere{0.5}, Pose{}, ""});
    scene.bodies.push_back(pillar);
  }
  return scene;
}

class StreamOptionsTest : public WatchTest {
 protected:
  void SetUp() override {
    SceneHostOptions options = DefaultOptions();
    options.limits.watchers_per_scene = 17;
    StartServer(options);
    CreateScene("a", TenBalls());
    CreateScene("wide", PlainAndPillar());
  }
};

// Waits until none has gone out for so long; false if some still do after a minute.
bool NoFrameGoesOutFor(milliseconds still) {
  const std::atomic<int64_t>& sent = telemetry::TheStreamCounts().frames_sent;
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::minutes(1);
  while (std::chrono::steady_clock::now() < deadline) {
    const int64_t before = sent.load();
    if (!WaitUntil([&] { return sent.load() > before; }, still)) return true;
  }
  return false;
}

v1::WatchStateRequest With(const std::string& id, v1::SlowWatcherPolicy policy, int64_t frames) {
  v1::WatchStateRequest request = For(id);
  request.set_policy(policy);
  if (policy != v1::SLOW_WATCHER_POLICY_LATEST) request.set_queue_frames(frames);
  return request;
}

class Events {
 public:
  Events(v1::StreamService::Stub& stub, const v1::WatchEventsRequest& request)
      : reader_(stub.WatchEvents(&context_, request)) {}
  ~Events() {
    context_.TryCancel();
    if (!finished_) Finish();
  }
  bool Read(v1::WatchEventsResponse& response) { return reader_->Read(&response); }
  // The next event; kind 0 at the end.
  v1::SceneEvent Next() {
    while (waiting_.empty()) {
      v1::WatchEventsResponse response;
      if (!Read(response)) return {};
      waiting_.assign(response.events().begin(), response.events().end());
    }
    const v1::SceneEvent event = waiting_.front();
    waiting_.erase(waiting_.begin());
    return event;
  }
  Outcome Finish() {
    finished_ = true;
    v1::WatchEventsResponse rest;
    while (reader_->Read(&rest)) {
    }
    return FinishCall(reader_->Finish(), context_);
  }

 private:
  grpc::ClientContext context_;
  std::unique_ptr<grpc::ClientReader<v1::WatchEventsResponse>> reader_;
  std::vector<v1::SceneEvent> waiting_;
  bool finished_ = false;
};

v1::WatchEventsRequest EventsOf(const std::string& id) {
  v1::WatchEventsRequest request;
  request.set_scene("scenes/" + id);
  return request;
}

TEST_F(StreamOptionsTest, UnderBlockEveryStepArrivesHoweverSlowTheReader) {
  v1::WatchStateRequest request = With("wide", v1::SLOW_WATCHER_POLICY_BLOCK, 2);
  request.set_max_wait_s(60);
  Watch watch(*streams_, request);
  v1::WatchStateResponse response;
  ASSERT_TRUE(watch.Read(response));
  constexpr int64_t kSteps = 300;  // 33 MB: more than the buffers on the way take
  std::thread stepping([&] { EXPECT_TRUE(Step("wide", kSteps).ok()); });
  std::this_thread::sleep_for(milliseconds(300));
  EXPECT_LT(GetScene("wide").step_index(), kSteps) << "nobody reads, so the scene waits";
  for (int64_t step = 1; step <= kSteps; ++step) {
    ASSERT_TRUE(watch.Read(response));
    ASSERT_EQ(response.frame().step_index(), step);
    ASSERT_EQ(response.dropped_since_last(), 0);
  }
  stepping.join();
}

TEST_F(StreamOptionsTest, AWatcherThatBlocksForTooLongIsDroppedAndTheSceneGoesOn) {
  Events events(*streams_, EventsOf("wide"));
  v1::WatchEventsResponse begun;
  ASSERT_TRUE(events.Read(begun));
  v1::WatchStateRequest request = With("wide", v1::SLOW_WATCHER_POLICY_BLOCK, 2);
  request.set_max_wait_s(0.2);
  Watch watch(*streams_, request);
  v1::WatchStateResponse response;
  ASSERT_TRUE(watch.Read(response));
  EXPECT_TRUE(FailedWith(Watch(*streams_, request).Finish(), grpc::StatusCode::RESOURCE_EXHAUSTED,
                         v1::ERROR_REASON_LIMIT_REACHED));
  ASSERT_TRUE(Step("wide", 400).ok());
  const Outcome end = watch.Finish();
  EXPECT_TRUE(FailedWith(end, grpc::StatusCode::RESOURCE_EXHAUSTED, v1::ERROR_REASON_SLOW_WATCHER));
  EXPECT_EQ(end.detail.value(), "BLOCK");
  const v1::SceneEvent dropped = events.Next();
  EXPECT_EQ(dropped.kind(), v1::EVENT_KIND_WATCHER_DROPPED);
  EXPECT_EQ(dropped.text(), "BLOCK");
}

TEST_F(StreamOptionsTest, WhoFallsBehindIsDisconnectedAfterAllFramesThatWereSent) {
  Watch watch(*streams_, With("wide", v1::SLOW_WATCHER_POLICY_DISCONNECT, 4));
  v1::WatchStateResponse response;
  ASSERT_TRUE(watch.Read(response));
  ASSERT_TRUE(Step("wide", 400).ok());
  int64_t next = 1;
  while (watch.Read(response)) {
    ASSERT_EQ(response.frame().step_index(), next++);
  }
  EXPECT_LT(next, 400);
  EXPECT_TRUE(FailedWith(watch.Finish(), grpc::StatusCode::RESOURCE_EXHAUSTED,
                         v1::ERROR_REASON_SLOW_WATCHER));
}

TEST_F(StreamOptionsTest, ADroppedWatcherThatNeverReadsIsCutOff) {
  Watch watch(*streams_, With("wide", v1::SLOW_WATCHER_POLICY_DISCONNECT, 16));
  v1::WatchStateResponse response;
  ASSERT_TRUE(watch.Read(response));
  // No step before the frame of the last has gone out, so that it is the transport that stops the
  // frames and not the pace of the scene.
  const std::atomic<int64_t>& sent = telemetry::TheStreamCounts().frames_sent;
  bool flows = true;
  for (int i = 0; i < 300; ++i) {
    const int64_t before = sent.load();
    ASSERT_TRUE(Step("wide", 1).ok());
    flows = flows && WaitUntil([&] { return sent.load() > before; }, milliseconds(1'000));
  }
  EXPECT_EQ(WatcherCount("wide"), 1) << "it counts while its last frame is on the way";
  EXPECT_TRUE(WaitUntil([&] { return WatcherCount("wide") == 0; }));
  EXPECT_EQ(watch.Finish().status.error_code(), grpc::StatusCode::CANCELLED);
}

TEST_F(StreamOptionsTest, AStalledWatcherDoesNotOutliveItsSceneForLong) {
  Watch watch(*streams_, With("wide", v1::SLOW_WATCHER_POLICY_BUFFER, 100));
  v1::WatchStateResponse response;
  ASSERT_TRUE(watch.Read(response));
  ASSERT_TRUE(Step("wide", 400).ok());
  // Each frame that still finds room between server and watcher gives him another five seconds, and
  // how long some do is up to the transport.
  ASSERT_TRUE(NoFrameGoesOutFor(milliseconds(1'000)));
  v1::DeleteSceneRequest request;
  request.set_scene("scenes/wide");
  ASSERT_TRUE(Call(*scenes_, &v1::SceneService::Stub::DeleteScene, request).ok());
  ASSERT_TRUE(NoFrameGoesOutFor(milliseconds(8'000)));
  // Who reads is told SCENE_DELETED; this one was cut off before.
  EXPECT_EQ(watch.Finish().status.error_code(), grpc::StatusCode::CANCELLED);
}

TEST_F(StreamOptionsTest, ABufferLosesTheOldest) {
  Watch watch(*streams_, With("wide", v1::SLOW_WATCHER_POLICY_BUFFER, 10));
  v1::WatchStateResponse response;
  ASSERT_TRUE(watch.Read(response));
  constexpr int64_t kSteps = 400;
  ASSERT_TRUE(Step("wide", kSteps).ok());
  int64_t received = 0;
  int64_t dropped = 0;
  int64_t last = 0;
  do {
    ASSERT_TRUE(watch.Read(response));
    EXPECT_EQ(response.frame().step_index(), last + 1 + response.dropped_since_last());
    last = response.frame().step_index();
    ++received;
    dropped += response.dropped_since_last();
  } while (last < kSteps);
  EXPECT_EQ(received + dropped, kSteps);
  EXPECT_GT(dropped, 0);
}

TEST_F(StreamOptionsTest, FifteenStalledWatchersChangeNothingForTheSixteenth) {
  std::vector<std::unique_ptr<Watch>> stalled;
  for (int i = 0; i < 15; ++i) {
    v1::WatchStateRequest request = For("wide");
    switch (i % 4) {
      case 0:
        break;
      case 1:
        request = With("wide", v1::SLOW_WATCHER_POLICY_BUFFER, 8);
        break;
      case 2:
        request = With("wide", v1::SLOW_WATCHER_POLICY_DISCONNECT, 8);
        break;
      default:
        if (i == 3) request = With("wide", v1::SLOW_WATCHER_POLICY_BLOCK, 4);
        if (i == 3) request.set_max_wait_s(0.05);
    }
    stalled.push_back(std::make_unique<Watch>(*streams_, request));
    v1::WatchStateResponse first;
    ASSERT_TRUE(stalled.back()->Read(first));
  }
  Watch reader(*streams_, With("wide", v1::SLOW_WATCHER_POLICY_DISCONNECT, 1024));
  v1::WatchStateResponse response;
  ASSERT_TRUE(reader.Read(response));
  constexpr int64_t kSteps = 300;
  std::thread stepping([&] {
    for (int64_t step = 0; step < kSteps; ++step) ASSERT_TRUE(Step("wide", 1).ok());
  });
  for (int64_t step = 1; step <= kSteps; ++step) {
    ASSERT_TRUE(reader.Read(response));
    ASSERT_EQ(response.frame().step_index(), step);
  }
  stepping.join();
  CreateScene("alone", PlainAndPillar());
  ASSERT_TRUE(Step("alone", kSteps).ok());
  EXPECT_EQ(StateHash("alone"), StateHash("wide"));
}

TEST_F(StreamOptionsTest, ASelectionHasItsRows) {
  v1::WatchStateRequest request = For("a");
  request.mutable_bodies()->add_names("ball7");
  request.mutable_bodies()->add_names("ball2");
  Watch watch(*streams_, request);
  v1::WatchStateResponse response;
  ASSERT_TRUE(watch.Read(response));
  const v1::Layout layout = response.frame().layout();
  EXPECT_EQ(layout.body_ids_size(), 11) << "the layout is of all bodies";
  ASSERT_EQ(response.frame().selected_rows().rows_size(), 2);
  EXPECT_EQ(layout.body_names(static_cast<int>(response.frame().selected_rows().rows(0))), "ball2");
  EXPECT_EQ(response.frame().bodies().positions_world_m_size(), 6);
  v1::RemoveBodiesRequest remove;
  remove.set_scene("scenes/a");
  remove.add_body_names("ball2");
  ASSERT_TRUE(Call(*scenes_, &v1::SceneService::Stub::RemoveBodies, remove).ok());
  ASSERT_TRUE(watch.Read(response));
  ASSERT_EQ(response.frame().selected_rows().rows_size(), 1);
  EXPECT_EQ(response.frame().layout().body_names(
                static_cast<int>(response.frame().selected_rows().rows(0))),
            "ball7");
  // Gone is not there: a new watcher is told.
  const Outcome refused = Watch(*streams_, request).Finish();
  EXPECT_TRUE(FailedWith(refused, grpc::StatusCode::NOT_FOUND, v1::ERROR_REASON_NOT_FOUND));
  EXPECT_EQ(refused.detail.field(), "bodies.names[1]");
}

TEST_F(StreamOptionsTest, AQuantizedStreamFollowsTheSceneWithinItsBounds) {
  v1::WatchStateRequest quantized = With("a", v1::SLOW_WATCHER_POLICY_BLOCK, 4);
  quantized.set_max_wait_s(60);
  quantized.set_profile(v1::ENCODING_PROFILE_QUANTIZED);
  quantized.mutable_quantization()->set_position_step_m(1e-3);
  quantized.mutable_quantization()->set_key_interval(10);
  quantized.mutable_selection()->set_positions(true);
  quantized.mutable_selection()->set_velocities(true);
  v1::WatchStateRequest exact = With("a", v1::SLOW_WATCHER_POLICY_DISCONNECT, 200);
  *exact.mutable_selection() = quantized.selection();
  Watch viewer(*streams_, quantized);
  Watch reference(*streams_, exact);
  v1::WatchStateResponse seen;
  v1::WatchStateResponse truth;
  // Both are watching once their first frame is here.
  ASSERT_TRUE(viewer.Read(seen));
  ASSERT_TRUE(reference.Read(truth));
  ASSERT_TRUE(Step("a", 100).ok());
  client::FrameDecoder decoder;
  int keys = 0;
  for (int64_t step = 0; step <= 100; ++step) {
    if (step > 0) {
      ASSERT_TRUE(viewer.Read(seen));
      ASSERT_TRUE(reference.Read(truth));
    }
    ASSERT_EQ(seen.frame().step_index(), truth.frame().step_index());
    EXPECT_EQ(seen.frame().state_hash(), truth.frame().state_hash());
    keys += seen.frame().quantized_bodies().key_frame() ? 1 : 0;
    ASSERT_TRUE(decoder.Decode(*seen.mutable_frame()));
    const auto& x = seen.frame().bodies().positions_world_m();
    ASSERT_EQ(x.size(), 33);
    for (int i = 0; i < x.size(); ++i) {
      EXPECT_LE(std::abs(x[i] - truth.frame().bodies().positions_world_m(i)), 5.01e-4);
      EXPECT_EQ(seen.frame().bodies().linear_velocities_world_m_s(i),
                static_cast<float>(truth.frame().bodies().linear_velocities_world_m_s(i)));
    }
  }
  EXPECT_EQ(keys, 11);
}

TEST_F(StreamOptionsTest, EventsTellOfContactsBodiesAndTheEnd) {
  v1::WatchEventsRequest request = EventsOf("a");
  request.mutable_bodies()->add_names("ball3");
  Events events(*streams_, request);
  v1::WatchEventsResponse begun;
  ASSERT_TRUE(events.Read(begun));
  EXPECT_EQ(begun.events_size(), 0);
  EXPECT_EQ(begun.step_index(), 0);
  ASSERT_TRUE(Step("a", 300).ok());
  const v1::SceneEvent contact = events.Next();
  EXPECT_EQ(contact.kind(), v1::EVENT_KIND_CONTACT_BEGIN);
  ASSERT_EQ(contact.body_ids_size(), 1);
  ASSERT_EQ(contact.other_body_ids_size(), 1);
  v1::RemoveBodiesRequest remove;
  remove.set_scene("scenes/a");
  remove.add_body_names("ball3");
  ASSERT_TRUE(Call(*scenes_, &v1::SceneService::Stub::RemoveBodies, remove).ok());
  v1::SceneEvent removed = events.Next();
  while (removed.kind() == v1::EVENT_KIND_CONTACT_BEGIN ||
         removed.kind() == v1::EVENT_KIND_CONTACT_END) {
    removed = events.Next();
  }
  EXPECT_EQ(removed.kind(), v1::EVENT_KIND_BODIES_REMOVED);
  EXPECT_EQ(removed.step_index(), 300);
  EXPECT_GT(removed.sequence(), contact.sequence());
  v1::DeleteSceneRequest deletion;
  deletion.set_scene("scenes/a");
  ASSERT_TRUE(Call(*scenes_, &v1::SceneService::Stub::DeleteScene, deletion).ok());
  EXPECT_EQ(events.Next().kind(), v1::EVENT_KIND_SCENE_DELETED);
  EXPECT_TRUE(
      FailedWith(events.Finish(), grpc::StatusCode::ABORTED, v1::ERROR_REASON_SCENE_DELETED));
}

TEST_F(StreamOptionsTest, BadOptionsAreRefusedByName) {
  const auto field_of = [&](const v1::WatchStateRequest& request) {
    const Outcome outcome = Watch(*streams_, request).Finish();
    EXPECT_EQ(outcome.status.error_code(), grpc::StatusCode::INVALID_ARGUMENT);
    return outcome.detail.field();
  };
  v1::WatchStateRequest request = For("a");
  request.set_policy(static_cast<v1::SlowWatcherPolicy>(9));
  EXPECT_EQ(field_of(request), "policy");
  EXPECT_EQ(field_of(With("a", v1::SLOW_WATCHER_POLICY_BUFFER, 0)), "queue_frames");
  EXPECT_EQ(field_of(With("a", v1::SLOW_WATCHER_POLICY_BUFFER, 1025)), "queue_frames");
  request = For("a");
  request.set_queue_frames(2);
  EXPECT_EQ(field_of(request), "queue_frames");
  request = For("a");
  request.set_max_wait_s(1.0);
  EXPECT_EQ(field_of(request), "max_wait_s") << "only under BLOCK";
  for (const double wait : {0.0, -1.0, 61.0, std::nan("")}) {
    request = With("a", v1::SLOW_WATCHER_POLICY_BLOCK, 1);
    request.set_max_wait_s(wait);
    EXPECT_EQ(field_of(request), "max_wait_s") << wait;
  }
  request = For("a");
  request.set_profile(static_cast<v1::EncodingProfile>(4));
  EXPECT_EQ(field_of(request), "profile");
  request = For("a");
  request.mutable_quantization();
  EXPECT_EQ(field_of(request), "quantization");
  for (const double step : {0.0, 9e-7, 1.1, std::nan("")}) {
    request = For("a");
    request.set_profile(v1::ENCODING_PROFILE_QUANTIZED);
    request.mutable_quantization()->set_position_step_m(step);
    EXPECT_EQ(field_of(request), "quantization.position_step_m") << step;
  }
  for (const int64_t interval : {int64_t{0}, int64_t{10'001}}) {
    request = For("a");
    request.set_profile(v1::ENCODING_PROFILE_QUANTIZED);
    request.mutable_quantization()->set_key_interval(interval);
    EXPECT_EQ(field_of(request), "quantization.key_interval") << interval;
  }
  v1::WatchEventsRequest events = EventsOf("a");
  events.add_kinds(v1::EVENT_KIND_CONTACT_END);
  events.add_kinds(static_cast<v1::EventKind>(99));
  EXPECT_EQ(Events(*streams_, events).Finish().detail.field(), "kinds[1]");
}

}  // namespace
}  // namespace talus::testing
