// A scene that steps on its own: at what pace, what interrupts it, what it refuses.
#include "server/runtime/free_run.h"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "tests/support/ring.h"
#include "tests/support/wait_until.h"

namespace talus {
namespace {

using std::chrono::milliseconds;
using testing::Answer;
using testing::FallingBalls;
using testing::RunawayBall;
using testing::Stage;
using testing::Steps;

SceneInfo MustRun(SceneActor& scene, const RunCall& call) {
  Answer<SceneInfo> answer;
  scene.Run(call, nullptr, answer.Done());
  const auto info = answer.Get();
  EXPECT_TRUE(info.ok()) << info.status();
  return *info;
}

SceneInfo MustPause(SceneActor& scene) {
  Answer<SceneInfo> answer;
  scene.Pause(nullptr, answer.Done());
  const auto info = answer.Get();
  EXPECT_TRUE(info.ok()) << info.status();
  return *info;
}

void AwaitPaused(const SceneActor& scene) {
  const auto until = std::chrono::steady_clock::now() + testing::kPatience;
  while (scene.info().run.running && std::chrono::steady_clock::now() < until) {
    std::this_thread::yield();
  }
  ASSERT_FALSE(scene.info().run.running);
}

TEST(FreeRun, CountsItsTimeAndForgetsWhatItCannotMakeUpFor) {
  ManualClock clock;
  FreeRun run;
  EXPECT_FALSE(run.due_at().has_value());
  run.Start({.real_time_factor = 0.5, .step_limit = 0}, 0.01, clock.Now());
  EXPECT_EQ(run.due_at(), clock.Now());
  run.NoteStep(clock.Now());
  EXPECT_EQ(run.due_at(), clock.Now() + milliseconds(20));
  // 50 ms behind: it catches up.
  clock.Advance(milliseconds(70));
  run.NoteStep(clock.Now());
  EXPECT_EQ(run.due_at(), clock.Now() - milliseconds(30));
  // More than 100 ms behind: it does not.
  clock.Advance(milliseconds(190));
  run.NoteStep(clock.Now());
  EXPECT_EQ(run.due_at(), clock.Now());
  EXPECT_NEAR(run.info().lag_s, 0.2, 1e-9);
  EXPECT_EQ(run.info().steps_done, 3);
  EXPECT_NEAR(run.info().measured_factor, 0.03 / 0.26, 1e-9);
  run.Stop();
  EXPECT_FALSE(run.due_at().has_value());
}

TEST(FreeRun, AsFastAsItCanUntilItsLimit) {
  Stage stage;
  auto scene = stage.MakeActor(FallingBalls(1));
  MustRun(*scene, {.real_time_factor = {}, .step_limit = 500});
  AwaitPaused(*scene);
  EXPECT_EQ(scene->info().step_index, 500);
  EXPECT_EQ(scene->info().run.steps_done, 500);
  // The same bits as when it is stepped.
  auto stepped = stage.MakeActor(FallingBalls(1), "stepped");
  Answer<StepAnswer> answer;
  stepped->Step(Steps(500), nullptr, answer.Done());
  ASSERT_TRUE(answer.Get().ok());
  EXPECT_EQ(scene->info().state_hash, stepped->info().state_hash);
}

TEST(FreeRun, KeepsThePaceOfTheClock) {
  ManualClock clock;
  Stage stage(2, &clock);
  auto scene = stage.MakeActor(FallingBalls(1));
  const double step_s = scene->info().settings.time_step_s;
  const auto period =
      std::chrono::duration_cast<Clock::Duration>(std::chrono::duration<double>(step_s));
  MustRun(*scene, {.real_time_factor = 1.0, .step_limit = 0});
  for (int64_t step = 1; step <= 20; ++step) {
    const auto until = std::chrono::steady_clock::now() + testing::kPatience;
    while (scene->info().step_index < step && std::chrono::steady_clock::now() < until) {
      // The turn that made a step asks to be woken after it has told of the step.
      clock.Advance({});
      std::this_thread::yield();
    }
    ASSERT_EQ(scene->info().step_index, step);
    clock.Advance(period);
  }
  const SceneInfo paused = MustPause(*scene);
  EXPECT_FALSE(paused.run.running);
  clock.Advance(10 * period);
  EXPECT_EQ(scene->info().step_index, paused.step_index);
}

TEST(FreeRun, ARunThatIsToldAnewTimeAndAgainLeavesOneWakeUp) {
  ManualClock clock;
  Stage stage(2, &clock);
  auto scene = stage.MakeActor(FallingBalls(1));
  size_t planned = 0;
  for (const double factor : {1e-6, 2e-6, 3e-6, 4e-6, 5e-6}) {
    MustRun(*scene, {.real_time_factor = factor, .step_limit = 0});
    ++planned;
    ASSERT_TRUE(testing::WaitUntil([&] { return clock.waiting_count() == planned; }));
    clock.Advance(std::chrono::seconds(1));
  }
  // Each comes to its time alone, and the scene has had its turn before the next does.
  for (int second = 0; second < 10; ++second) {
    clock.Advance(std::chrono::seconds(1));
    for (int turn = 0; turn < 2; ++turn) {
      Answer<ReadAnswer> read;
      scene->Read({}, nullptr, read.Done());
      ASSERT_TRUE(read.Get().ok());
    }
  }
  EXPECT_TRUE(testing::WaitUntil([&] { return clock.waiting_count() == 1; }))
      << clock.waiting_count();
}

TEST(FreeRun, AStateWithAnotherTimeStepHasAnotherPace) {
  ManualClock clock;
  FreeRun run;
  run.Start({.real_time_factor = 0.5, .step_limit = 0}, 100.0, clock.Now());
  run.NoteStep(clock.Now());
  EXPECT_EQ(run.due_at(), clock.Now() + std::chrono::seconds(200));
  run.SetTimeStep(0.01, clock.Now());
  EXPECT_EQ(run.due_at(), clock.Now() + milliseconds(20));
  clock.Advance(milliseconds(20));
  run.NoteStep(clock.Now());
  EXPECT_EQ(run.due_at(), clock.Now() + milliseconds(20));
  EXPECT_EQ(run.info().lag_s, 0.0);
  EXPECT_NEAR(run.info().measured_factor, 100.01 / 0.02, 1e-6);
  // What is due is due still.
  run.SetTimeStep(100.0, clock.Now());
  EXPECT_EQ(run.due_at(), clock.Now() + milliseconds(20));
}

TEST(FreeRun, ARestoredSceneGoesOnAtItsOwnPace) {
  ManualClock clock;
  Stage stage(2, &clock);
  SceneDef slow = FallingBalls(1);
  slow.settings.time_step_s = 1.0;
  auto scene = stage.MakeActor(slow);
  MustRun(*scene, {.real_time_factor = 1.0, .step_limit = 0});
  ASSERT_TRUE(testing::WaitUntil([&] { return scene->info().run.steps_done == 1; }));
  SceneDef fast = FallingBalls(1);
  fast.settings.time_step_s = 0.25;
  Answer<SceneInfo> restored;
  scene->Restore(testing::MakeWorld(fast), nullptr, restored.Done());
  ASSERT_TRUE(restored.Get().ok());
  EXPECT_EQ(scene->info().run.steps_done, 1);
  clock.Advance(milliseconds(250));
  EXPECT_TRUE(testing::WaitUntil([&] {
    clock.Advance({});  // the turn asks to be woken after it has told of the restored state
    return scene->info().run.steps_done == 2;
  }));
  MustPause(*scene);
}

TEST(FreeRun, ChangesTakeTheirTurnAndStepsAreRefused) {
  Stage stage;
  auto scene = stage.MakeActor(FallingBalls(1));
  MustRun(*scene, {});
  Answer<StepAnswer> step;
  scene->Step(Steps(1), nullptr, step.Done());
  EXPECT_EQ(step.GetError(absl::StatusCode::kFailedPrecondition).reason,
            ErrorReason::kSceneRunning);
  AddBodiesCall add;
  add.bodies = FallingBalls(2).bodies;
  add.bodies.erase(add.bodies.begin());
  Answer<AddBodiesAnswer> added;
  scene->AddBodies(add, nullptr, added.Done());
  EXPECT_TRUE(added.Get().ok());
  EXPECT_TRUE(scene->info().run.running);
  const int64_t before = scene->info().step_index;
  const SceneInfo paused = MustPause(*scene);
  EXPECT_GE(paused.step_index, before);
  EXPECT_EQ(MustPause(*scene).step_index, paused.step_index);
  Answer<StepAnswer> after;
  scene->Step(Steps(1), nullptr, after.Done());
  EXPECT_TRUE(after.Get().ok());
}

TEST(FreeRun, StopsWhenTheSceneFaultsOrIsDeleted) {
  Stage stage;
  auto faulting = stage.MakeActor(RunawayBall());
  MustRun(*faulting, {});
  AwaitPaused(*faulting);
  EXPECT_FALSE(faulting->info().fault.empty());
  Answer<SceneInfo> again;
  faulting->Run({}, nullptr, again.Done());
  EXPECT_EQ(again.GetError(absl::StatusCode::kFailedPrecondition).reason,
            ErrorReason::kSceneFaulted);

  auto scene = stage.MakeActor(FallingBalls(1));
  MustRun(*scene, {});
  Answer<bool> deleted;
  scene->Delete([done = deleted.Done()] { done(true); });
  EXPECT_TRUE(deleted.Get().ok());
}

TEST(FreeRun, NumbersOutOfRangeAreRefused) {
  Stage stage;
  auto scene = stage.MakeActor(FallingBalls(1));
  for (const auto& [call, field] :
       {std::pair<RunCall, std::string>{{.real_time_factor = 0.0, .step_limit = 0},
                                        "real_time_factor"},
        {{.real_time_factor = 2e6, .step_limit = 0}, "real_time_factor"},
        {{.real_time_factor = {}, .step_limit = -1}, "step_limit"}}) {
    Answer<SceneInfo> answer;
    scene->Run(call, nullptr, answer.Done());
    EXPECT_EQ(answer.GetError(absl::StatusCode::kInvalidArgument).field, field);
  }
  EXPECT_FALSE(scene->info().run.running);
}

}  // namespace
}  // namespace talus
