// A watcher that does not read: what it is told afterwards, and that the scene neither waits for it
// nor works for it meanwhile.
#include <algorithm>
#include <future>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "server/wire/frame_codec.h"
#include "tests/integration/watch_fixture.h"
#include "tests/support/ring.h"

namespace talus::testing {
namespace {

// The view of a watcher that asked for nothing else, once it has the layout.
const wire::FrameView kUsualView = {.parts = {.positions = true, .orientations = true}};

// A watcher inside of the server, on the thread that steps: it sees every frame before the watchers
// that come later do, and keeps it, so that one can count what became of it.
class FrameLog {
 public:
  explicit FrameLog(SceneActor& scene) {
    auto watching = scene.Watch({.parts = kUsualView.parts}, [this] { TakeAll(); });
    EXPECT_TRUE(watching.ok()) << watching.status();
    {
      MutexLock lock(mutex_);
      subscription_ = *std::move(watching);
    }
    TakeAll();
  }
  ~FrameLog() {
    Find()->Close();
    for (std::thread& encoder : encoders_) encoder.join();
  }

  // From now on somebody is at encoding every frame, before anybody else gets it, until the gate
  // opens.
  void HoldEncodings(Gate& gate) {
    MutexLock lock(mutex_);
    gate_ = &gate;
  }
  // Of the frames of steps `first` to `last`: those that were encoded, and those that somebody
  // besides this log has.
  int64_t CountEncoded(int64_t first, int64_t last) {
    return Count(first, last, [](const FramePtr& frame) { return frame->encodings.count() > 0; });
  }
  int64_t CountShared(int64_t first, int64_t last) {
    return Count(first, last, [](const FramePtr& frame) { return frame.use_count() > 1; });
  }

 private:
  SubscriptionPtr Find() {
    MutexLock lock(mutex_);
    return subscription_;
  }
  template <typename Condition>
  int64_t Count(int64_t first, int64_t last, const Condition& holds) {
    MutexLock lock(mutex_);
    return std::count_if(frames_.begin(), frames_.end(), [&](const FramePtr& frame) {
      return frame->step_index >= first && frame->step_index <= last && holds(frame);
    });
  }
  void TakeAll() {
    MutexLock lock(mutex_);
    if (subscription_ == nullptr) return;
    while (auto delivery = subscription_->Take()) {
      frames_.push_back(std::move(delivery->frame));
      if (gate_ != nullptr) HoldEncoding(*frames_.back());
    }
  }
  void HoldEncoding(const FrameData& frame) TALUS_REQUIRES(mutex_) {
    std::promise<void> begun;
    encoders_.emplace_back([&frame, &begun, gate = gate_] {
      frame.encodings.FindOrEncode(kUsualView.Key(), [&] {
        begun.set_value();
        gate->Pass();
        v1::WatchStateResponse response;
        wire::EncodeFrame(frame, kUsualView, *response.mutable_frame());
        return response.SerializeAsString();
      });
    });
    begun.get_future().wait();
  }

  Mutex mutex_;
  SubscriptionPtr subscription_ TALUS_GUARDED_BY(mutex_);
  std::vector<FramePtr> frames_ TALUS_GUARDED_BY(mutex_);
  Gate* gate_ TALUS_GUARDED_BY(mutex_) = nullptr;
  std::vector<std::thread> encoders_;
};

class SlowWatcherTest : public WatchTest {
 protected:
  std::shared_ptr<SceneActor> FindScene(const std::string& id) {
    return *host_->registry().Find(id);
  }
};

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

TEST_F(SlowWatcherTest, ItIsToldWhatItMissedAndOnlyWhatItGetsIsEncoded) {
  ASSERT_TRUE(CreateScene("wide", WideScene()).ok());
  FrameLog log(*FindScene("wide"));
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
  EXPECT_EQ(log.CountEncoded(1, kSteps), received);
}

TEST_F(SlowWatcherTest, TheSceneStepsOnWhileItsFramesAreEncodedAndKeepsButTheLatest) {
  Gate gate;
  FrameLog log(*FindScene("a"));
  Watch watch(*streams_, For("a"));
  v1::WatchStateResponse response;
  ASSERT_TRUE(watch.Read(response));
  // No frame is encoded before the gate opens: were that done by the thread that steps, or waited
  // for, the scene would step no further.
  log.HoldEncodings(gate);
  constexpr int64_t kSteps = 20;
  EXPECT_TRUE(Step("a", kSteps).ok());
  // At most one frame is about to be sent and one waits. In a moment, because the answer to Step
  // may be here before the last frame has taken the place of the one before.
  EXPECT_TRUE(WaitUntil([&] { return log.CountShared(1, kSteps) <= 2; }));
  gate.Open();
  ASSERT_FALSE(HasFailure()) << "steps that were not made have no frames to read";
  int64_t received = 0;
  int64_t dropped = 0;
  while (response.frame().step_index() < kSteps) {
    ASSERT_TRUE(watch.Read(response));
    ++received;
    dropped += response.dropped_since_last();
  }
  EXPECT_LE(received, 2);
  EXPECT_EQ(received + dropped, kSteps);
  CreateScene("unwatched", TenBalls());
  EXPECT_EQ(response.frame().state_hash(), Step("unwatched", kSteps).response.frame().state_hash());
}

}  // namespace
}  // namespace talus::testing
