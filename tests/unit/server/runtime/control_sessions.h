// Control sessions of a scene with two falling balls, with a clock that the test turns.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <utility>

#include "server/runtime/control_session.h"
#include "tests/support/ring.h"

namespace talus::testing {

inline ControlOptions HeldBy(const std::string& holder = "test") {
  ControlOptions options;
  options.holder = holder;
  options.actuators = {{ActuatorKind::kBodyWrench, 0, "ball0", 0}};
  return options;
}

// What a session told when it ended.
class Ending {
 public:
  std::function<void(const absl::Status&)> Note() {
    return [answer = answer_](const absl::Status& status) mutable { answer.Done()(status); };
  }
  bool there() const { return answer_.there(); }
  ErrorInfo Get(absl::StatusCode code) { return answer_.GetError(code); }

 private:
  Answer<bool> answer_;
};

class ControlSessionTest : public ::testing::Test {
 protected:
  std::shared_ptr<ControlSession> MakeSession(const ControlOptions& options, Ending& ending) {
    return ControlSession::Make(scene_, clock_, options, ending.Note());
  }
  std::shared_ptr<ControlSession> MustOpen(const ControlOptions& options, Ending& ending) {
    auto session = MakeSession(options, ending);
    Answer<ControlOpening> opening;
    session->Open(opening.Done());
    const auto opened = opening.Get();
    EXPECT_TRUE(opened.ok()) << opened.status();
    if (opened.ok()) lease_ = opened->lease;
    return session;
  }
  absl::StatusOr<ControlAnswer> Submit(ControlSession& session, ControlCall call = {}) {
    Answer<ControlAnswer> answer;
    session.Submit(std::move(call), answer.Done());
    return answer.Get();
  }
  absl::Status StepUnder(const std::string& lease) {
    Answer<StepAnswer> answer;
    scene_->Step(Steps(1), std::make_shared<CallControl>(Clock::TimePoint::max(), lease),
                 answer.Done());
    return answer.Get().status();
  }
  // Until the step of the last tick is done.
  void AwaitStep(int64_t step_index) {
    const auto until = std::chrono::steady_clock::now() + kPatience;
    while (scene_->info().step_index < step_index && std::chrono::steady_clock::now() < until) {
      std::this_thread::yield();
    }
    ASSERT_EQ(scene_->info().step_index, step_index);
    // The session hears of it a moment after the scene has told.
    Answer<ReadAnswer> read;
    scene_->Read({}, nullptr, read.Done());
    ASSERT_TRUE(read.Get().ok());
  }

  ManualClock clock_;
  Stage stage_{2, &clock_};
  std::shared_ptr<SceneActor> scene_ = stage_.MakeActor(FallingBalls(2));
  std::string lease_;
};

}  // namespace talus::testing
