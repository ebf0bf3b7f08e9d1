// A scene that waits for a watcher: it makes no step, holds no thread, and stays open to everything
// but changes.
#include <atomic>
#include <thread>
#include <vector>

#include "gtest/gtest.h"
#include "server/runtime/scene_actor.h"
#include "tests/support/ring.h"

namespace talus {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::Answer;
using testing::FallingBalls;
using testing::kPatience;
using testing::Stage;
using testing::Steps;

WatchOptions Blocking(Clock::Duration max_wait, int64_t queue_frames = 1) {
  WatchOptions options;
  options.policy = SlowPolicy::kBlock;
  options.queue_frames = queue_frames;
  options.max_wait = max_wait;
  return options;
}

Delivery AwaitFrame(Subscription& watcher) {
  const auto until = std::chrono::steady_clock::now() + kPatience;
  while (std::chrono::steady_clock::now() < until) {
    if (auto delivery = watcher.Take()) return *std::move(delivery);
    std::this_thread::yield();
  }
  ADD_FAILURE() << "no frame came";
  return {};
}

void AwaitStep(SceneActor& scene, int64_t step_index) {
  const auto until = std::chrono::steady_clock::now() + kPatience;
  while (scene.info().step_index < step_index && std::chrono::steady_clock::now() < until) {
    std::this_thread::yield();
  }
  EXPECT_EQ(scene.info().step_index, step_index);
}

// A scene whose long Step waits for a watcher that has taken nothing since the first frame.
class BlockedScene {
 public:
  explicit BlockedScene(Stage& stage, Clock::Duration max_wait)
      : scene(stage.MakeActor(FallingBalls(2))) {
    watcher = *scene->Watch(Blocking(max_wait), [] {});
    EXPECT_EQ(AwaitFrame(*watcher).frame->step_index, 0);
    scene->Step(Steps(20), control, step.Done());
    AwaitStep(*scene, 2);  // frame 1 waits in the queue, frame 2 has no room
  }

  std::shared_ptr<SceneActor> scene;
  SubscriptionPtr watcher;
  CallControlPtr control = std::make_shared<CallControl>();
  Answer<StepAnswer> step;
};

TEST(BlockingWatchTest, EveryFrameArrivesHoweverSlowTheWatcher) {
  Stage stage(1);
  auto scene = stage.MakeActor(FallingBalls(1));
  auto watcher = *scene->Watch(Blocking(seconds(60)), [] {});
  EXPECT_EQ(AwaitFrame(*watcher).frame->step_index, 0);
  Answer<StepAnswer> step;
  scene->Step(Steps(50), nullptr, step.Done());
  for (int64_t index = 1; index <= 50; ++index) {
    if (index % 10 == 0) std::this_thread::sleep_for(milliseconds(3));
    const Delivery delivery = AwaitFrame(*watcher);
    EXPECT_EQ(delivery.frame->step_index, index);
    EXPECT_EQ(delivery.dropped_since_last, 0);
  }
  EXPECT_TRUE(step.Get().ok());
}

TEST(BlockingWatchTest, TheSceneGoesOnWhenTheWaitIsOverWithTheSameBits) {
  ManualClock clock;
  Stage stage(1, &clock);
  BlockedScene blocked(stage, milliseconds(500));
  // The wait began when frame 2 found no room; nothing but time is missing.
  EXPECT_FALSE(blocked.step.there());
  for (int i = 0; i < 200 && !blocked.step.there(); ++i) {
    clock.Advance(milliseconds(10));
    std::this_thread::sleep_for(milliseconds(1));
  }
  const auto answer = blocked.step.Get();
  ASSERT_TRUE(answer.ok()) << answer.status();
  const auto end = blocked.watcher->FindEnd();
  ASSERT_TRUE(end.has_value());
  EXPECT_EQ(FindErrorInfo(*end).reason, ErrorReason::kSlowWatcher);
  auto unwatched = stage.MakeActor(FallingBalls(2));
  Answer<StepAnswer> step;
  unwatched->Step(Steps(20), nullptr, step.Done());
  EXPECT_EQ(answer->frame->state_hash, step.Get()->frame->state_hash);
}

TEST(BlockingWatchTest, AWaitingSceneHoldsNoThread) {
  Stage stage(1);
  BlockedScene blocked(stage, seconds(60));
  auto other = stage.MakeActor(FallingBalls(1), "other");
  Answer<StepAnswer> step;
  other->Step(Steps(100), nullptr, step.Done());
  EXPECT_TRUE(step.Get().ok());
  EXPECT_FALSE(blocked.step.there());
  EXPECT_EQ(blocked.scene->info().step_index, 2);
}

TEST(BlockingWatchTest, ReadsAndNewWatchersAreServedMeanwhile) {
  Stage stage(1);
  BlockedScene blocked(stage, seconds(60));
  Answer<ReadAnswer> read;
  blocked.scene->Read({.parts = {}, .energy = true}, nullptr, read.Done());
  EXPECT_EQ(read.Get()->frame->step_index, 2);
  Answer<SceneSnapshot> snapshot;
  blocked.scene->TakeSnapshot(nullptr, snapshot.Done());
  EXPECT_EQ(snapshot.Get()->step_index, 2);
  auto newcomer = *blocked.scene->Watch({}, [] {});
  EXPECT_EQ(AwaitFrame(*newcomer).frame->step_index, 2);
  EXPECT_FALSE(blocked.step.there());
}

TEST(BlockingWatchTest, ChangesWaitAndFollowInOrder) {
  Stage stage(1);
  BlockedScene blocked(stage, seconds(60));
  Answer<std::shared_ptr<const Layout>> removed;
  blocked.scene->RemoveBodies({{}, {"ball0"}}, nullptr, removed.Done());
  std::this_thread::sleep_for(milliseconds(20));
  EXPECT_FALSE(removed.there());
  blocked.watcher->Close();
  EXPECT_TRUE(blocked.step.Get().ok());
  ASSERT_TRUE(removed.Get().ok());
}

TEST(BlockingWatchTest, ACallGivesUpAtItsDeadlineOrWhenCancelled) {
  Stage stage(1);
  BlockedScene blocked(stage, seconds(60));
  Answer<StepAnswer> second;
  blocked.scene->Step(
      Steps(1), std::make_shared<CallControl>(Clock::TimePoint(std::chrono::steady_clock::now())),
      second.Done());
  EXPECT_EQ(second.GetError(absl::StatusCode::kDeadlineExceeded).reason, ErrorReason::kDeadline);
  blocked.control->Cancel();
  const ErrorInfo info = blocked.step.GetError(absl::StatusCode::kCancelled);
  EXPECT_EQ(info.steps_done, 2);
  // The watcher still holds the scene at its step.
  EXPECT_EQ(AwaitFrame(*blocked.watcher).frame->step_index, 1);
  EXPECT_EQ(AwaitFrame(*blocked.watcher).frame->step_index, 2);
}

TEST(BlockingWatchTest, AWaitingSceneIsDeletedAtOnce) {
  Stage stage(1);
  BlockedScene blocked(stage, seconds(60));
  Answer<int> ended;
  blocked.scene->Delete([done = ended.Done()] { done(0); });
  EXPECT_TRUE(ended.Get().ok());
  EXPECT_EQ(blocked.step.GetError(absl::StatusCode::kAborted).steps_done, 2);
  EXPECT_EQ(AwaitFrame(*blocked.watcher).frame->step_index, 1);
  EXPECT_EQ(FindErrorInfo(*blocked.watcher->FindEnd()).reason, ErrorReason::kSceneDeleted);
}

TEST(BlockingWatchTest, AWaitingSceneDrainsAtOnce) {
  Stage stage(1);
  BlockedScene blocked(stage, seconds(60));
  Answer<int> ended;
  blocked.scene->Drain([done = ended.Done()] { done(0); });
  EXPECT_TRUE(ended.Get().ok());
  EXPECT_EQ(blocked.step.GetError(absl::StatusCode::kUnavailable).reason, ErrorReason::kDraining);
}

// Takers, leavers and the scene meet in every order.
TEST(BlockingWatchTest, BlockingWatchersComeAndGoWhileTheSceneSteps) {
  Stage stage(2);
  auto scene = stage.MakeActor(FallingBalls(1));
  std::atomic<bool> stop{false};
  std::thread stepping([&] {
    while (!stop) {
      Answer<StepAnswer> step;
      scene->Step(Steps(5), nullptr, step.Done());
      EXPECT_TRUE(step.Get().ok());
    }
  });
  for (int round = 0; round < 100; ++round) {
    auto watcher = scene->Watch(Blocking(milliseconds(1 + round % 3), 1 + round % 2), [] {});
    ASSERT_TRUE(watcher.ok()) << watcher.status();
    for (int i = 0; i < 4; ++i) (*watcher)->Take();
    if (round % 7 == 0) std::this_thread::sleep_for(milliseconds(4));
    (*watcher)->Close();
  }
  stop = true;
  stepping.join();
}

}  // namespace
}  // namespace talus
