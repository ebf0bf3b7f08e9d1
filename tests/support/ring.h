// What the tests of the server's middle ring share: small scenes, an answer one can wait for, a
// gate that holds a scene at a step boundary, and the threads a scene needs.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include "gtest/gtest.h"
#include "server/runtime/completion.h"
#include "server/runtime/core_budget.h"
#include "server/runtime/executor.h"
#include "server/runtime/scene_actor.h"
#include "server/runtime/step_statistics.h"
#include "server/session/error.h"
#include "solver/base/mutex.h"
#include "solver/scene/scene_def.h"
#include "solver/world/world.h"
#include "tests/support/worlds.h"

namespace talus::testing {

// Long enough for a loaded machine under a sanitizer; a test that waits so long has failed.
inline constexpr std::chrono::seconds kPatience{60};

// Steps of a falling ball that take a minute and more, so that a test always interrupts them.
inline constexpr int64_t kEndless = 50'000'000;

// A completion that can be waited for, and that notices a second call. Copies share one answer.
template <typename T>
class Answer {
 public:
  Completion<T> Done() {
    return [state = state_](absl::StatusOr<T> result) {
      {
        MutexLock lock(state->mutex);
        ++state->calls;
        state->result.emplace(std::move(result));
      }
      state->changed.notify_all();
    };
  }

  bool there() const {
    MutexLock lock(state_->mutex);
    return state_->calls > 0;
  }
  int calls() const {
    MutexLock lock(state_->mutex);
    return state_->calls;
  }
  // Waits for the answer; fails the test when it does not come.
  absl::StatusOr<T> Get() {
    MutexLock lock(state_->mutex);
    const auto until = std::chrono::steady_clock::now() + kPatience;
    while (state_->calls == 0) {
      if (state_->changed.wait_until(state_->mutex, until) == std::cv_status::timeout) {
        return absl::UnknownError("no answer came");
      }
    }
    EXPECT_EQ(state_->calls, 1);
    return std::move(*state_->result);
  }
  // The reason of a failure; kUnspecified for a success.
  ErrorInfo GetError(absl::StatusCode code) {
    const absl::Status status = Get().status();
    EXPECT_EQ(status.code(), code) << status.message();
    return FindErrorInfo(status);
  }

 private:
  struct State {
    Mutex mutex;
    CondVar changed;
    int calls TALUS_GUARDED_BY(mutex) = 0;
    std::optional<absl::StatusOr<T>> result TALUS_GUARDED_BY(mutex);
  };
  std::shared_ptr<State> state_ = std::make_shared<State>();
};

// Holds whoever passes until it is opened.
class Gate {
 public:
  // The other side: returns once somebody stands at the gate.
  void AwaitArrival() {
    MutexLock lock(mutex_);
    while (!arrived_) changed_.wait(mutex_);
  }
  void Open() {
    {
      MutexLock lock(mutex_);
      open_ = true;
    }
    changed_.notify_all();
  }
  void Pass() {
    MutexLock lock(mutex_);
    arrived_ = true;
    changed_.notify_all();
    while (!open_) changed_.wait(mutex_);
  }

 private:
  Mutex mutex_;
  CondVar changed_;
  bool arrived_ TALUS_GUARDED_BY(mutex_) = false;
  bool open_ TALUS_GUARDED_BY(mutex_) = false;
};

// `count` balls of 5 cm in free fall, far from each other.
inline SceneDef FallingBalls(int count) {
  SceneDef scene;
  for (int index = 0; index < count; ++index) {
    BodyDef ball;
    ball.name = "ball" + std::to_string(index);
    ball.pose_world.position = Vec3(1.0 * index, 0.0, 10.0);
    ball.mass_kg = 1.0;
    ShapeDef shape;
    shape.geometry = Sphere{0.05};
    ball.shapes.push_back(shape);
    scene.bodies.push_back(ball);
  }
  return scene;
}

// A ball whose speed passes every bound after about a thousand steps: the scene becomes FAULTED.
inline SceneDef RunawayBall() {
  SceneDef scene = FallingBalls(1);
  scene.settings.time_step_s = 1.0;
  scene.settings.gravity_world_m_s2 = Vec3(0.0, 0.0, -1e6);
  return scene;
}

// Threads, cores and a clock for scene actors.
class Stage {
 public:
  explicit Stage(int threads = 2, Clock* clock = nullptr, const StandIns& stand_ins = {})
      : clock_(clock != nullptr ? *clock : system_clock_),
        budget_(threads, threads),
        executor_(threads, stand_ins) {}

  std::shared_ptr<SceneActor> MakeActor(const SceneDef& scene, const std::string& id = "s") {
    return SceneActor::Make(id, MakeWorld(scene), runtime());
  }
  SceneRuntime runtime() { return {executor_, budget_, clock_, limits, quantum, &statistics}; }
  Executor& executor() { return executor_; }
  CoreBudget& budget() { return budget_; }

  Limits limits = {.steps_per_call = kEndless};
  Clock::Duration quantum = std::chrono::milliseconds(5);
  StepStatistics statistics;

 private:
  SystemClock system_clock_;
  Clock& clock_;
  CoreBudget budget_;
  Executor executor_;
};

inline StepCall Steps(int64_t count) {
  StepCall call;
  call.step_count = count;
  return call;
}

// Lets the scene run into `gate` at its next boundary: reads are answered on the thread that steps.
inline void HoldAt(SceneActor& scene, std::shared_ptr<Gate> gate) {
  scene.Read({}, nullptr, [gate](absl::StatusOr<ReadAnswer>) { gate->Pass(); });
  gate->AwaitArrival();
}

}  // namespace talus::testing
