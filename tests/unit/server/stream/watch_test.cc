// Watching a scene while it steps: who gets which frames, and that nobody slows it down.
#include <atomic>
#include <thread>
#include <vector>

#include "gtest/gtest.h"
#include "server/runtime/scene_actor.h"
#include "tests/support/ring.h"

namespace talus {
namespace {

using std::chrono::milliseconds;
using testing::Answer;
using testing::FallingBalls;
using testing::Gate;
using testing::HoldAt;
using testing::kEndless;
using testing::Stage;
using testing::Steps;

// Takes every frame as soon as it is there, on the thread that steps.
class EagerWatcher {
 public:
  EagerWatcher(SceneActor& scene, const Pace& pace, FrameParts parts = {}) {
    auto watching = scene.Watch({pace, parts}, [this] { TakeAll(); });
    EXPECT_TRUE(watching.ok()) << watching.status();
    {
      MutexLock lock(mutex_);
      subscription_ = *std::move(watching);
    }
    TakeAll();
  }
  ~EagerWatcher() { Find()->Close(); }

  std::vector<int64_t> steps() const {
    MutexLock lock(mutex_);
    return steps_;
  }
  std::vector<bool> layouts() const {
    MutexLock lock(mutex_);
    return layouts_;
  }
  void AwaitFrames(size_t count) const {
    while (steps().size() < count) std::this_thread::yield();
  }
  SubscriptionPtr Find() const {
    MutexLock lock(mutex_);
    return subscription_;
  }

 private:
  void TakeAll() {
    MutexLock lock(mutex_);
    if (subscription_ == nullptr) return;
    while (auto delivery = subscription_->Take()) {
      steps_.push_back(delivery->frame->step_index);
      layouts_.push_back(delivery->layout_due);
    }
  }

  mutable Mutex mutex_;
  SubscriptionPtr subscription_ TALUS_GUARDED_BY(mutex_);
  std::vector<int64_t> steps_ TALUS_GUARDED_BY(mutex_);
  std::vector<bool> layouts_ TALUS_GUARDED_BY(mutex_);
};

int64_t StepAndWait(SceneActor& scene, int64_t count) {
  Answer<StepAnswer> answer;
  scene.Step(Steps(count), nullptr, answer.Done());
  EXPECT_TRUE(answer.Get().ok());
  return scene.info().step_index;
}

TEST(WatchTest, AnEagerWatcherSeesEveryNthStep) {
  Stage stage;
  auto scene = stage.MakeActor(FallingBalls(1));
  EagerWatcher watcher(*scene, StepPace{4});
  watcher.AwaitFrames(1);
  StepAndWait(*scene, 10);
  EXPECT_EQ(watcher.steps(), (std::vector<int64_t>{0, 4, 8}));
}

TEST(WatchTest, ASceneAtRestServesALateJoinerAtOnce) {
  Stage stage;
  auto scene = stage.MakeActor(FallingBalls(1));
  StepAndWait(*scene, 7);
  EagerWatcher watcher(*scene, StepPace{1000});
  watcher.AwaitFrames(1);
  EXPECT_EQ(watcher.steps(), std::vector<int64_t>{7});
  EXPECT_EQ(watcher.layouts(), std::vector<bool>{true});
}

TEST(WatchTest, ALateJoinerOfALongStepIsServedAtABoundary) {
  Stage stage(1);
  auto scene = stage.MakeActor(FallingBalls(1));
  auto control = std::make_shared<CallControl>();
  Answer<StepAnswer> endless;
  scene->Step(Steps(kEndless), control, endless.Done());
  EagerWatcher watcher(*scene, StepPace{1'000'000});
  watcher.AwaitFrames(1);
  EXPECT_FALSE(endless.there());
  control->Cancel();
  EXPECT_FALSE(endless.Get().ok());
}

TEST(WatchTest, ChangesByHandAreShownWithTheirLayout) {
  Stage stage;
  auto scene = stage.MakeActor(FallingBalls(2));
  EagerWatcher watcher(*scene, StepPace{1000});
  watcher.AwaitFrames(1);
  Answer<std::shared_ptr<const Layout>> remove;
  scene->RemoveBodies({{}, {"ball0"}}, nullptr, remove.Done());
  ASSERT_TRUE(remove.Get().ok());
  EXPECT_EQ(watcher.steps(), (std::vector<int64_t>{0, 0}));
  EXPECT_EQ(watcher.layouts(), (std::vector<bool>{true, true}));
}

TEST(WatchTest, ASlowWatcherCountsItsDropsAndHoldsNobodyUp) {
  Stage stage;
  auto scene = stage.MakeActor(FallingBalls(1));
  EagerWatcher eager(*scene, StepPace{1});
  eager.AwaitFrames(1);
  auto slow = *scene->Watch({StepPace{1}, {}}, [] {});
  StepAndWait(*scene, 100);
  EXPECT_EQ(eager.steps().size(), 101u);
  const auto delivery = slow->Take();
  ASSERT_TRUE(delivery.has_value());
  EXPECT_EQ(delivery->frame->step_index, 100);
  // Its first frame may have come before the first step or after it.
  EXPECT_GE(delivery->dropped_since_last, 99);
  EXPECT_LE(delivery->dropped_since_last, 100);
}

TEST(WatchTest, UnderARateTheLastStateFollowsOnceItIsDue) {
  ManualClock clock;
  Stage stage(1, &clock);
  auto scene = stage.MakeActor(FallingBalls(1));
  EagerWatcher watcher(*scene, RatePace{10.0});
  watcher.AwaitFrames(1);
  StepAndWait(*scene, 5);
  // The turn that stepped also planned the wake-up; a read after it shows that the turn is over or
  // planning.
  EXPECT_EQ(watcher.steps(), std::vector<int64_t>{0});
  auto gate = std::make_shared<Gate>();
  gate->Open();
  HoldAt(*scene, gate);
  while (watcher.steps().size() < 2) clock.Advance(milliseconds(50));
  EXPECT_EQ(watcher.steps(), (std::vector<int64_t>{0, 5}));
  clock.Advance(milliseconds(1000));
  StepAndWait(*scene, 1);
  EXPECT_EQ(watcher.steps(), (std::vector<int64_t>{0, 5, 6}));
}

TEST(WatchTest, WatchersOfOneMomentShareOneFrame) {
  Stage stage;
  auto scene = stage.MakeActor(FallingBalls(1));
  auto first = *scene->Watch({StepPace{10}, {.positions = true}}, [] {});
  auto second = *scene->Watch({StepPace{10}, {.velocities = true}}, [] {});
  StepAndWait(*scene, 10);
  const FramePtr frame = first->Take()->frame;
  EXPECT_EQ(frame, second->Take()->frame);
  EXPECT_EQ(frame->positions_world_m.size(), 3u);
  EXPECT_EQ(frame->linear_velocities_world_m_s.size(), 3u);
}

TEST(WatchTest, StreamsEndWithTheScene) {
  Stage stage;
  auto scene = stage.MakeActor(FallingBalls(1));
  EagerWatcher watcher(*scene, StepPace{1});
  watcher.AwaitFrames(1);
  Answer<int> deleted;
  scene->Delete([done = deleted.Done()] { done(0); });
  ASSERT_TRUE(deleted.Get().ok());
  const auto end = watcher.Find()->FindEnd();
  ASSERT_TRUE(end.has_value());
  EXPECT_EQ(FindErrorInfo(*end).reason, ErrorReason::kSceneDeleted);
}

TEST(WatchTest, WatchersComeAndGoWhileTheSceneSteps) {
  Stage stage(2);
  stage.limits.watchers_per_scene = 8;
  auto scene = stage.MakeActor(FallingBalls(2));
  auto control = std::make_shared<CallControl>();
  Answer<StepAnswer> endless;
  scene->Step(Steps(kEndless), control, endless.Done());
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 3; ++thread) {
    threads.emplace_back([&, thread] {
      for (int round = 0; round < 50; ++round) {
        const Pace pace =
            thread == 0 ? Pace(RatePace{5000.0}) : Pace(StepPace{1 + int64_t{thread}});
        EagerWatcher watcher(*scene, pace, {true, true, true, true, true});
        watcher.AwaitFrames(3);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  control->Cancel();
  EXPECT_FALSE(endless.Get().ok());
}

}  // namespace
}  // namespace talus
