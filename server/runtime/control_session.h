// Lock-step control of one scene: the lease, the pace, and an answer for each request.
//
// LOCKED, the scene waits for each request, and who is silent for too long loses the lease.
// REAL_TIME, the session ticks by the clock and steps the scene at each tick, under the request
// that has come or, where none has, as the miss policy says; a tick that finds the scene still at
// work is missed. Requests are answered in their order. Thread-safe; nothing here blocks, and no
// lock is held while a completion runs.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "server/runtime/clock.h"
#include "server/runtime/completion.h"
#include "server/runtime/scene_actor.h"
#include "server/runtime/scene_calls.h"

namespace talus {

enum class MissPolicy { kHoldLast, kZero, kFail };

struct ControlOptions {
  std::string holder;
  bool take_over = false;
  std::vector<ActuatorDef> actuators;
  FrameParts parts;
  ProblemCapture capture = ProblemCapture::kNever;
  bool real_time = false;
  double max_wait_s = 60.0;        // LOCKED: 0.001 to longest_wait_s
  std::optional<double> period_s;  // REAL_TIME: 1e-4 to 10; unset: the steps of a tick
  int64_t steps_per_tick = 1;      // REAL_TIME: 1 to 1000
  MissPolicy miss_policy = MissPolicy::kHoldLast;
  int64_t most_misses = 1000;  // REAL_TIME, in a row: 1 to 1000000
  double longest_wait_s = 86'400.0;
  // Requests the session may have unanswered, >= 1; who submits keeps to it.
  int64_t pipeline_depth = 16;
};

struct ControlOpening {
  SceneInfo info;
  std::shared_ptr<const Layout> layout;
  std::string lease;
  int64_t value_count = 0;
  double period_s = 0.0;  // REAL_TIME
};

struct ControlCall {
  std::vector<double> values;  // of all actuators; empty: as they are
  int64_t step_count = 1;      // LOCKED
  std::optional<int64_t> expected_step_index;
  std::optional<double> timeout_s;  // LOCKED, > 0
};

struct ControlAnswer {
  StepAnswer step;
  int64_t tick = 0;         // REAL_TIME, from 1
  int64_t missed = 0;       // REAL_TIME: ticks since the last answer
  double lateness_s = 0.0;  // REAL_TIME: from the tick until the steps were done
};

// INVALID_ARGUMENT naming a field that is out of its range; actuators are looked at with the scene.
absl::Status ValidateControl(const ControlOptions& options);

class ControlSession : public std::enable_shared_from_this<ControlSession> {
 public:
  // `ended` runs once, when the session ends otherwise than by Close: ABORTED (LEASE_LOST,
  // SCENE_DELETED), DEADLINE_EXCEEDED (DEADLINE_MISSED), UNAVAILABLE (DRAINING).
  static std::shared_ptr<ControlSession> Make(std::shared_ptr<SceneActor> scene, Clock& clock,
                                              ControlOptions options,
                                              std::function<void(const absl::Status&)> ended);
  ~ControlSession();

  // To be called once, before anything else. INVALID_ARGUMENT, NOT_FOUND (an actuator),
  // FAILED_PRECONDITION (LEASE_HELD, SCENE_RUNNING), and how a scene ends; a session that could not
  // be opened is over.
  void Open(Completion<ControlOpening> done);
  // Errors as of SceneActor::Step; the session goes on.
  void Submit(ControlCall call, Completion<ControlAnswer> done);
  // The controller leaves: ends what is under way and gives the lease back. Idempotent.
  void Close();

 private:
  struct Impl;
  struct TickTime {
    int64_t tick = 0;
    Clock::TimePoint due;
    int64_t missed = 0;  // before it
  };
  explicit ControlSession(std::unique_ptr<Impl> impl);
  void Begin(const ActuatorsAnswer& found, const Completion<ControlOpening>& done);
  // Ends the session when nobody asks for anything for too long.
  void WatchSilence(Clock::TimePoint at);
  void EndWhenSilent();
  void AwaitTick(ControlCall call, Completion<ControlAnswer> done);
  void Tick();
  void TellOfMiss(int64_t count, std::string what, Clock::Duration late);
  StepCall MakeMissedStep() const;
  void StepAtTick(StepCall step, const TickTime& time, Completion<ControlAnswer> done);
  void End(const absl::Status& status);
  // False: it was over already.
  bool Finish(const absl::Status& status, std::function<void(const absl::Status&)>& ended);

  std::unique_ptr<Impl> impl_;
};

}  // namespace talus
