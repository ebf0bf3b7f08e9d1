// How waits end before their work is done: cancelled, expired, deleted, drained; queued or running;
// at any moment.
#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "gtest/gtest.h"
#include "server/runtime/scene_actor.h"
#include "solver/base/random.h"
#include "tests/support/ring.h"

namespace talus {
namespace {

using testing::Answer;
using testing::FallingBalls;
using testing::Gate;
using testing::HoldAt;
using testing::kEndless;
using testing::Stage;
using testing::Steps;
using Code = absl::StatusCode;

TEST(SceneEndingTest, ACancelledQueuedCallDoesNothing) {
  Stage stage;
  auto scene = stage.MakeActor(FallingBalls(1));
  auto gate = std::make_shared<Gate>();
  HoldAt(*scene, gate);
  auto control = std::make_shared<CallControl>();
  Answer<StepAnswer> cancelled;
  Answer<StepAnswer> other;
  scene->Step(Steps(3), control, cancelled.Done());
  scene->Step(Steps(4), nullptr, other.Done());
  control->Cancel();
  gate->Open();
  const ErrorInfo info = cancelled.GetError(Code::kCancelled);
  EXPECT_EQ(info.reason, ErrorReason::kCancelled);
  EXPECT_EQ(info.steps_done, 0);
  EXPECT_TRUE(other.Get().ok());
  EXPECT_EQ(scene->info().step_index, 4);
}

TEST(SceneEndingTest, ACancelledRunningStepTellsItsSteps) {
  Stage stage;
  auto scene = stage.MakeActor(FallingBalls(1));
  auto control = std::make_shared<CallControl>();
  Answer<StepAnswer> answer;
  scene->Step(Steps(kEndless), control, answer.Done());
  auto gate = std::make_shared<Gate>();
  HoldAt(*scene, gate);
  control->Cancel();
  gate->Open();
  const ErrorInfo info = answer.GetError(Code::kCancelled);
  EXPECT_EQ(info.steps_done, scene->info().step_index);
  // The scene stays good at the step it reached.
  Answer<StepAnswer> next;
  StepCall call = Steps(1);
  call.expected_step_index = info.steps_done;
  scene->Step(call, nullptr, next.Done());
  EXPECT_TRUE(next.Get().ok());
}

TEST(SceneEndingTest, DeadlinesEndQueuedAndRunningCalls) {
  ManualClock clock;
  Stage stage(1, &clock);
  auto scene = stage.MakeActor(FallingBalls(1));
  const auto deadline = clock.Now() + std::chrono::milliseconds(100);
  auto gate = std::make_shared<Gate>();
  Answer<StepAnswer> running;
  Answer<StepAnswer> queued;
  scene->Step(Steps(kEndless), std::make_shared<CallControl>(deadline), running.Done());
  scene->Step(Steps(1), std::make_shared<CallControl>(deadline), queued.Done());
  HoldAt(*scene, gate);
  EXPECT_FALSE(running.there());
  clock.Advance(std::chrono::milliseconds(100));
  gate->Open();
  const ErrorInfo info = running.GetError(Code::kDeadlineExceeded);
  EXPECT_EQ(info.reason, ErrorReason::kDeadline);
  EXPECT_EQ(info.steps_done, scene->info().step_index);
  EXPECT_EQ(queued.GetError(Code::kDeadlineExceeded).steps_done, 0);
}

TEST(SceneEndingTest, AQueuedCallExpiresBehindALongStep) {
  ManualClock clock;
  Stage stage(1, &clock);
  auto scene = stage.MakeActor(FallingBalls(1));
  auto control = std::make_shared<CallControl>();
  Answer<StepAnswer> running;
  Answer<AddBodiesAnswer> queued;
  scene->Step(Steps(kEndless), control, running.Done());
  scene->AddBodies({}, std::make_shared<CallControl>(clock.Now() + std::chrono::milliseconds(1)),
                   queued.Done());
  // Past the deadline and past the quantum: the scene looks at what waits when its next turn
  // begins.
  clock.Advance(std::chrono::milliseconds(50));
  EXPECT_EQ(queued.GetError(Code::kDeadlineExceeded).reason, ErrorReason::kDeadline);
  EXPECT_FALSE(running.there());
  control->Cancel();
  EXPECT_EQ(running.GetError(Code::kCancelled).reason, ErrorReason::kCancelled);
}

TEST(SceneEndingTest, DeletingEndsWhatRunsAndWhatWaits) {
  Stage stage;
  auto scene = stage.MakeActor(FallingBalls(1));
  Answer<StepAnswer> running;
  Answer<StepAnswer> queued;
  auto gate = std::make_shared<Gate>();
  scene->Step(Steps(kEndless), nullptr, running.Done());
  scene->Step(Steps(1), nullptr, queued.Done());
  HoldAt(*scene, gate);
  Answer<int> deleted;
  scene->Delete([done = deleted.Done()] { done(0); });
  gate->Open();
  ASSERT_TRUE(deleted.Get().ok());
  const ErrorInfo info = running.GetError(Code::kAborted);
  EXPECT_EQ(info.reason, ErrorReason::kSceneDeleted);
  EXPECT_EQ(info.steps_done, scene->info().step_index);
  EXPECT_EQ(queued.GetError(Code::kAborted).steps_done, 0);
  Answer<ReadAnswer> late;
  scene->Read({}, nullptr, late.Done());
  EXPECT_EQ(late.GetError(Code::kAborted).reason, ErrorReason::kSceneDeleted);
  EXPECT_EQ(scene->Watch({}, [] {}).status().code(), Code::kAborted);
}

TEST(SceneEndingTest, DrainingEndsARunningStepAtItsBoundary) {
  Stage stage;
  auto scene = stage.MakeActor(FallingBalls(1));
  Answer<StepAnswer> running;
  scene->Step(Steps(kEndless), nullptr, running.Done());
  auto gate = std::make_shared<Gate>();
  HoldAt(*scene, gate);
  Answer<int> drained;
  scene->Drain([done = drained.Done()] { done(0); });
  gate->Open();
  ASSERT_TRUE(drained.Get().ok());
  const ErrorInfo info = running.GetError(Code::kUnavailable);
  EXPECT_EQ(info.reason, ErrorReason::kDraining);
  EXPECT_EQ(info.steps_done, scene->info().step_index);
  EXPECT_GT(info.retry_after_ms, 0);
}

TEST(SceneEndingTest, ASceneThatIsLetGoAnswersEverybody) {
  Answer<StepAnswer> queued;
  {
    Stage stage(1);
    auto scene = stage.MakeActor(FallingBalls(1));
    stage.executor().Stop();
    scene->Step(Steps(1), nullptr, queued.Done());
  }
  EXPECT_FALSE(queued.Get().ok());
}

// Calls cancelled at arbitrary moments while others step, add, read and watch: each is answered
// exactly once, and the scene has made exactly the steps it told of.
TEST(SceneEndingTest, CancellingAtAnyMomentKeepsTheCount) {
  constexpr uint64_t kSeed = 99;
  SCOPED_TRACE(::testing::Message() << "seed " << kSeed);
  Stage stage(3);
  stage.quantum = std::chrono::microseconds(200);
  stage.limits.mailbox_depth = 8;
  auto scene = stage.MakeActor(FallingBalls(2));
  std::atomic<int64_t> steps_told{0};
  std::atomic<int> answered{0};
  constexpr int kThreads = 4;
  constexpr int kCalls = 150;
  std::vector<std::thread> threads;
  for (uint64_t thread = 0; thread < kThreads; ++thread) {
    threads.emplace_back([&, thread] {
      Random random(kSeed + thread);
      for (int call = 0; call < kCalls; ++call) {
        const auto timeout = std::chrono::microseconds(random.Next() % 3000);
        auto control = std::make_shared<CallControl>(std::chrono::steady_clock::now() + timeout);
        Answer<StepAnswer> answer;
        auto done = answer.Done();
        scene->Step(Steps(1 + static_cast<int64_t>(random.Next() % 2000)), control,
                    [&, done](absl::StatusOr<StepAnswer> result) {
                      steps_told += result.ok() ? result->steps_done
                                                : FindErrorInfo(result.status()).steps_done;
                      ++answered;
                      done(std::move(result));
                    });
        if (random.Next() % 2 == 0) {
          std::this_thread::sleep_for(std::chrono::microseconds(random.Next() % 500));
          control->Cancel();
        }
        if (random.Next() % 4 != 0) {
          EXPECT_NE(answer.Get().status().code(), Code::kUnknown);
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  Answer<int> drained;
  scene->Drain([done = drained.Done()] { done(0); });
  ASSERT_TRUE(drained.Get().ok());
  EXPECT_EQ(answered, kThreads * kCalls);
  EXPECT_EQ(steps_told, scene->info().step_index);
}

}  // namespace
}  // namespace talus
