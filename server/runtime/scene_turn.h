// One turn of a scene actor on an executor thread: the quantum in which it works through its inbox.
//
// Short-lived. Takes its share of the cores when the first step needs them and gives it back when
// the turn ends.
#pragma once

#include <memory>
#include <optional>

#include "server/runtime/core_budget.h"
#include "server/runtime/event_detector.h"
#include "server/runtime/executor.h"
#include "server/runtime/hosted_world.h"
#include "server/runtime/quantum.h"
#include "server/runtime/scene_inbox.h"
#include "server/runtime/scene_runtime.h"
#include "server/stream/hub.h"

namespace talus {

// What a turn works on; all of it belongs to one actor.
struct SceneParts {
  const SceneRuntime& runtime;
  SceneInbox& inbox;
  Hub& hub;
  EventHub& events;
  EventDetector& detector;
  HostedWorld& state;
  std::unique_ptr<Command>& current;  // the change under way, kept from turn to turn
};

class SceneTurn : public Quantum {
 public:
  SceneTurn(const SceneParts& parts, ArenaCache& arenas, Clock::Duration quantum);

  // True: the scene has more to do.
  bool Run();
  // Of a scene whose state is not in memory: ends the waits that are over, and the scene.
  void RunEvicted();
  // The beginning of the next step, of a scene that has nothing else to do: where steps take less
  // time than a caller needs to come back. One that takes longer is given up when something comes.
  void PrepareStep();
  bool stepped() const { return lease_.has_value(); }
  // When to look again although nothing comes in: a watcher, or a step of a scene that runs on its
  // own, that was not due yet will be, or the scene waits for a watcher.
  std::optional<Clock::TimePoint> due_at() const { return due_at_; }

  Clock::TimePoint now() const override { return now_; }
  WorkerArena& Workers() override;
  std::optional<Clock::TimePoint> LookUp() override;
  bool GivesUpSteps() const override;
  bool PassBoundary() override;

 private:
  void AdvanceCurrent();
  // One step of a scene that runs on its own: at its pace, and no faster than a scene may step.
  std::optional<Clock::TimePoint> FindRunDue() const;
  bool IsRunDue() const;
  void StepFreely();
  void EndAll(SceneInbox::Life life);
  bool CheckTime();
  void ServeReads();
  void Publish();
  // Ends the command under way when nobody waits for it any more.
  void SweepCurrent();

  SceneParts parts_;
  ArenaCache& arenas_;
  Clock::TimePoint now_;
  Clock::TimePoint looked_up_;
  const Clock::TimePoint end_;
  std::optional<CoreBudget::Lease> lease_;
  std::optional<Clock::TimePoint> due_at_;
  // The scene waits for a watcher: no step and no change until it has taken a frame.
  bool waiting_ = false;
};

}  // namespace talus
